"""Archives: search, tables, import, export, SQL, errors, processes and threads."""

import concurrent.futures
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from datetime import timedelta
from pathlib import Path

import club
import halfmove


def count(path):
    return halfmove.open(path).count(player="morphy")


class Archives(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = club.folder()
        cls.club = halfmove.open(cls.path)
        cls.folder = tempfile.TemporaryDirectory()
        cls.masters = halfmove.open(Path(cls.folder.name) / "masters", create=True)
        cls.report = cls.masters.import_pgn(club.plain("masters.pgn.zst"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_conditions(self):
        self.assertEqual(len(self.club), 3)
        e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        for ids, conditions in [
            ([1, 2], {"player": "morphy"}),
            ([1, 2], {"player": "morphy", "result": "win"}),
            ([2], {"player": "morphy", "as_": "black"}),
            ([2], {"player": "morphy", "as_": halfmove.BLACK}),
            ([2], {"white": "anderssen"}),
            ([1], {"fen": e5}),
            ([1], {"fen": halfmove.Board(e5)}),
            ([1], {"moves": "1. e4 e5"}),
            ([1], {"moves": ["e4", halfmove.Move.from_uci("e7e5")]}),
            ([3], {"year": 1886}),
            ([1, 2], {"until": "1858"}),
            ([3], {"where": "plies < 3"}),
            ([3], {"id": [3, 7]}),
            ([2, 3], {"id": "2-9"}),
            ([1], {"comment": "best"}),
            ([1], {"min_plies": 4}),
            ([1, 2, 3], {"annotated": "false"}),
            ([1], {"moves": "1. e4! {open} e5 (1... c5) *"}),
            ([2], {"played": "c5 d4"}),
            ([1, 2, 3], {"player": None, "exact": False}),
            ([1], {"moves": "e4 e5 f4", "in_variations": True}),
            ([2, 3], {"id": range(2, 4)}),
            ([1], {"pattern": "8/8/8/4p3/4P3/8/8/8", "for_": 1}),
            ([1, 2], {"year": range(1850, 1886)}),
            ([1], {"eco": ["C40", "C41", "E60-E99"]}),
            ([1, 3], {"eco": ("C", "C00")}),
            ([1, 3], {"id": [range(3, 10**12), 1]}),
            ([], {"id": range(3, 3)}),
        ]:
            with self.subTest(conditions):
                self.assertEqual(self.club.ids(**conditions), ids)
                self.assertEqual(self.club.count(**conditions), len(ids))
                self.assertEqual(self.club.search(**conditions)["id"], ids)
                self.assertEqual(self.club.games(**conditions).read_all()["id"], ids)

    def test_positions_as_everywhere(self):
        board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
        for fen, warning in [(f"{board} w KQkq", "en passant"), (f"{board} w KQkq e6 9 2", None), (f"{board} w KQkq a6 0 2", "a6")]:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                self.assertEqual(self.club.ids(fen=fen), [1], fen)
            self.assertEqual(len(caught), int(warning is not None), fen)
            self.assertIn(warning or "", str(caught[0].message) if caught else "")
        self.assertEqual(self.club.ids(fen="startpos"), [1, 2, 3])
        self.assertEqual((self.club.ids(id=[]), self.club.ids(speed=[])), ([], [1, 2, 3]))

    def test_errors(self):
        for kind, text, call in [
            (ValueError, 'id: "": expected ids', lambda: self.club.count(id="")),
            (ValueError, "speed", lambda: self.club.count(speed="")),
            (ValueError, "isolated", lambda: self.club.count(isolated="")),
            (TypeError, "no condition playr", lambda: self.club.count(playr="tal")),
            (TypeError, "player: expected one value; the argument where", lambda: self.club.count(player=["tal", "fine"])),
            (TypeError, r"year: expected one value or a range, as in range\(1990", lambda: self.club.count(year=[1858, 1886])),
            (TypeError, "min_elo: expected one value", lambda: self.club.count(min_elo=range(3))),
            (ValueError, r"ply: range\(0, 10\): expected numbers of half-moves from 1", lambda: self.club.positions(ply=range(10))),
            (ValueError, "ply: range", lambda: self.club.positions(ply=range(-(10**30), 9))),
            (ValueError, "ply: range", lambda: self.club.positions(ply=range(8, -(10**30), -1))),
            (ValueError, "ply: b'a': expected numbers", lambda: self.club.positions(ply=b"a")),
            (ValueError, "ply: b'a': expected numbers", lambda: self.club.positions(ply=[1, b"a"])),
            (ValueError, "ply: 0: expected numbers", lambda: self.club.positions(ply=[3, 0])),
            (ValueError, f"ply: {10**30}: expected numbers", lambda: self.club.positions(ply=10**30)),
            (ValueError, "ply", lambda: self.club.to_training(ply="x")),
            (ValueError, "no condition says which games", lambda: self.club.remove(player=None)),
            (ValueError, "no condition says which games", lambda: self.club.remove(exact=False, annotated=False)),
            (ValueError, "kind", lambda: self.club.duplicates(kind="double")),
            (ValueError, "time_limit", lambda: self.club.sql("select 1", time_limit=-1)),
            (ValueError, "opponent", lambda: self.club.count(opponent="tal")),
            (ValueError, "year", lambda: self.club.count(year=99)),
            (ValueError, "annotated.*true or false", lambda: self.club.count(annotated="maybe")),
            (halfmove.IllegalMoveError, 'moves: word 2, "e4": illegal move', lambda: self.club.count(moves="e4 e4")),
            (halfmove.InvalidMoveError, 'moves: word 2, "x9"', lambda: self.club.count(moves="e4 x9")),
            (ValueError, "FEN", lambda: self.club.search(fen="x")),
            (ValueError, "eco", lambda: self.club.search(eco="Z99")),
            (ValueError, "cannot have the column", lambda: self.club.games(columns=["whit"])),
            (ValueError, "column", lambda: self.club.positions(columns=["whit"])),
            (LookupError, "no game has the id 9", lambda: self.club.game(9)),
            (FileNotFoundError, "no archive at", lambda: halfmove.open("/no/such/folder")),
            (halfmove.SqlError, "whit", lambda: self.club.sql("select whit from games")),
            (ValueError, "depth", lambda: self.club.explore(depth=0)),
            (FileNotFoundError, "no.pgn", lambda: self.club.import_pgn("/no/no.pgn")),
            (ValueError, "duplicates", lambda: self.club.import_pgn("x", duplicates="drop")),
            (ValueError, "where", lambda: self.club.import_pgn(club.plain("setup.pgn"), where="id = 1")),
        ]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                call()

    def test_names_are_those_of_the_flags(self):
        """Each condition of the command line is a keyword, but those that say how a FEN is read."""
        page = (club.TESTDATA / "../docs/reference/cli.md").read_text()
        verb = page.split("\n## search\n")[1].split("\n## ")[0]
        flags = set(re.findall(r"--([a-z-]+)", verb.split("Conditions on the game")[1].split("Rarely needed")[0]))
        flags -= {"dialect", "strict", "counting"}
        names = {{"as": "as_", "for": "for_"}.get(flag, flag.replace("-", "_")) for flag in flags}
        with self.assertRaises(TypeError) as caught:
            self.club.count(none_of_them=1)
        self.assertEqual(names, set(str(caught.exception).split("expected ")[1].split(", ")))
        self.assertEqual(self.club.count(**dict.fromkeys(names)), 3)

    def test_search_lists(self):
        rows = self.club.search(sort="-date", limit=2, columns=["id", "white", "opening", "tag:WhiteElo"])
        self.assertEqual(rows.column_names, ["id", "white", "opening", "tag:WhiteElo"])
        self.assertEqual(rows["id"], [3, 2])
        self.assertEqual(self.club.search(offset=1)[0]["white"], "Anderssen, Adolf")
        self.assertEqual([row["id"] for row in self.club.search()[-2:]], [2, 3])
        self.assertEqual([row["id"] for row in self.club.search()[::-1]], [3, 2, 1])
        with self.assertRaises(IndexError):
            self.club.search()[3]
        self.assertEqual(len(self.club.search(player="nobody")), 0)
        self.assertIn("<td>Steinitz, William</td>", self.club.search()._repr_html_())

    def test_search_has_the_columns_of_games(self):
        lichess = halfmove.open(Path(self.folder.name) / "lichess", create=True)
        lichess.import_pgn(club.plain("lichess.pgn.zst"))
        for archive in [lichess, self.masters]:
            games = archive.games()
            bytes_ = {"moves", "annotations", "clocks", "evaluations", "signature", "other_tags"}
            names = [name for name in games.column_names if name not in bytes_]
            found = archive.search(columns=names, player="a*")
            expected = archive.games(columns=names, player="a*").read_all()
            self.assertEqual(found.column_names, expected.column_names)
            self.assertEqual(found.to_pylist(), expected.to_pylist())
            self.assertGreater(len(found), 20)
        rows = self.masters.search(columns=["date", "tag:Date"]).to_pylist()
        whole = [row["date"].strftime("%Y.%m.%d") if row["date"] else None for row in rows]
        texts = [None if "?" in row["tag:Date"] else row["tag:Date"] for row in rows]
        self.assertEqual(whole, texts)
        self.assertIn(None, texts)

    def test_explore_and_stats(self):
        tree = self.club.explore(moves="e4", depth=2)
        first = {row["line"]: (row["games"], row["white"], row["draws"], row["black"]) for row in tree}
        self.assertEqual(first["e5"], (1, 1, 0, 0))
        self.assertEqual(first["c5 d4"], (1, 0, 0, 1))
        player = self.club.explore(player="morphy")
        self.assertEqual((player["wins"], player["score"]), ([2], [100.0]))
        by = self.club.stats(by="year")
        self.assertEqual(dict(zip(by["value"], by["games"])), {"1858": 2, "1886": 1})
        stats = self.club.stats()
        self.assertEqual(sum(row["games"] for row in stats if row["by"] == "decade"), 3)
        self.assertEqual(self.club.players()[0]["name"], "Morphy, Paul")
        self.assertEqual(self.club.events("paris")["games"], [1])
        self.assertEqual(self.club.history()["change"], ["create", "import"])
        self.assertEqual(self.club.history().to_pylist(), self.club.sql("select * from history").to_pylist())
        self.assertEqual(self.club.players("steinitz")["draws"], [1])
        self.assertEqual(self.club.info()["plies"], 9)

    def test_games_as_trees(self):
        game = self.club.game(1)
        self.assertEqual(game.headers["Black"], "Duke of Brunswick")
        self.assertEqual(game.next().clock(), 600.0)
        self.assertEqual(game.variations[0].variations[0].variations[1].san(), "f4")
        self.assertEqual([len(it.mainline_moves()) for it in self.club.games()], [4, 3, 2])

    def test_positions(self):
        rows = self.club.positions(columns=["id", "ply", "uci", "fen"], id=[1]).read_all()
        self.assertEqual(rows["uci"], ["e2e4", "e7e5", "g1f3", "d7d6"])
        self.assertEqual(rows[0]["fen"], halfmove.STARTING_FEN)
        batches = list(self.masters.positions(columns=["id"]))
        self.assertEqual(sum(map(len, batches)), self.report["plies"])
        every = self.masters.positions(columns=["id", "ply", "san", "bits"], id=range(1, 50)).read_all().to_pylist()
        for ply, plies in [
            (range(20, 40), set(range(20, 40))),
            ([1, 101], {1, 101}),
            ("3,90-", {3, *range(90, 1000)}),
            (7, {7}),
            ([range(1, 3), 5], {1, 2, 5}),
            ([], set()),
            (range(5, 5), set()),
            (range(2, 10**12, 2), set(range(2, 1000, 2))),
            (range(1, 10**30), set(range(1, 1000))),
            (range(9, 10**30, 10**29), {9}),
            (range(10**29, 10**30), set()),
            (range(11, 2, -3), {11, 8, 5}),
            ([range(9, 2**40, 90), 4], {4, 9, 99, 189, 279}),
        ]:
            rows = self.masters.positions(columns=["id", "ply", "san", "bits"], ply=ply, id=range(1, 50))
            self.assertEqual(rows.to_pylist(), [row for row in every if row["ply"] in plies], ply)

    def test_sql(self):
        answer = self.club.sql("select count(*) as games from games where reaches(moves, '%s')" % (
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        ))
        # It can be read again.
        for _ in range(2):
            self.assertEqual(answer.read_all().to_pylist(), [{"games": 1}])
        for query, excerpt in [
            ("select white,\n\twhit from games", "\n   whit from games\n   ^^^^"),
            ("select white frm games g", "\n  select white frm games g\n"),
            ("select köche(white) from games", "\n  select köche(white) from games\n         ^^^^^"),
        ]:
            with self.assertRaises(halfmove.SqlError) as raised:
                self.club.sql(query)
            self.assertIn(excerpt, str(raised.exception))
        with self.assertRaises(halfmove.SqlError) as raised:
            self.club.search(where="whit = 'x'")
        self.assertIn("\n  whit = 'x'\n  ^^^^", str(raised.exception))
        answer = self.club.sql("select id, white from games order by id")
        rows = answer.read_all()
        self.assertEqual((answer.to_pylist(), answer.to_pydict()), (rows.to_pylist(), rows.to_pydict()))
        self.assertEqual(self.club.positions(columns=["ply"], id=1).to_pydict()["ply"][:2], [1, 2])
        with self.assertRaises(halfmove.SqlError):
            self.club.sql("select 1 / (id - id) from games").read_all()
        types = self.club.sql("select date, utc_timestamp, white_elo, [1, 2] as list, moves from games where id = 1").read_all()[0]
        self.assertEqual(str(types["date"]), "1858-11-02")
        self.assertEqual((types["utc_timestamp"], types["white_elo"], types["list"], len(types["moves"])), (None, 2700, [1, 2], 4))

    def test_limits_of_queries(self):
        query = "select count(*) as n from games a, games b where a.plies + b.plies < 100"
        self.assertEqual(len(self.masters.sql(query, memory_bytes=2**30, time_limit=timedelta(hours=1)).read_all()), 1)
        with self.assertRaises(TimeoutError):
            self.masters.sql(query, time_limit=0.001).read_all()
        with self.assertRaises(MemoryError):
            join = "select a.white, b.black from games a join games b using (event) order by a.moves, b.moves"
            self.masters.sql(join, memory_bytes=2**20).read_all()

    def test_import_and_export(self):
        self.assertEqual((self.report["games"], self.report["ids"]), (len(self.masters), (1, len(self.masters))))
        seen = []
        archive = halfmove.open(Path(self.folder.name) / "new", create=True)
        report = archive.import_pgn(club.plain("masters.pgn.zst"), progress=lambda *it: seen.append(it), min_plies=60)
        self.assertEqual(report["games"] + report["left_out"], len(self.masters))
        self.assertTrue(all(0 <= done <= total for done, total, _ in seen))
        # The same file again.
        again = self.masters.import_pgn(club.plain("masters.pgn.zst"))
        self.assertEqual((again["files"], again["paths"], again["games"]), (0, [], 0))
        self.assertEqual((report["files"], report["paths"]), (1, [club.plain("masters.pgn.zst")]))
        path = Path(self.folder.name) / "out.pgn"
        self.assertEqual(self.club.export(path, player="morphy"), 2)
        self.assertEqual(len(list(halfmove.pgn.read_games(path))), 2)
        with self.assertRaises(FileExistsError):
            self.club.export(path)
        self.club.export(path, overwrite=True)
        # Not over the files of an archive, nor beside them.
        place = Path(self.folder.name) / "new"
        (file,) = place.glob("*.parquet")
        for inside in [file, place / "x.pgn", place / "_delta_log" / "x.pgn"]:
            with self.assertRaisesRegex(OSError, "in an archive"):
                archive.export(inside, overwrite=True, player="tal")
        self.assertEqual(archive.verify()["problems"], [])

        def stop(*_):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            archive.import_pgn(club.plain("masters.pgn.zst"), progress=stop, again=True)
        self.assertEqual(len(archive.history()), 2)
        faulty = Path(self.folder.name) / "faulty.pgn"
        faulty.write_text("1. e4 e5 2. Ke3 *\n")
        with self.assertRaisesRegex(ValueError, "Ke3"):
            archive.import_pgn(faulty, strict=True)
        self.assertEqual(archive.import_pgn(faulty)["faulty"], 1)

    def test_a_snapshot_stays(self):
        path = club.folder()
        first, second = halfmove.open(path), halfmove.open(path)
        first.import_pgn(club.plain("setup.pgn"))
        self.assertEqual(len(second), 3)
        second.refresh()
        self.assertEqual(len(second), len(first))
        self.assertEqual(len(second.at_version(1)), 3)

    def test_processes_and_threads(self):
        self.assertEqual(pickle.loads(pickle.dumps(self.club)).count(), 3)
        # This process has used threads before: a fork must not need them.
        for method in ["fork", "spawn"] if sys.platform == "linux" else ["spawn"]:
            context = multiprocessing.get_context(method)
            with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                self.assertEqual(list(pool.map(count, [self.path] * 4)), [2] * 4)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            counts = list(pool.map(lambda _: self.masters.count(moves="e4"), range(16)))
        self.assertEqual(len(set(counts)), 1)

    @unittest.skipUnless(hasattr(signal, "SIGINT") and sys.platform != "win32", "there are no signals")
    def test_ctrl_c(self):
        """A signal ends a call that would never end, with KeyboardInterrupt."""
        script = (
            "import halfmove, sys\n"
            "class Endless:\n"
            "    def read(self, size):\n"
            "        print('reads', flush=True)\n"
            "        return '1. e4 e5 ' * 100\n"
            "try:\n"
            "    next(halfmove.pgn.read_games(Endless()))\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(42)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        reader = threading.Thread(target=process.stdout.read)
        reader.start()
        self.assertEqual(process.wait(), 42)
        reader.join()
        process.stdout.close()
        query = (
            "import halfmove, sys\n"
            "try:\n"
            "    club = halfmove.open(sys.argv[1])\n"
            "    print('go', flush=True)\n"
            "    club.sql('select count(*) from games a, games b, games c, games d"
            " where a.plies + b.plies + c.plies + d.plies = 7').read_all()\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(42)\n"
        )
        process = subprocess.Popen([sys.executable, "-c", query, str(self.masters.path)], stdout=subprocess.PIPE)
        process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(), 42)
        process.stdout.close()


if __name__ == "__main__":
    unittest.main()
