"""Tables in Polars, PyArrow and DuckDB, where they are installed, and functions over their columns."""

import copy
import pickle
import unittest

import club
import halfmove
from halfmove import functions

try:
    import polars
except ImportError:
    polars = None
try:
    import pyarrow
except ImportError:
    pyarrow = None
try:
    import duckdb
except ImportError:
    duckdb = None

E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


class Functions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.club = halfmove.open(club.folder())
        cls.rows = cls.club.games().read_all()
        cls.moves = cls.rows.column("moves")

    def test_columns_and_values(self):
        self.assertEqual(functions.ply_of(self.moves, E5).to_pylist(), [2, None, None])
        self.assertEqual(functions.ply_of(self.moves, halfmove.Board(E5)).to_pylist(), [2, None, None])
        self.assertEqual(functions.san(self.moves, n=2)[1], "1. e4 c5")
        self.assertEqual(functions.plies(self.moves[0]), 4)
        self.assertEqual(functions.move_at(self.moves, functions.plies(self.moves))[0], "d6")

    def test_aggregates(self):
        explored = functions.explore(self.moves, self.rows.column("result"), halfmove.STARTING_FEN)
        self.assertEqual((explored["white"], explored["moves"][0]["uci"]), (1, "e2e4"))
        partial = functions.explore_partial(self.moves, self.rows.column("result"), E5)
        self.assertEqual(partial["uci"], [None, "g1f3"])
        self.assertEqual(partial["white"], [1, 1])

    def test_many_rows_on_all_cores(self):
        archive = halfmove.open(club.folder(), create=True)
        archive.import_pgn(club.plain("masters.pgn.zst"))
        rows = archive.games(columns=["moves", "result", "plies"]).read_all()
        moves = rows.column("moves")
        self.assertEqual(functions.plies(moves).to_pylist(), rows["plies"])
        explored = functions.explore(moves, rows.column("result"), halfmove.STARTING_FEN)
        tree = {row["uci"]: row["games"] for row in archive.explore()}
        names = ["white", "draws", "black", "other"]
        self.assertEqual({it["uci"]: sum(it[name] for name in names) for it in explored["moves"]}, tree)

    def test_tables_can_be_pickled_and_copied(self):
        for rows in [self.rows, self.club.explore(), self.club.search(player="nobody"), next(iter(self.club.to_training()))]:
            for twin in [pickle.loads(pickle.dumps(rows)), copy.copy(rows), copy.deepcopy(rows)]:
                self.assertEqual(twin.column_names, rows.column_names)
                self.assertEqual(twin.to_pylist(), rows.to_pylist())
        moves = pickle.loads(pickle.dumps(self.moves))
        self.assertEqual(list(moves), list(self.moves))
        self.assertEqual(functions.plies(moves)[::-1], [2, 3, 4])

    def test_errors(self):
        one = self.club.games(id=1).read_all().column("moves")
        for kind, text, call in [
            (ValueError, "the FEN", lambda: functions.reaches(self.moves, "x")),
            (TypeError, "argument 1 of plies", lambda: functions.plies("text")),
            (TypeError, "moves: a object", lambda: functions.plies(object())),
            (ValueError, "same length", lambda: functions.fen_at(self.moves, functions.plies(one))),
            (ValueError, "argument 1 of san", lambda: functions.san(b"\xff\xff\xff")),
            (TypeError, "", lambda: functions.plies()),
        ]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    @unittest.skipIf(polars is None, "Polars is not installed")
    def test_polars(self):
        frame = polars.DataFrame(self.club.games())
        self.assertEqual(frame["white"].to_list(), self.rows["white"])
        self.assertEqual(polars.DataFrame(self.club.positions()).height, 9)
        answers = functions.reaches(frame["moves"], E5)
        self.assertEqual(polars.Series(answers).to_list(), [True, False, False])
        self.assertEqual(functions.plies(polars.concat([frame, frame])["moves"]).to_pylist(), [4, 3, 2] * 2)
        self.assertEqual(frame.schema["date"], polars.Date)

    @unittest.skipIf(polars is None, "Polars is not installed")
    def test_scan_polars(self):
        from halfmove.frames import _conditions

        archive = halfmove.open(club.folder())
        archive.import_pgn(club.plain("masters.pgn.zst"))
        frame, lazy = polars.DataFrame(archive.games()), archive.scan_polars()
        self.assertEqual(lazy.collect_schema(), frame.schema)
        column = polars.col
        for predicate, pushed in [
            (column("year") >= 1990, ['"year" >= 1990']),
            ((1990 > column("year")) & (column("result") == "1-0"), ['"year" < 1990', "\"result\" = '1-0'"]),
            ((column("plies") != 60) & column("eco").is_in(["B90", "B91"]), ['"plies" <> 60']),
            ((column("white") == "O'Kelly") | (column("id") == 7), []),
            (column("white_elo") > column("black_elo"), []),
            (column("date") < polars.date(1990, 1, 1), []),
            (column("white_elo").is_null(), []),
        ]:
            with self.subTest(str(predicate)):
                self.assertEqual(_conditions(predicate), pushed)
                expected = frame.filter(predicate).select("id", "white", "moves")
                self.assertEqual(lazy.filter(predicate).select("id", "white", "moves").collect().rows(), expected.rows())
                self.assertEqual(lazy.filter(predicate).select(polars.len()).collect().item(), expected.height)
                self.assertEqual(lazy.filter(predicate).head(3).collect().rows(), frame.filter(predicate).head(3).rows())
        self.assertEqual(lazy.select(polars.len()).collect().item(), len(archive))
        some = archive.scan_polars(columns=["white", "year"])
        self.assertEqual(some.collect_schema().names(), ["white", "year"])
        self.assertEqual(some.filter(column("year") > 1950).collect().rows(), frame.filter(column("year") > 1950).select("white", "year").rows())
        self.assertEqual(some.select(polars.len()).collect().item(), len(archive))
        for kind, arguments in [
            (TypeError, {"playr": "tal"}),
            (ValueError, {"columns": ["whit"]}),
            (ValueError, {"year": 99}),
            (halfmove.SqlError, {"where": "whit = 'x'"}),
            (ValueError, {"id": "x"}),
        ]:
            with self.assertRaises(kind):
                archive.scan_polars(**arguments)
        e4 = archive.scan_polars(moves="e4", where="plies > 40").filter(column("year") > 1950).select("id").collect()
        self.assertEqual(e4["id"].to_list(), archive.ids(moves="e4", where="plies > 40 and year > 1950"))

    @unittest.skipIf(pyarrow is None, "PyArrow is not installed")
    def test_pyarrow(self):
        table = pyarrow.table(self.club.games())
        self.assertEqual(table.column("id").to_pylist(), [1, 2, 3])
        for kind in [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]:
            moves = pyarrow.array(table.column("moves").to_pylist(), kind)
            self.assertEqual(pyarrow.array(functions.plies(moves)).to_pylist(), [4, 3, 2])
        reader = pyarrow.RecordBatchReader.from_stream(self.club.sql("select id from games order by id"))
        self.assertEqual(reader.read_all().column("id").to_pylist(), [1, 2, 3])
        self.assertEqual(pyarrow.schema(self.club.positions(columns=["ply", "san"])).names, ["ply", "san"])
        chunked = pyarrow.chunked_array([table.column("moves").chunk(0)] * 3)
        self.assertEqual(len(functions.san(chunked)), 9)
        # The memory of an array is that of the call, whatever was freed since.
        arrays = [pyarrow.array(functions.san(moves)) for _ in range(50)]
        self.assertEqual({tuple(it.to_pylist()) for it in arrays}, {("1. e4 e5 2. Nf3 d6", "1. e4 c5 2. d4", "1. e4 e6")})

    @unittest.skipIf(duckdb is None, "DuckDB is not installed")
    def test_duckdb(self):
        games = self.club.games(columns=["id", "white"])
        self.assertEqual(duckdb.sql("select white from games where id = 3").fetchall(), [("Steinitz, William",)])
        self.assertEqual(len(games), 3)


if __name__ == "__main__":
    unittest.main()
