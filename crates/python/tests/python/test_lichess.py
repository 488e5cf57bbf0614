"""The data set Lichess/standard-chess-games: games in its columns, there and back."""

import io
import tempfile
import unittest
from pathlib import Path

import club
import halfmove
from halfmove import pgn

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    pyarrow = None


def schema():
    """The types of the data set."""
    texts = ["Event", "Site", "White", "Black", "Result", "WhiteTitle", "BlackTitle"]
    numbers = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]
    more = ["ECO", "Opening", "Termination", "TimeControl", "movetext"]
    return pyarrow.schema(
        [(name, pyarrow.string()) for name in texts]
        + [(name, pyarrow.int16()) for name in numbers]
        + [("UTCDate", pyarrow.date32()), ("UTCTime", pyarrow.time32("s"))]
        + [(name, pyarrow.string()) for name in more]
    )


def rows_of(path, most):
    """Rows of the data set from a file of Lichess, by Python alone."""
    import datetime

    rows = []
    for game in pgn.read_games(path):
        tags = game.headers
        row = {name: tags.get(name) for name in schema().names}
        for name in ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]:
            row[name] = int(tags[name]) if name in tags else None
        row["UTCDate"] = datetime.date.fromisoformat(tags["UTCDate"].replace(".", "-"))
        row["UTCTime"] = datetime.time.fromisoformat(tags["UTCTime"])
        row["movetext"] = str(game).split("\n\n")[1].replace("\n", " ")
        rows.append(row)
        if len(rows) == most:
            break
    return rows


@unittest.skipIf(pyarrow is None, "PyArrow is not installed")
class Lichess(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.place = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, rows, name="games.parquet", **how):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema()), self.place / name, **how)
        return self.place / name

    def archive(self, name="archive"):
        return halfmove.open(self.place / name, create=True)

    def test_there_and_back(self):
        rows = rows_of(club.plain("lichess.pgn.zst"), 400)
        archive = self.archive()
        report = archive.import_lichess(self.write(rows))
        self.assertEqual((report["games"], report["rows"], report["faulty"], report["errors"]), (400, 400, 0, []))
        view = pyarrow.table(archive.to_lichess())
        self.assertEqual({it.name: it.type for it in view.schema}, {it.name: it.type for it in schema()})
        self.assertEqual([{name: row[name] for name in schema().names} for row in view.to_pylist()], rows)
        # As from the PGN, but for the tags that the data set does not have.
        other = self.archive("pgn")
        other.import_pgn(club.plain("lichess.pgn.zst"))
        for mine, theirs in zip(archive.games(), other.games()):
            self.assertEqual(mine.mainline_moves(), theirs.mainline_moves())
            self.assertEqual([it.comment for it in mine.mainline()], [it.comment for it in theirs.mainline()])
            tags = {name: value for name, value in theirs.headers.items() if name not in ("Date", "Round")}
            self.assertEqual({it: mine.headers[it] for it in tags}, tags)
        columns = ["white", "date", "time_of_day", "white_elo", "speed", "moves", "clocks", "result", "termination"]
        mine = archive.games(columns=columns).read_all()
        self.assertEqual(mine.to_pylist(), other.games(columns=columns, id="1-400").read_all().to_pylist())
        # And through the file once more.
        pyarrow.parquet.write_table(view, self.place / "again.parquet", compression="zstd")
        third = self.archive("third")
        self.assertEqual(third.import_lichess(self.place / "again.parquet")["games"], 400)
        self.assertEqual([str(it) for it in third.games()], [str(it) for it in archive.games()])

    def test_sources(self):
        rows = rows_of(club.plain("lichess.pgn.zst"), 30)
        (self.place / "parts").mkdir()
        self.write(rows[:10], "parts/b.parquet")
        self.write(rows[10:20], "parts/a.parquet", compression="zstd")
        archive = self.archive()
        self.assertEqual(archive.import_lichess(self.place / "parts")["games"], 20)
        self.assertEqual(archive.search()["white"], [it["White"] for it in rows[10:20] + rows[:10]])
        table = pyarrow.Table.from_pylist(rows[20:], schema=schema())
        dictionaries = table.set_column(0, "Event", table.column("Event").dictionary_encode())
        self.assertEqual(archive.import_lichess(table, dictionaries.to_reader(3), player=rows[20]["White"])["left_out"], 18)
        report = archive.import_lichess(self.place / "parts/a.parquet", duplicates="skip")
        self.assertEqual((report["games"], report["duplicates"]), (0, 10))

    def test_batches_are_read_one_after_the_other(self):
        rows, seen = rows_of(club.plain("lichess.pgn.zst"), 20), []

        def batches():
            for number in range(50):
                seen.append(number)
                yield pyarrow.RecordBatch.from_pylist(rows, schema=schema())

        def stop(done, _, games):
            self.assertEqual(len(seen), done / 20)
            if done == 200:
                raise RuntimeError("enough")

        reader = pyarrow.RecordBatchReader.from_batches(schema(), batches())
        archive = self.archive()
        with self.assertRaisesRegex(RuntimeError, "enough"):
            archive.import_lichess(reader, progress=stop)
        self.assertEqual((len(archive), seen), (0, list(range(10))))

        def broken():
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema())
            raise RuntimeError("the network is gone")

        with self.assertRaisesRegex(ValueError, "the network is gone"):
            archive.import_lichess(pyarrow.RecordBatchReader.from_batches(schema(), broken()))
        self.assertEqual(len(archive), 0)

    def test_faults_are_those_of_rows(self):
        rows = rows_of(club.plain("lichess.pgn.zst"), 8)
        for number, text in [
            (1, "1. e4 e5 2. Ke3 1-0"),
            (2, "1. e4 {not closed"),
            (3, "1. e4 1-0 1. d4 d5 0-1"),
            (4, ""),
            (5, "0-1"),
        ]:
            rows[number]["movetext"] = text
        archive = self.archive()
        report = archive.import_lichess(self.write(rows))
        self.assertEqual((report["games"], report["faulty"]), (8, 3))
        for number, words in [(2, "Ke3"), (3, "omment"), (4, "more than one game")]:
            (error,) = [it for it in report["errors"] if f"games.parquet: row {number}: " in it]
            self.assertIn(words, error)
        self.assertEqual(archive.search(columns=["plies"])["plies"][1:6], [2, 1, 1, 0, 0])
        # A row is a game, whatever stands in the others.
        self.assertEqual(archive.game(8).headers["Site"], rows[7]["Site"])
        with self.assertRaisesRegex(ValueError, "row 2: .*Ke3"):
            archive.import_lichess(self.place / "games.parquet", strict=True)
        self.assertEqual(len(archive), 8)
        rows[6]["movetext"] = None
        with self.assertRaisesRegex(ValueError, "nulls.parquet: row 7: movetext is null, expected the text of a game"):
            archive.import_lichess(self.write(rows[:6], "some.parquet"), self.write(rows, "nulls.parquet"))
        self.assertEqual(len(archive), 8)
        with self.assertRaisesRegex(ValueError, "stream: WhiteElo: .*70000"):
            archive.import_lichess(pyarrow.table({"WhiteElo": [70000], "movetext": ["1. e4 *"]}))

    def test_errors(self):
        archive = self.archive()
        (self.place / "text.parquet").write_text("1. e4 *")
        pyarrow.parquet.write_table(pyarrow.table({"Event": ["?"]}), self.place / "other.parquet")
        (self.place / "empty").mkdir()
        for kind, text, sources in [
            (ValueError, "no files", []),
            (FileNotFoundError, "no.parquet", ["/no/no.parquet"]),
            (FileNotFoundError, "parquet", [self.place / "empty"]),
            (ValueError, "text.parquet", [self.place / "text.parquet"]),
            (ValueError, "no column movetext", [self.place / "other.parquet"]),
            (TypeError, "Arrow", [7]),
        ]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                archive.import_lichess(*sources)


class View(unittest.TestCase):
    def test_to_lichess(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = halfmove.open(Path(folder) / "lichess", create=True)
            archive.import_pgn(club.plain("lichess.pgn.zst"))
            rows = archive.to_lichess().read_all()
            self.assertEqual(len(rows), len(archive))
            games = list(halfmove.pgn.read_games(club.plain("lichess.pgn.zst")))
            timed = 0
            for row, game in zip(rows, games):
                tags = game.headers
                for name in ["Event", "Site", "White", "Black", "Result", "ECO", "Opening", "Termination", "TimeControl"]:
                    self.assertEqual(row[name], tags.get(name), name)
                for name in ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"]:
                    self.assertEqual(row[name], int(tags[name]) if name in tags else None, name)
                self.assertEqual(str(row["UTCDate"]), tags["UTCDate"].replace(".", "-"))
                self.assertEqual(str(row["UTCTime"]), tags["UTCTime"])
                again = halfmove.pgn.read_game(io.StringIO('[Event "?"]\n\n' + row["movetext"]))
                self.assertEqual(again.mainline_moves(), game.mainline_moves())
                self.assertEqual([it.clock() for it in again.mainline()], [it.clock() for it in game.mainline()])
                timed += any("%clk" in it.comment for it in game.mainline())
            self.assertGreater(timed, 10)
            self.assertEqual(archive.to_lichess(id=[2]).read_all()["White"], [games[1].headers["White"]])

    def test_other_starts_are_refused(self):
        """They would come back as other games."""
        with tempfile.TemporaryDirectory() as folder:
            archive = halfmove.open(folder + "/archive", create=True)
            pgn = folder + "/games.pgn"
            with open(pgn, "w") as file:
                file.write('1. e4 e5 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n\n[Variant "Makruk"]\n\n1. e4 e5 *\n')
            archive.import_pgn(pgn)
            for game in [2, 3]:
                with self.assertRaisesRegex(ValueError, f"game {game}: the data set has only chess"):
                    archive.to_lichess(id=game).read_all()
            usual = archive.to_lichess(where="start_fen is null and variant = 'chess'").read_all()
            self.assertEqual(usual["movetext"], ["1. e4 e5 *"])


if __name__ == "__main__":
    unittest.main()
