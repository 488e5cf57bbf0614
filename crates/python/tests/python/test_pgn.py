"""Games as trees."""

import io
import pickle
import unittest

import club
import halfmove
from halfmove import pgn

TEXT = """\
[White "A"]
[Black "B"]
[Result "1-0"]

{before} 1. e4 $1 {[%clk 0:03:00] [%eval 0.17,23] good} e5 (1... c5 {sharp} 2. Nf3 (2. c3)) (1... e6) 2. Nf3 {[%eval #-3]} 1-0

[White "C"]

1. d4 d5 2. Ke3 *
"""


class Games(unittest.TestCase):
    def game(self):
        return pgn.read_game(io.StringIO(TEXT))

    def test_read_game_goes_on_where_it_stopped(self):
        for handle in [io.StringIO(TEXT), io.BytesIO(TEXT.encode())]:
            names = []
            while (game := pgn.read_game(handle)) is not None:
                names.append(game.headers["White"])
            self.assertEqual(names, ["A", "C"])
            self.assertIsNone(pgn.read_game(handle))
            handle.seek(0)
            self.assertEqual(pgn.read_game(handle).headers["White"], "A")
        self.assertEqual([game.headers["White"] for game in pgn.read_games(io.StringIO(TEXT))], ["A", "C"])

    def test_the_tree(self):
        game = self.game()
        self.assertEqual(game.comment, "before")
        first = game.next()
        self.assertEqual((first.san(), first.nags, first.clock(), first.ply()), ("e4", {1}, 180.0, 1))
        self.assertEqual(first.eval().white().score(), 17)
        self.assertEqual((first.eval().relative.score(), first.eval_depth()), (-17, 23))
        self.assertEqual([node.san() for node in first.variations], ["e5", "c5", "e6"])
        sicilian = first.variations[1]
        self.assertEqual((sicilian.comment, sicilian.is_mainline(), sicilian.starts_variation()), ("sharp", False, True))
        self.assertEqual([node.san() for node in sicilian.variations], ["Nf3", "c3"])
        self.assertEqual(game.end().eval().white().mate(), -3)
        self.assertEqual(game.end().board().fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
        self.assertEqual([move.uci() for move in game.mainline_moves()][::2], ["e2e4", "g1f3"])

    def test_tags_come_back(self):
        """Quotes and backslashes of tags, from the exporter and from the writer of archives."""
        names = ['Robert "Bobby" Fischer', "C:\\games\\", '\\"', '"]\\']
        for name in names:
            game = self.game()
            game.headers["White"] = name
            texts = [game.accept(pgn.StringExporter()), str(game)]
            for text in texts:
                again = pgn.read_game(io.StringIO(text))
                self.assertEqual((again.headers["White"], again.headers["Black"], again.errors), (name, "B", []))
            lines = [[line for line in text.splitlines() if line.startswith("[White ")] for text in texts]
            self.assertEqual(lines[0], lines[1])
        game.headers["White"] = "one\nline"
        self.assertIn('[White "one line"]', game.accept(pgn.StringExporter()).splitlines())

    def test_text_comes_back(self):
        game = self.game()
        text = str(game)
        # After the tree was made, the text is written from it.
        self.assertEqual(len(game.variations), 1)
        self.assertEqual(str(game), text)
        self.assertEqual(str(pickle.loads(pickle.dumps(game))), text)

    def test_faults(self):
        games = list(pgn.read_games(io.StringIO(TEXT)))
        self.assertEqual(games[0].errors, [])
        self.assertIn("Ke3", games[1].errors[0])
        self.assertEqual(len(games[1].mainline_moves()), 2)

    def test_building(self):
        game = pgn.Game()
        game.headers["White"] = "A"
        node = game.add_variation(halfmove.Move.from_uci("e2e4"), comment="best", nags=[1])
        node.add_line([halfmove.Move.from_uci(uci) for uci in ["c7c5", "g1f3"]])
        node.add_main_variation(halfmove.Move.from_uci("e7e5"))
        self.assertEqual(str(game).splitlines()[-1], "1. e4 $1 {best} 1... e5 (1... c5 2. Nf3) *")
        node.promote_to_main(1)
        node.remove_variation(1)
        self.assertEqual(str(game).splitlines()[-1], "1. e4 $1 {best} 1... c5 2. Nf3 *")
        with self.assertRaises(halfmove.IllegalMoveError):
            game.add_variation(halfmove.Move.from_uci("e2e5"))
            str(game)

    def test_pictures(self):
        game = pgn.read_game(io.StringIO("1. e4 {[%cal Ge2e4,Rd8h4][%csl Yh5]} *"))
        picture = game.next()._repr_svg_()
        # Two arrows; the squares of the move, and the one that is marked.
        self.assertEqual(picture.count("<line "), 2)
        self.assertEqual(picture.count("#cdd16a") + picture.count("#aaa23b"), 3)
        self.assertEqual(game._repr_svg_(), picture)
        self.assertIn("<svg ", pgn.Game()._repr_svg_())

    def test_starts(self):
        board = halfmove.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        board.push_san("e4")
        game = pgn.Game.from_board(board)
        again = pgn.read_game(io.StringIO(str(game)))
        self.assertEqual(again.end().board().fen(), board.fen())
        makruk = halfmove.Board(variant="makruk")
        makruk.push_san("e4")
        again = pgn.read_game(io.StringIO(str(pgn.Game.from_board(makruk))))
        self.assertEqual((again.board().variant, again.end().board()), ("makruk", makruk))

    def test_every_game_of_the_repository_comes_back(self):
        tried = 0
        for name in ["annotated.pgn.zst", "chess960.pgn", "setup.pgn", "makruk.pgn"]:
            for game in pgn.read_games(club.plain(name)):
                if game.errors:
                    continue
                moves = game.mainline_moves()
                self.assertEqual(len(game.mainline()), len(moves))
                text = str(game)
                again = pgn.read_game(io.StringIO(text))
                self.assertEqual(list(again.headers.items()), list(game.headers.items()))
                self.assertEqual(str(again), text)
                tried += 1
        self.assertGreater(tried, 100)

    def test_errors_of_files(self):
        with self.assertRaises(OSError):
            pgn.read_games("/no/such/file.pgn")

        class Broken:
            def read(self, size):
                raise RuntimeError("broken pipe")

        with self.assertRaisesRegex(RuntimeError, "broken pipe"):
            next(pgn.read_games(Broken()))


if __name__ == "__main__":
    unittest.main()
