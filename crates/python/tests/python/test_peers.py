"""The same answers as python-chess on real games, where it is installed."""

import collections
import io
import inspect
import itertools
import operator
import os
import re
import tempfile
import types
import unittest
from pathlib import Path

import club
import halfmove
from halfmove import functions, pgn, scores
from things import MISSING, OTHER_PARAMETERS, THINGS

try:
    import chess
    import chess.engine
    import chess.pgn
    import chess.polyglot
except ImportError:
    chess = None

ASKED = [
    "turn", "fullmove_number", "halfmove_clock", "is_check", "is_checkmate", "is_stalemate",
    "is_insufficient_material", "board_fen", "epd", "fen", "ply", "is_fivefold_repetition",
    "has_legal_en_passant", "has_pseudo_legal_en_passant", "checkers_mask", "castling_rights", "pawns", "knights", "bishops", "rooks",
    "queens", "kings", "is_repetition", "is_seventyfive_moves", "ep_square", "__str__", "occupied", "is_fifty_moves", "is_valid",
]  # fmt: skip


def same_board(test, ours, theirs):
    for name in ASKED:
        mine, other = getattr(ours, name), getattr(theirs, name)
        test.assertEqual(mine() if callable(mine) else mine, other() if callable(other) else other, name)
    test.assertEqual({it.uci() for it in ours.legal_moves}, {it.uci() for it in theirs.legal_moves})
    for move in theirs.legal_moves:
        mine = halfmove.Move.from_uci(move.uci())
        test.assertEqual(ours.san(mine), theirs.san(move))
        test.assertEqual(ours.lan(mine), theirs.lan(move))
        for name in [
            "is_capture", "is_castling", "is_en_passant", "gives_check", "is_zeroing", "is_kingside_castling", "is_queenside_castling",
            "is_irreversible",
        ]:  # fmt: skip
            test.assertEqual(getattr(ours, name)(mine), getattr(theirs, name)(move), (name, move))
        found = ours.find_move(mine.from_square, mine.to_square, mine.promotion)
        test.assertEqual(found, mine)
    for move in theirs.pseudo_legal_moves:
        mine = halfmove.Move.from_uci(move.uci())
        test.assertEqual(ours.is_into_check(mine), theirs.is_into_check(move), move)
    test.assertEqual(list(ours.occupied_co), list(theirs.occupied_co))
    test.assertEqual({it.uci() for it in ours.generate_legal_captures()}, {it.uci() for it in theirs.generate_legal_captures()})
    masks = theirs.occupied_co[theirs.turn] & ~theirs.pawns, ~theirs.occupied & 0xFFFF_FFFF_FFFF_FFFF
    # To python-chess, the target of castling is the rook.
    some = {it.uci() for it in theirs.generate_legal_moves(*masks) if not theirs.is_castling(it)}
    test.assertEqual({it.uci() for it in ours.generate_legal_moves(*masks) if not ours.is_castling(it)}, some)
    for kind in range(1, 7):
        for color in (True, False):
            test.assertEqual(ours.pieces_mask(kind, color), theirs.pieces_mask(kind, color))
    for square in range(64):
        for color in (True, False):
            test.assertEqual(ours.is_pinned(color, square), theirs.is_pinned(color, square))
            test.assertEqual(ours.pin(color, square), theirs.pin(color, square))
            test.assertEqual(ours.pin_mask(color, square), theirs.pin_mask(color, square))
            for occupied in [None, theirs.pawns, ours.pieces(halfmove.KING, color)]:
                for name in ["attackers_mask", "attackers", "is_attacked_by"]:
                    # The mask of python-chess is a number.
                    blocked = int(occupied) if occupied is not None and name == "attackers_mask" else occupied
                    test.assertEqual(getattr(ours, name)(color, square, blocked), getattr(theirs, name)(color, square, blocked))
        test.assertEqual(int(ours.attacks(square)), int(theirs.attacks(square)))
        test.assertEqual(ours.attacks_mask(square), theirs.attacks_mask(square))
        test.assertEqual(str(ours.piece_at(square)), str(theirs.piece_at(square)))
    for color in (True, False):
        for side in ["kingside", "queenside"]:
            name = f"has_{side}_castling_rights"
            test.assertEqual(getattr(ours, name)(color), getattr(theirs, name)(color))
        test.assertEqual(ours.king(color), theirs.king(color))
    test.assertEqual(int(ours.checkers()), int(theirs.checkers()))
    for shown in [{}, {"borders": True}, {"orientation": False, "empty_square": "·"}, {"borders": True, "orientation": False, "invert_color": True}]:
        test.assertEqual(ours.unicode(**shown), theirs.unicode(**shown))
    moves = list(theirs.legal_moves)[:3]
    for style in ["legal", "xfen", "fen"]:
        values = {"hmvc": 1, "ce": -0.5, "id": "a test", "draw_offer": None}
        expected = theirs.epd(en_passant=style, **values, bm=moves, am=moves, pv=moves[:1])
        mine = [halfmove.Move.from_uci(it.uci()) for it in moves]
        test.assertEqual(ours.epd(en_passant=style, **values, bm=mine, am=mine, pv=mine[:1]), expected)
    pawns = {square: str(piece) for square, piece in theirs.piece_map(mask=theirs.pawns).items()}
    test.assertEqual({square: str(piece) for square, piece in ours.piece_map(mask=ours.pawns).items()}, pawns)
    found = {it.uci() for it in theirs.generate_legal_captures(theirs.pawns)}
    test.assertEqual({it.uci() for it in ours.generate_legal_captures(ours.pawns)}, found)
    test.assertEqual(ours.result(), theirs.result())


@unittest.skipIf(chess is None, "python-chess is not installed")
class Peers(unittest.TestCase):
    def test_boards_of_real_games(self):
        tried = 0
        for name, most in [("masters.pgn.zst", 12), ("chess960.pgn", 6), ("setup.pgn", 8)]:
            for number, game in enumerate(pgn.read_games(club.plain(name))):
                if number == most:
                    break
                if game.errors or game.board().variant not in ("chess", "chess960"):
                    continue
                ours = game.board()
                theirs = chess.Board(ours.fen(), chess960=ours.chess960)
                for move in game.mainline_moves():
                    same_board(self, ours, theirs)
                    ours.push(move)
                    theirs.push_uci(move.uci())
                    tried += 1
        self.assertGreater(tried, 500)

    def test_keys_of_positions(self):
        """The key of a position is that of the FEN that python-chess writes, and of any other FEN of the position."""
        with tempfile.TemporaryDirectory() as folder:
            archive = halfmove.open(Path(folder) / "archive", create=True)
            archive.import_pgn(club.plain("masters.pgn.zst"), sample=0.01, seed=3)
            archive.import_pgn(club.plain("chess960.pgn"), sample=0.2, seed=1)
            rows = archive.positions(columns=["fen", "key"], min_plies=1).read_all()
        self.assertGreater(len(rows), 3000)
        for fen, key in zip(rows["fen"], rows["key"]):
            board = chess.Board(fen, chess960=True)
            self.assertEqual(chess.polyglot.zobrist_hash(chess.Board(board.fen(), chess960=True)), key, fen)
        board = chess.Board("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1")
        board.push_san("d4")
        fens = [board.fen(en_passant=style) for style in ("legal", "xfen", "fen")]
        self.assertEqual(len(set(fens)), 2)
        expected = chess.polyglot.zobrist_hash(chess.Board(fens[0]))
        self.assertEqual([functions.key(fen) for fen in fens], [expected] * 3)
        # The hash of a board is that of books.
        ours = halfmove.Board("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1")
        ours.push_san("d4")
        self.assertEqual(ours.zobrist_hash(), chess.polyglot.zobrist_hash(board))

    def test_trees_of_annotated_games(self):
        texts = [str(game) for game in pgn.read_games(club.plain("annotated.pgn.zst")) if not game.errors][:25]
        tried = 0
        for text in texts:
            ours, theirs = pgn.read_game(io.StringIO(text)), chess.pgn.read_game(io.StringIO(text))
            if theirs.errors:
                continue
            self.assertEqual(dict(ours.headers), dict(theirs.headers))
            pairs = [(ours, theirs)]
            while pairs:
                mine, other = pairs.pop()
                self.assertEqual(len(mine.variations), len(other.variations))
                self.assertEqual(mine.nags, other.nags)
                self.assertEqual(mine.comment.split(), other.comment.split())
                self.assertEqual(mine.starting_comment.split(), other.starting_comment.split())
                self.assertEqual((mine.clock(), mine.emt()), (other.clock(), other.emt()))
                self.assertEqual(mine.is_mainline(), other.is_mainline())
                marks = [(it.tail, it.head, it.color) for it in other.arrows()]
                self.assertEqual(mine.arrows(), marks)
                if mine.parent is not None:
                    self.assertEqual(mine.move.uci(), other.move.uci())
                pairs += zip(mine.variations, other.variations)
                tried += 1
        self.assertGreater(tried, 500)

    def test_thirty_things(self):
        """Each expression of the guide has the same value as ours."""
        self.assertEqual(len(THINGS), 30)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("season.pgn").write_text(club.GAMES)
            archive = halfmove.open("club", create=True)
            archive.import_pgn("season.pgn")
            for thing in THINGS:
                values = []
                for module, text in [(chess, thing.theirs), (halfmove, thing.ours or thing.theirs)]:
                    board, mate = module.Board(), module.Board()
                    for san in ["e4", "e5"]:
                        board.push_san(san)
                    for san in ["f3", "e5", "g4", "Qh4#"]:
                        mate.push_san(san)
                    epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
                    with open("season.pgn") as file:
                        names = {"chess": module, "board": board, "mate": mate, "file": file, "epd": epd}
                        values.append(eval(text, {**names, "club": archive, "collections": collections}))
                with self.subTest(thing.purpose):
                    self.assertEqual(values[0], values[1])
                    self.assertNotIn(values[0], [None, [], {}, ()])
            os.chdir(here)

    def test_the_page_of_the_guide(self):
        """The table of the guide is made from the list."""
        rows = ["| | python-chess | Halfmove |", "| --- | --- | --- |"]
        for thing in THINGS:
            ours = "the same" if thing.ours is None else f"`{thing.ours}`"
            rows.append(f"| {thing.purpose} | `{thing.theirs}` | {ours} |")
        path = club.TESTDATA / "../docs/guide/python-chess.md"
        page = path.read_text()
        begin, end = "<!-- things -->\n\n", "\n\n<!-- end -->"
        before, rest = page.split(begin)
        _, after = rest.split(end)
        made = before + begin + "\n".join(rows) + end + after
        if os.environ.get("HALFMOVE_BLESS"):
            path.write_text(made)
        self.assertEqual(path.read_text(), made, "HALFMOVE_BLESS=1 writes it")

    def test_sets_of_squares(self):
        """Functions over sets, on the sets of real positions and on all pairs of squares."""
        names = [name for name in dir(chess) if name.startswith("BB_") and hasattr(halfmove, name)]
        for name in [*names, "SQUARES_180", "UNICODE_PIECE_SYMBOLS", "STARTING_BOARD_FEN"]:
            mine, other = getattr(halfmove, name), getattr(chess, name)
            same = list(other) if isinstance(mine, list) else other
            self.assertEqual(mine, [list(it) for it in same] if name == "BB_PAWN_ATTACKS" else same, name)
        self.assertGreater(len(names), 90)
        sets = {0, 1, 1 << 63, halfmove.BB_ALL}
        for game in itertools.islice(pgn.read_games(club.plain("masters.pgn.zst")), 5):
            board = game.end().board()
            sets |= {board.occupied, board.pawns, *board.occupied_co}
        functions = ["popcount", "flip_vertical", "flip_horizontal", "flip_diagonal", "flip_anti_diagonal"]
        functions += [name for name in dir(chess) if name.startswith("shift_") and not name.startswith("shift_2")]
        for bits in sets:
            for name in functions + (["lsb", "msb"] if bits else []):
                self.assertEqual(getattr(halfmove, name)(bits), getattr(chess, name)(bits), name)
            for name in ["scan_forward", "scan_reversed"]:
                self.assertEqual(list(getattr(halfmove, name)(bits)), list(getattr(chess, name)(bits)), name)
            ours, theirs = halfmove.SquareSet(bits), chess.SquareSet(bits)
            self.assertEqual(int(ours.mirror()), int(theirs.mirror()))
            self.assertEqual((ours.tolist(), int(ours.copy())), (theirs.tolist(), int(theirs)))
            for other in sets:
                self.assertEqual(int(ours.symmetric_difference(other)), int(theirs.symmetric_difference(other)))
        for a in range(64):
            self.assertEqual(int(halfmove.SquareSet.from_square(a)), int(chess.SquareSet.from_square(a)))
            for b in range(64):
                for name in ["between", "ray"]:
                    self.assertEqual(getattr(halfmove, name)(a, b), getattr(chess, name)(a, b), (name, a, b))
                    found = getattr(halfmove.SquareSet, name)(a, b)
                    self.assertEqual(int(found), int(getattr(chess.SquareSet, name)(a, b)), (name, a, b))
                for name in ["square_distance", "square_manhattan_distance", "square_knight_distance"]:
                    self.assertEqual(getattr(halfmove, name)(a, b), getattr(chess, name)(a, b), (name, a, b))

    def test_operators_of_sets(self):
        """Operators and methods with sets, numbers, squares and other things: the same value or the same kind of error."""

        def answer(call, *arguments):
            try:
                value = call(*arguments)
            except Exception as error:
                return type(error)
            return f"set {int(value)}" if isinstance(value, (halfmove.SquareSet, chess.SquareSet)) else value

        names = ["and_", "or_", "xor", "sub", "eq", "ne", "lshift", "rshift", "contains"]
        calls = [getattr(operator, name) for name in names]
        methods = ["union", "intersection", "difference", "symmetric_difference", "isdisjoint", "issubset", "issuperset"]
        calls += [lambda it, other, name=name: getattr(it, name)(other) for name in methods]
        others = [0, 1, 5, 63, 64, 70, -1, True, 2.0, 1 << 63, 10**30, -(10**30), None, "", "e4", [1], (0, 2), {3, 4}, range(8), [-1.5], object()]
        tried = 0
        for bits in [0, 5, 1 << 63, 0xFF00, halfmove.BB_ALL, chess.Board().occupied]:
            ours, theirs = halfmove.SquareSet(bits), chess.SquareSet(bits)
            self.assertEqual((hex(ours), int(ours), ours.mask, list(reversed(ours))), (hex(theirs), bits, bits, list(reversed(theirs))))
            self.assertEqual((repr(ours), str(ours), bool(ours), len(ours)), (repr(theirs), str(theirs), bool(theirs), len(theirs)))
            self.assertEqual(ours, theirs)
            for call in [hash, lambda it: ~it, lambda it: range(9)[it:]]:
                self.assertEqual(answer(call, ours), answer(call, theirs))
            for call in calls:
                for other in others:
                    # Here, numbers beyond 63 are no squares of a set, and beyond 64 bits no shifts.
                    if call is operator.contains and isinstance(other, int) and not 0 <= other < 64:
                        continue
                    if call in (operator.lshift, operator.rshift) and isinstance(other, int) and abs(other) > 64:
                        continue
                    self.assertEqual(answer(call, ours, other), answer(call, theirs, other), (call, bits, other))
                    if call not in (operator.lshift, operator.rshift, operator.contains):
                        self.assertEqual(answer(call, other, ours), answer(call, other, theirs), (call, other, bits))
                    tried += 1
                # A set is no square and no distance.
                for other in [] if call in (operator.lshift, operator.rshift, operator.contains) else [0x81, 7 << 20, bits]:
                    given = halfmove.SquareSet(other), chess.SquareSet(other)
                    self.assertEqual(answer(call, ours, given[0]), answer(call, theirs, given[1]), (call, bits, other))
        self.assertGreater(tried, 1500)
        board = halfmove.Board()
        self.assertEqual(board.attacks(halfmove.B1), board.attacks_mask(halfmove.B1))
        self.assertEqual(board.attacks(halfmove.D1) & halfmove.BB_RANK_2, [halfmove.C2, halfmove.D2, halfmove.E2])

    def test_pins_on_empty_squares(self):
        fen = "8/8/2Q5/8/8/8/8/K1k4n b - - 1 2"
        same_board(self, halfmove.Board(fen), chess.Board(fen))
        self.assertTrue(halfmove.Board(fen).is_pinned(halfmove.BLACK, halfmove.C3))

    def test_epd(self):
        """Operations of EPD, in a text of each kind and in a suite of positions."""
        lines = [
            'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id "start"; pv e4 e5 Nf3; ce -12; acd 1.5; sm Nf3; draw_offer;',
            "4k3/8/8/8/8/8/4R3/4K3 b - - am Kd8; hmvc 3; fmvn 40;",
        ]
        tried = 0
        for line in lines:
            ours, found = halfmove.Board.from_epd(line)
            theirs, expected = chess.Board.from_epd(line)
            self.assertEqual((ours.fen(), ours.move_stack), (theirs.fen(), []))

            def plain(value):
                return [it.uci() for it in value] if isinstance(value, list) else value.uci() if hasattr(value, "uci") else value

            self.assertEqual({k: plain(v) for k, v in found.items()}, {k: plain(v) for k, v in expected.items()})
            tried += len(found)
        self.assertEqual(tried, 10)
        for line in ["", "x w - - bm e4;", lines[0].replace("bm e4", "bm e5"), "8/8/8/8/8/8/8/8 w - -"]:
            with self.assertRaises(ValueError):
                halfmove.Board.from_epd(line)

    def test_exporters(self):
        """The text of annotated games, in all forms."""
        texts = [str(game) for game in pgn.read_games(club.plain("annotated.pgn.zst")) if not game.errors][:12]
        tried = 0
        for text in texts:
            # python-chess keeps the ends of lines in comments.
            tags, moves = text.split("\n\n")
            text = f"{tags}\n\n{' '.join(moves.split())}"
            theirs = chess.pgn.read_game(io.StringIO(text))
            if theirs.errors:
                continue
            for columns, *shown in itertools.product([80, 20, None], *[[True, False]] * 3):
                forms = dict(zip(["headers", "comments", "variations"], shown), columns=columns)
                ours = pgn.read_game(io.StringIO(text))
                found = ours.accept(pgn.StringExporter(**forms))
                self.assertEqual(found, theirs.accept(chess.pgn.StringExporter(**forms)))
                mine, other = io.StringIO(), io.StringIO()
                counts = ours.accept(pgn.FileExporter(mine, **forms)), theirs.accept(chess.pgn.FileExporter(other, **forms))
                self.assertEqual((mine.getvalue(), counts[0]), (other.getvalue(), counts[1]))
                tried += 1
        self.assertGreater(tried, 200)
        self.assertEqual(str(pgn.Game.without_tag_roster()), "*")

    def test_values_in_comments(self):
        """python-chess reads what ours writes into comments, and writes the same values."""
        games = [game for game in pgn.read_games(club.plain("annotated.pgn.zst")) if not game.errors][:8]
        seconds = itertools.cycle([0, 0.5, 59.96, 3600, 7325.125, 180])
        tried = 0
        for game in games:
            theirs = chess.pgn.read_game(io.StringIO(str(game)))
            for mine, other in zip(game.mainline(), theirs.mainline()):
                clock, taken, turn = next(seconds), next(seconds), mine.turn()
                is_mate = tried % 3 == 0
                score = scores.Score(mate=-4) if is_mate else scores.Score(cp=137)
                mine.set_eval(scores.PovScore(score, turn), 12)
                score = chess.engine.Mate(-4) if is_mate else chess.engine.Cp(137)
                other.set_eval(chess.engine.PovScore(score, turn), 12)
                for node in [mine, other]:
                    node.set_clock(clock)
                    node.set_emt(taken)
                    node.set_arrows([(12, 28), (31, 31)])
                again = chess.pgn.read_game(io.StringIO(f"1. e4 {{{mine.comment}}} *")).next()
                self.assertEqual((again.clock(), again.emt(), again.eval_depth()), (other.clock(), other.emt(), 12))
                marks = [[(it.tail, it.head, it.color) for it in node.arrows()] for node in [again, other]]
                self.assertEqual(marks[0], marks[1])
                self.assertEqual(mine.arrows(), marks[1])
                self.assertEqual((mine.clock(), mine.emt(), mine.eval_depth()), (other.clock(), other.emt(), 12))
                self.assertEqual(mine.eval().relative.mate(), other.eval().relative.mate())
                self.assertEqual(mine.eval().relative.score(), other.eval().relative.score())
                for node in [mine, other]:
                    node.set_clock(None)
                    node.set_emt(None)
                    node.set_eval(None)
                    node.set_arrows([])
                self.assertEqual(mine.comment.split(), other.comment.split())
                tried += 1
        self.assertGreater(tried, 100)

    def test_glyphs(self):
        names = [name for name in dir(chess.pgn) if name.startswith("NAG_")]
        self.assertEqual([getattr(pgn, name) for name in names], [getattr(chess.pgn, name) for name in names])

    def values(self, module, games):
        """The modules, and values of the types that both have, by their names."""
        mate = module.Board()
        for san in ["f3", "e5", "g4", "Qh4#"]:
            mate.push_san(san)
        game = games.read_game(io.StringIO(club.GAMES))
        return {
            "chess": module,
            "chess.pgn": games,
            "Board": mate,
            "Move": mate.peek(),
            "Piece": mate.piece_at(module.E1),
            "SquareSet": mate.attacks(module.H4),
            "Outcome": mate.outcome(),
            "Game": game,
            "ChildNode": game.next(),
            "Headers": game.headers,
        }

    def test_missing_names(self):
        """All public names of python-chess are here, also those of instances alone and the special methods, except those listed."""
        # What Python gives to classes of its own kinds, and the operators of sets that change.
        usual = set("""
            __annotations__ __dict__ __weakref__ __dataclass_fields__ __dataclass_params__ __match_args__ __abstractmethods__
            __parameters__ __orig_bases__ __class_getitem__ __slots__ __firstlineno__ __static_attributes__ __replace__ __copy__ __slotnames__
            __iand__ __ior__ __isub__ __ixor__ __ilshift__ __irshift__
        """.split())

        def public(what):
            if not isinstance(what, types.ModuleType):
                return {name for name in dir(what) if not name.startswith("_") or name.startswith("__")} - usual
            # Names of modules and types that python-chess has imported are not its own.
            own = {name: value for name, value in vars(what).items() if not name.startswith("_")}
            own = {name: value for name, value in own.items() if not isinstance(value, types.ModuleType)}
            return {name for name, value in own.items() if getattr(value, "__module__", what.__name__) == what.__name__}

        mine, other = self.values(halfmove, pgn), self.values(chess, chess.pgn)
        self.assertEqual(set(mine), set(MISSING))
        kinds = ("STATUS_", "BB_DIAG", "BB_FILE_", "BB_RANK_", "BB_RAYS")
        for owner in mine:
            missing = public(other[owner]) - set(dir(mine[owner]))
            missing = {name for name in missing if not name.startswith(kinds) and not name.endswith(("_REGEX", "T"))}
            with self.subTest(owner):
                self.assertEqual(missing, set(MISSING[owner].split()))

    def test_parameters(self):
        """Functions and methods have the parameters of python-chess, by the same names."""
        tried, differing = 0, {}

        def names(call):
            shown = inspect.signature(call).parameters.values()
            return [it.name for it in shown if it.name != "self"]

        mine, other = self.values(halfmove, pgn), self.values(chess, chess.pgn)
        for owner in mine:
            for name in sorted(set(dir(mine[owner])) & set(dir(other[owner]))):
                ours, theirs = getattr(mine[owner], name), getattr(other[owner], name)
                if name.startswith("_") or not inspect.isroutine(ours) or not callable(theirs):
                    continue
                try:
                    expected = names(theirs)
                except ValueError:
                    # Some of Python's own functions.
                    continue
                if names(ours) != expected:
                    differing[f"{owner}.{name}"] = set(expected) - set(names(ours))
                tried += 1
        self.assertGreater(tried, 180)
        self.assertEqual(differing, {name: set(missing.split()) for name, (missing, _) in OTHER_PARAMETERS.items()})

    def test_starts_and_arrows(self):
        for number in range(0, 960, 37):
            self.assertEqual(halfmove.Board.from_chess960_pos(number).chess960_pos(), number)
            self.assertEqual(halfmove.Board.from_chess960_pos(number).fen(), chess.Board.from_chess960_pos(number).fen())
        for text in ["[%cal Ge2e4,Rd8h4][%csl Yh4]", "[%csl Gd4, Bd5] and [%cal Ya1h8]", "[%cal Ge2]", "none", "[%cal Xe2e4]"]:
            game = f"1. e4 {{{text}}} *"
            ours, theirs = pgn.read_game(io.StringIO(game)), chess.pgn.read_game(io.StringIO(game))
            self.assertEqual(ours.next().arrows(), [(it.tail, it.head, it.color) for it in theirs.next().arrows()])
        text = club.GAMES
        ours, theirs = io.StringIO(text), io.StringIO(text)
        self.assertTrue(pgn.skip_game(ours) and chess.pgn.skip_game(theirs))
        mine, other = pgn.read_headers(ours), chess.pgn.read_headers(theirs)
        self.assertEqual({name: mine[name] for name in other}, dict(other))
        for a in range(64):
            for b in range(64):
                self.assertEqual(halfmove.square_distance(a, b), chess.square_distance(a, b))

    def test_boards_that_change(self):
        for module in [halfmove, chess]:
            board = module.Board()
            self.assertEqual(board.san_and_push(board.parse_san("e4")), "e4")
            board.clear_stack()
            self.assertEqual(board.move_stack, [])
            board.set_fen("8/P7/8/8/8/8/8/K1k5 w - - 0 1")
            self.assertEqual(board.find_move(module.A7, module.A8).uci(), "a7a8q")
            with self.assertRaises(module.IllegalMoveError):
                board.find_move(module.A7, module.B8)
            board.reset()
            self.assertEqual(board, module.Board())

    def test_evaluations(self):
        for text in ["0.17", "-3.4,12", "#5", "#-2,30"]:
            game = f"1. e4 {{[%eval {text}]}} e5 {{[%eval {text}]}} *"
            ours, theirs = pgn.read_game(io.StringIO(game)), chess.pgn.read_game(io.StringIO(game))
            for mine, other in zip(ours.mainline(), theirs.mainline()):
                self.assertEqual(mine.eval().white().score(mate_score=10_000), other.eval().white().score(mate_score=10_000))
                self.assertEqual(mine.eval().relative.mate(), other.eval().relative.mate())
                self.assertEqual(mine.eval_depth(), other.eval_depth())


if __name__ == "__main__":
    unittest.main()
