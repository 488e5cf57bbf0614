"""Ctrl-C ends calls that would last for hours, and other threads run while one computes."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import club
import halfmove
from halfmove import functions

# Four games of each other: more sums than a computer makes in a day.
ENDLESS = (
    "select count(*) from games a, games b, games c, games d, games e"
    " where a.plies + b.plies + c.plies + d.plies + e.plies = 7"
)

CALLS = {
    "a query, read whole": f"club.sql({ENDLESS!r}).read_all()",
    "a query in batches": f"list(club.sql({ENDLESS!r}))",
    "a condition in SQL": f"club.count(where=\"plies = ({ENDLESS})\")",
    "perft": "halfmove.Board().perft(20)",
    "PGN without an end": "list(halfmove.pgn.read_games(Endless()))",
}

ARROW = {
    "Polars": ("polars", f"polars.DataFrame(club.sql({ENDLESS!r}))"),
    "PyArrow": ("pyarrow", f"pyarrow.table(club.sql({ENDLESS!r}))"),
    "an import": ("pyarrow", "club.import_lichess(endless_rows(club))"),
    "a function": ("pyarrow", "functions.checks(many(club))"),
}

SCRIPT = """\
import os, signal, sys, threading, time
import halfmove
from halfmove import functions

class Endless:
    def read(self, size):
        return "1. e4 e5 1-0 " * 1000

def endless_rows(club):
    import pyarrow
    table = pyarrow.table(club.to_lichess())
    def batches():
        while True:
            yield from table.to_batches()
    return pyarrow.RecordBatchReader.from_batches(table.schema, batches())

def many(club):
    import pyarrow
    moves = pyarrow.table(club.games(columns=["moves"])).column("moves").combine_chunks()
    return pyarrow.chunked_array([moves] * (3_000_000 // len(moves)))

club = halfmove.open(sys.argv[1])
def interrupt():
    time.sleep(1.5)
    print("sent", flush=True)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    CALL
except BaseException as error:
    print(type(error).__name__, error, flush=True)
    # Threads that went on would keep the process.
    sys.exit(42)
print("it ended by itself")
"""


@unittest.skipUnless(hasattr(signal, "SIGINT") and sys.platform != "win32", "there are no signals")
class Interrupts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.masters = halfmove.open(Path(cls.folder.name) / "masters", create=True)
        cls.masters.import_pgn(club.plain("masters.pgn.zst"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def interrupted(self, call, before=""):
        script = before + SCRIPT.replace("CALL", call)
        done = subprocess.run(
            [sys.executable, "-c", script, str(self.masters.path)], capture_output=True, text=True, timeout=120
        )
        self.assertEqual(done.returncode, 42, done.stdout + done.stderr)
        sent, what = done.stdout.split("\n", 1)
        self.assertEqual(sent, "sent")
        return what

    def test_calls_end_with_keyboard_interrupt(self):
        for purpose, call in CALLS.items():
            with self.subTest(purpose):
                self.assertTrue(self.interrupted(call).startswith("KeyboardInterrupt"))

    def test_tables_of_others_end(self):
        """Other libraries make an error of their own of it."""
        for purpose, (module, call) in ARROW.items():
            with self.subTest(purpose):
                try:
                    __import__(module)
                except ImportError:
                    continue
                self.assertIn("KeyboardInterrupt", self.interrupted(call, before=f"import {module}\n"))


@unittest.skipUnless(hasattr(signal, "setitimer"), "there are no timers")
class Upkeep(unittest.TestCase):
    """Long work on an archive, which ends in the middle and leaves all as it was."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name) / "masters"
        # As many games as make each of these calls last far longer than the timers.
        masters = club.plain("masters.pgn.zst")
        cls.archive = halfmove.open(cls.path, create=True, threads=1)
        cls.archive.import_pgn(*[masters] * 4, again=True, duplicates="keep")
        cls.before = cls.state()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def state(cls):
        return sorted((path.name, path.stat().st_size) for path in Path(cls.folder.name).rglob("*"))

    def check(self):
        self.assertEqual(self.state(), self.before)
        again = halfmove.open(self.path)
        self.assertEqual((again.version, len(again), again.verify()["problems"]), (1, 4 * 20816, []))

    def test_signals(self):
        def interrupt(*_):
            raise KeyboardInterrupt

        old = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, old)
        for purpose, call in [
            ("duplicates", lambda: self.archive.duplicates()),
            ("remove_duplicates", lambda: self.archive.remove_duplicates(twins=True, merge_tags=True)),
            ("compact", lambda: self.archive.compact()),
            ("verify", lambda: self.archive.verify()),
            ("export", lambda: self.archive.export(self.path.with_name("all.pgn"))),
        ]:
            with self.subTest(purpose):
                # A new archive has nothing in memory.
                type(self).archive = halfmove.open(self.path, threads=1)
                with self.assertRaises(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, 0.03)
                    call()
                self.check()

    def test_progress(self):
        """A function that is called with the progress may end the work, too."""
        text = self.path.with_name("all.pgn")
        for purpose, call in [
            ("compact", lambda progress: self.archive.compact(progress=progress)),
            ("verify", lambda progress: self.archive.verify(progress=progress)),
            ("export", lambda progress: self.archive.export(text, progress=progress)),
        ]:
            calls = []

            def progress(done, total, games):
                calls.append((done, total, games))
                if games > 0:
                    raise StopIteration("enough")

            with self.subTest(purpose):
                with self.assertRaisesRegex(StopIteration, "enough"):
                    call(progress)
                self.check()
                *others, (done, total, games) = calls
                self.assertTrue(all(it == (0, total, 0) for it in others))
                self.assertEqual((done, total), (games, len(self.archive)))

    def test_an_interrupted_export_keeps_the_file(self):
        text = self.path.with_name("one.pgn")
        self.archive.export(text, id=1)
        text.chmod(0o640)
        before = text.read_bytes()

        def progress(*_):
            self.assertEqual(text.read_bytes(), before)
            raise KeyboardInterrupt

        with self.assertRaises(FileExistsError):
            self.archive.export(text, progress=progress)
        with self.assertRaises(KeyboardInterrupt):
            self.archive.export(text, overwrite=True, progress=progress)
        self.assertEqual(text.read_bytes(), before)
        self.assertEqual(self.archive.export(text, overwrite=True, id=range(1, 3)), 2)
        self.assertEqual(text.stat().st_mode & 0o777, 0o640)
        self.assertGreater(len(text.read_bytes()), len(before))
        text.unlink()
        self.check()

    def test_a_file_gets_its_name_when_it_is_complete(self):
        text = self.path.with_name("new.pgn")
        seen = []
        self.archive.export(text, id=1, progress=lambda *_: seen.append(text.exists()))
        self.assertEqual(seen, [False] * len(seen))
        self.assertGreater(len(seen), 0)
        (plain := text.with_name("plain")).write_text("")
        self.assertEqual(text.stat().st_mode, plain.stat().st_mode)
        plain.unlink()
        # Permissions that the mask would take from a new file.
        text.chmod(0o666)
        self.archive.export(text, overwrite=True, id=1)
        self.assertEqual(text.stat().st_mode & 0o777, 0o666)
        text.chmod(0o444)
        with self.assertRaises(PermissionError):
            self.archive.export(text, overwrite=True, id=1)
        # Through a link.
        text.chmod(0o644)
        (link := text.with_name("link")).symlink_to(text)
        self.archive.export(link, overwrite=True, id=[1, 2])
        self.assertTrue(link.is_symlink())
        self.assertEqual(sum(1 for _ in halfmove.pgn.read_games(text)), 2)
        link.unlink()
        text.unlink()
        # Another program makes the file in the meantime.
        with self.assertRaises(FileExistsError):
            self.archive.export(text, id=1, progress=lambda *_: text.write_text("theirs"))
        self.assertEqual(text.read_text(), "theirs")
        text.unlink()
        self.check()

    @unittest.skipUnless(hasattr(os, "mkfifo"), "there are no pipes")
    def test_a_pipe_is_written_directly(self):
        pipe = self.path.with_name("pipe")
        os.mkfifo(pipe)
        found = []
        reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
        reader.start()
        self.assertEqual(self.archive.export(pipe, id=1), 1)
        reader.join()
        self.assertTrue(pipe.is_fifo())
        pipe.unlink()
        text = self.path.with_name("one.pgn")
        self.archive.export(text, id=1)
        self.assertEqual(found, [text.read_text()])
        text.unlink()
        self.check()


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.masters = halfmove.open(Path(cls.folder.name) / "masters", create=True)
        cls.masters.import_pgn(club.plain("masters.pgn.zst"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_others_run_while_one_computes(self):
        moves = self.masters.games(columns=["moves"]).read_all().column("moves")
        for purpose, work in [
            ("functions", lambda: functions.final_fen(moves)),
            ("sql", lambda: self.masters.sql("select sum(checks(moves)) from games").read_all()),
            ("positions", lambda: self.masters.positions().read_all()),
            ("search", lambda: self.masters.search(pattern="8/8/8/3N4/8/8/8/8")),
            ("training", lambda: list(self.masters.to_training(shuffle=1))),
            ("perft", lambda: halfmove.Board().perft(6)),
        ]:
            with self.subTest(purpose):
                steps = 0
                with_lock = threading.Thread(target=work)
                # A switch only when the lock is given up, not after some milliseconds.
                before = sys.getswitchinterval()
                sys.setswitchinterval(60)
                try:
                    with_lock.start()
                    while with_lock.is_alive():
                        steps += 1
                        time.sleep(0)
                finally:
                    sys.setswitchinterval(before)
                # Once or twice if the lock were kept; how often otherwise depends on the machine.
                self.assertGreater(steps, 3)

    def test_threads_share_an_iteration(self):
        """Each batch goes to one of them."""
        batches = iter(self.masters.positions(columns=["id", "ply"]))
        found = []

        def take():
            found.extend((row["id"], row["ply"]) for batch in batches for row in batch)

        threads = [threading.Thread(target=take) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rows = self.masters.positions(columns=["id", "ply"]).read_all()
        self.assertEqual(sorted(found), list(zip(rows["id"], rows["ply"])))


if __name__ == "__main__":
    unittest.main()
