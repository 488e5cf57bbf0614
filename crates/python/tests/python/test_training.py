"""Positions for training: python-chess's answers on real games; shuffled, in shards, resumed."""

import json
import multiprocessing
import pickle
import tempfile
import unittest
from pathlib import Path

import club
import halfmove
from halfmove import pgn

try:
    import chess
    import chess.pgn
except ImportError:
    chess = None

VALUES = ["from_square", "to_square", "promotion", "result", "clock", "cp", "mate"]


def packed(board):
    """Write 32 bytes as docs/reference/packed.md says, from a board of python-chess."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    codes = [(it.piece_type - 1) | (0 if it.color else 8) for it in pieces if it] + [0] * 32
    nibbles = bytes(codes[i] | codes[i + 1] << 4 for i in range(0, 32, 2))
    rooks = []
    for color, rank in [(chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)]:
        king = board.king(color)
        files = [chess.square_file(it) + 1 for it in chess.SquareSet(board.clean_castling_rights() & rank)]
        right = [it for it in files if it > chess.square_file(king) + 1]
        left = [it for it in files if it <= chess.square_file(king)]
        rooks.append((right or [0])[-1] | (left or [0])[0] << 4)
    ep = chess.square_file(board.ep_square) + 1 if board.has_legal_en_passant() else 0
    return (
        int(board.occupied).to_bytes(8, "little")
        + nibbles
        + bytes([0 if board.turn else 1, ep, *rooks])
        + board.halfmove_clock.to_bytes(2, "little")
        + board.fullmove_number.to_bytes(2, "little")
    )


def planes(board):
    """The bitboards of a board of python-chess."""
    kinds = [(color, kind) for color in chess.COLORS for kind in chess.PIECE_TYPES]
    return {
        "planes": [int(board.pieces(kind, color)) for color, kind in kinds],
        "side_to_move": 0 if board.turn else 1,
        "castling": board.clean_castling_rights(),
        "en_passant": 1 << board.ep_square if board.has_legal_en_passant() else 0,
    }


def expected(path):
    """The rows of a file of games, by python-chess."""
    rows = []
    with open(path) as file:
        game_id = 0
        while (game := chess.pgn.read_game(file)) is not None:
            game_id += 1
            result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
            nodes = list(game.mainline())
            board = game.board()
            for ply, node in enumerate(nodes, 1):
                sign = 1 if board.turn else -1
                clock = nodes[ply - 3].clock() if ply > 2 else None
                score = nodes[ply - 2].eval() if ply > 1 else None
                move = chess.Move.from_uci(board.uci(node.move))
                rows.append({
                    "id": game_id, "ply": ply, "position": packed(board), **planes(board),
                    "from_square": move.from_square, "to_square": move.to_square, "promotion": move.promotion or 0,
                    "result": None if result is None else sign * result, "clock": clock,
                    "cp": score and score.pov(board.turn).score(), "mate": score and score.pov(board.turn).mate(),
                })  # fmt: skip
                board.push(node.move)
    return rows


def rows_of(training):
    return [row for batch in training for row in batch]


def places(batch):
    return list(zip(batch["id"], batch["ply"]))


def place(row):
    return row["id"], row["ply"]


def last_rows(path, state):
    """What is left after a state, in another process."""
    training = halfmove.open(path).to_training(shuffle=5, batch_size=100, resume=state)
    return [place for batch in training for place in places(batch)]


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        place = Path(cls.folder.name)
        games = [it for it in pgn.read_games(club.plain("masters.pgn.zst")) if not it.errors][:60]
        games += [it for it in pgn.read_games(club.plain("lichess.pgn.zst")) if not it.errors][:60]
        games += [it for it in pgn.read_games(club.plain("chess960.pgn")) if not it.errors]
        games += [
            it
            for it in pgn.read_games(club.plain("setup.pgn"))
            if not it.errors and it.board().variant in ("chess", "chess960")
        ]
        cls.games = place / "games.pgn"
        cls.games.write_text("\n\n".join(map(str, games)) + "\n")
        cls.archive = halfmove.open(place / "archive", create=True)
        assert cls.archive.import_pgn(cls.games)["faulty"] == 0
        cls.many = halfmove.open(place / "many", create=True)
        cls.many.import_pgn(club.plain("masters.pgn.zst"), sample=0.2, seed=1)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @unittest.skipIf(chess is None, "python-chess is not installed")
    def test_rows_are_those_of_python_chess(self):
        theirs = expected(self.games)
        self.assertGreater(len(theirs), 8000)
        self.assertTrue(any(row["cp"] is not None for row in theirs))
        self.assertTrue(any(row["clock"] is not None for row in theirs))
        self.assertTrue(any(row["en_passant"] for row in theirs) and any(row["promotion"] for row in theirs))
        for form, names in [
            ("packed", ["position"]),
            ("planes", ["planes", "side_to_move", "castling", "en_passant"]),
        ]:
            training = self.archive.to_training(form=form)
            names = ["id", "ply", *names, *VALUES]
            self.assertEqual(training.column_names, names)
            ours = rows_of(training)
            self.assertEqual(len(ours), len(theirs))
            for mine, other in zip(ours, theirs):
                self.assertEqual(mine, {name: other[name] for name in names})

    def test_packed_positions_come_back(self):
        positions = self.archive.positions(columns=["fen"]).read_all()["fen"]
        rows = rows_of(self.archive.to_training())
        for row, fen in zip(rows, positions, strict=True):
            self.assertEqual(halfmove.Board.unpack(row["position"]).epd(), halfmove.Board(fen, chess960=True).epd())
        board = halfmove.Board(variant="makruk")
        self.assertEqual(halfmove.Board.unpack(board.pack()), board)
        self.assertTrue(halfmove.Board.unpack(halfmove.Board().pack(), chess960=True).chess960)
        for wrong in [b"", bytes(32), bytes(36)]:
            with self.assertRaisesRegex(ValueError, "the packed position"):
                halfmove.Board.unpack(wrong)

    def test_makruk(self):
        archive = halfmove.open(Path(self.folder.name) / "makruk", create=True)
        archive.import_pgn(club.plain("makruk.pgn"), club.plain("setup.pgn"))
        plies = sum(archive.search(variant="makruk", columns=["plies"])["plies"])
        rows = rows_of(archive.to_training(variant="makruk"))
        self.assertEqual(len(rows), plies)
        self.assertEqual(halfmove.Board.unpack(rows[0]["position"]).variant, "makruk")
        (start, *_) = rows_of(archive.to_training(variant="makruk", form="planes"))
        board = halfmove.Board(variant="makruk")
        kinds = [halfmove.PAWN, halfmove.KNIGHT, halfmove.KHON, halfmove.ROOK, halfmove.MET, halfmove.KING]
        sets = [int(board.pieces(kind, color)) for color in halfmove.COLORS for kind in kinds]
        self.assertEqual((start["planes"], start["castling"]), (sets, 0))
        # Games of chess are those without a variant.
        self.assertTrue(all(len(row["position"]) == 32 for row in rows_of(archive.to_training())))

    def test_some_half_moves(self):
        every = rows_of(self.archive.to_training(form="planes"))
        for ply, plies in [(range(20, 40), range(20, 40)), ([1, 101], [1, 101]), (7, [7]), ([], [])]:
            training = self.archive.to_training(form="planes", ply=ply)
            self.assertEqual(rows_of(training), [row for row in every if row["ply"] in plies])
        some = [row for row in every if row["ply"] in (3, 4, 90)]
        training = self.archive.to_training(form="planes", shuffle=3, ply=[3, 4, 90], batch_size=10)
        batches = iter(training)
        first = [row for _ in range(5) for row in next(batches)]
        rest = rows_of(self.archive.to_training(form="planes", shuffle=3, ply="90,3-4", resume=batches.state))
        self.assertEqual(sorted(map(place, first + rest)), sorted(map(place, some)))
        with self.assertRaisesRegex(ValueError, "ply=3-4,90, expected ply=1-"):
            self.archive.to_training(shuffle=3, resume=batches.state)

    def test_games_without_a_row_are_counted(self):
        archive = halfmove.open(Path(self.folder.name) / "mixed", create=True)
        archive.import_pgn(*[club.plain(name) for name in ["makruk.pgn", "setup.pgn", "chess960.pgn", "lichess.pgn.zst"]])
        games = archive.search(columns=["id", "variant", "plies"]).to_pylist()
        for table, arguments in [
            (archive.to_training, {}),
            (archive.to_training, {"variant": "makruk"}),
            (archive.to_training, {"ply": 30, "min_plies": 2}),
            (archive.positions, {}),
            (archive.positions, {"ply": [30, 40]}),
            (archive.positions, {"ply": [], "max_plies": 50}),
        ]:
            with self.subTest(arguments):
                rows = table(**arguments)
                found = {id for batch in rows for id in batch["id"]}
                conditions = {name: value for name, value in arguments.items() if name != "ply"}
                self.assertEqual(rows.skipped, len(set(archive.ids(**conditions)) - found))
        self.assertGreater(archive.to_training().skipped, sum(it["variant"] == "makruk" for it in games) - 1)
        self.assertGreater(archive.positions().skipped, 0)
        self.assertIsNone(archive.sql("select 1").skipped)

    def test_orders(self):
        def order(**arguments):
            training = self.many.to_training(shuffle_games=1024, **arguments)
            return [place for batch in training for place in places(batch)]

        plain, first, other = order(), order(shuffle=1), order(shuffle=2)
        self.assertGreater(len(self.many), 1024)
        self.assertEqual(plain, sorted(plain))
        self.assertEqual(first, order(shuffle=1, batch_size=777))
        self.assertNotEqual(first, other)
        self.assertEqual(sorted(first), plain)
        self.assertEqual(sorted(other), plain)
        # Neighbors of a game are far apart.
        near = sum(abs(a[0] - b[0]) < 2 for a, b in zip(first, first[1:]))
        self.assertLess(near, len(first) / 100)
        for arguments in [{}, {"shuffle": 1}]:
            shards = [order(shard=(number, 3), min_plies=1, **arguments) for number in range(3)]
            self.assertEqual(sorted(row for shard in shards for row in shard), plain)
            games = [{game for game, _ in shard} for shard in shards]
            self.assertEqual(sum(map(len, games)), len(set.union(*games)))
            self.assertLessEqual(max(map(len, games)) - min(map(len, games)), 1)
        some = order(shuffle=1, player="anand")
        self.assertEqual({row[0] for row in some}, set(self.many.ids(player="anand", min_plies=1)))

    def test_shards_of_a_small_archive(self):
        ids = set(self.archive.ids(variant="chess", min_plies=1))
        for most, of in [(len(ids), 4), (10, 4), (3, 4), (1, 1)]:
            some = sorted(ids)[:most]
            for shuffle in (None, 3):
                shards = [
                    {row["id"] for row in rows_of(self.archive.to_training(id=some, shuffle=shuffle, shard=(number, of)))}
                    for number in range(of)
                ]
                self.assertEqual(sum(map(len, shards)), most)
                self.assertEqual(set.union(*shards), set(some))
                self.assertLessEqual(max(map(len, shards)) - min(map(len, shards)), 1)

    def test_batches_have_one_size(self):
        sizes = [len(batch) for batch in self.many.to_training(batch_size=1000, shuffle=3, shuffle_games=1024)]
        self.assertEqual(set(sizes[:-1]), {1000})
        self.assertEqual(sum(sizes), sum(self.many.search(columns=["plies"])["plies"]))

    def test_an_iteration_goes_on_where_it_ended(self):
        training = self.many.to_training(shuffle=5, shuffle_games=1024, shard=(1, 2), batch_size=1000)
        whole = [places(batch) for batch in training]
        batches = iter(training)
        for done in range(len(whole)):
            if done % 29 == 3 or done in (0, len(whole) - 1):
                # The state survives a file.
                state = json.loads(json.dumps(batches.state))
                again = self.many.to_training(
                    shuffle=5, shuffle_games=1024, shard=(1, 2), batch_size=1000, resume=state
                )
                self.assertEqual([places(batch) for batch in again], whole[done:])
            next(batches)
        self.assertEqual(list(self.many.to_training(shuffle=5, shuffle_games=1024, shard=(1, 2), resume=batches.state)), [])
        batches = iter(self.archive.to_training(shuffle=5, batch_size=100))
        next(batches)
        left = [place for batch in batches for place in places(batch)]
        batches = iter(self.archive.to_training(shuffle=5, batch_size=100))
        next(batches)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(last_rows, (str(self.archive.path), pickle.loads(pickle.dumps(batches.state)))), left)

    def test_errors(self):
        state = iter(self.archive.to_training(shuffle=1)).state
        for text, arguments in [
            ("form", {"form": "fen"}),
            ("batch_size", {"batch_size": 0}),
            ("shuffle_games", {"shuffle_games": 0}),
            ("shard", {"shard": (2, 2)}),
            ("shuffle=2", {"shuffle": 2, "resume": state}),
            ("shuffle_games=7", {"shuffle": 1, "shuffle_games": 7, "resume": state}),
            (r"shard=\(1, 2\)", {"shuffle": 1, "shard": (1, 2), "resume": state}),
            ("form=packed, expected form=planes", {"shuffle": 1, "form": "planes", "resume": state}),
            ("expected 1 games", {"shuffle": 1, "resume": state, "id": 1}),
            ("select other games", {"shuffle": 1, "resume": iter(self.archive.to_training(shuffle=1, id=2)).state, "id": 1}),
            (r"version 0 of the archive, expected version [1-9]", {"shuffle": 1, "resume": {**state, "version": 0}}),
            ("no valid row", {"shuffle": 1, "resume": {name: state[name] for name in list(state)[:-1]}}),
            ("year", {"year": 99}),
        ]:
            with self.subTest(text), self.assertRaisesRegex(ValueError, text):
                self.archive.to_training(**arguments)


if __name__ == "__main__":
    unittest.main()
