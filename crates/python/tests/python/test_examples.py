"""The examples of the docstrings, and those of the table of functions."""

import doctest
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import club
import halfmove
from halfmove import _halfmove, annotations, bitboards, exporters, functions, nodes, progress, squares


def as_text(value):
    """Write a value as the reference does."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {as_text(it)}" for name, it in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join("" if it is None else as_text(it) for it in value) + "]"
    return str(value)


class Examples(unittest.TestCase):
    def test_docstrings(self):
        names = {"halfmove": halfmove, "folder": club.folder()}
        finder = doctest.DocTestFinder(exclude_empty=True)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        tests = []
        own = [annotations, bitboards, exporters, functions, nodes, progress, squares]
        for module in [halfmove, halfmove.pgn, halfmove.scores, *own]:
            tests += finder.find(module, globs=dict(names))
        # Classes and functions of the compiled part, which the finder takes for those of another module.
        for name in dir(_halfmove):
            value = getattr(_halfmove, name)
            if getattr(value, "__doc__", None):
                tests += doctest.DocTestFinder().find(value, name, module=False, globs=dict(names))
        tried = 0
        for test in tests:
            # An archive for each of those that change one, and the file of its games.
            if "(copy)" in test.docstring:
                test.globs["copy"] = club.folder()
                test.globs["season"] = Path(test.globs["copy"]).with_name("games.pgn")
            tried += len(test.examples)
            runner.run(test)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(tried, 80)

    def test_guide(self):
        """The guide, and the tasks that have a line of Python, in a folder with files of games."""
        here = os.getcwd()
        for page, least in [("python.md", 40), ("tasks-researcher.md", 20)]:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    Path("season.pgn").write_text(club.GAMES)
                    for name in ["masters.pgn.zst", "lichess.pgn.zst"]:
                        shutil.copy(club.plain(name), name)
                    failed, tried = doctest.testfile(
                        str(club.TESTDATA / "../docs/guide" / page), module_relative=False, globs={}
                    )
                finally:
                    os.chdir(here)
            self.assertEqual(failed, 0)
            self.assertGreater(tried, least)

    def test_scripts_of_the_guides(self):
        """The blocks that are not sessions are Python; the one for Polars runs, too."""
        blocks = []
        for page in ["python.md", "duckdb.md", "cluster.md", "other-tools.md"]:
            text = (club.TESTDATA / "../docs/guide" / page).read_text()
            blocks += re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        for block in blocks:
            compile(block, "a guide", "exec")
        self.assertGreater(len(blocks), 3)
        (scan,) = [block for block in blocks if "scan_polars" in block and "as pl" in block]
        try:
            import polars
        except ImportError:
            self.skipTest("Polars is not installed")
        with tempfile.TemporaryDirectory() as folder:
            archive = halfmove.open(folder + "/club", create=True)
            archive.import_pgn(club.plain("masters.pgn.zst"), sample=0.2, seed=1)
            lines = scan.rstrip().splitlines()
            names = {"club": archive}
            exec("\n".join(lines[:-1]), names)
            found = eval(lines[-1], names)
            self.assertIsInstance(found, polars.DataFrame)
            self.assertEqual(sum(found["len"]), archive.count(moves="e4 c5", since=1990))
            self.assertGreater(sum(found["len"]), 10)

    def test_functions(self):
        """Each example of the table, as a call in Python."""
        path = club.folder()
        archive = halfmove.open(path + "-functions", create=True)
        archive.import_pgn(club.TESTDATA / "../crates/functions/tests/games.pgn")
        tried = 0
        for entry in _halfmove.function_table():
            if entry["name"] == "tag":
                # In SQL it also reads the columns that tags are stored in.
                continue
            ids = entry["games"] or archive.ids()
            rows = archive.games(id=ids).read_all()
            columns = {name: rows.column(name) for name in rows.column_names}
            names = {it["name"]: getattr(functions, it["name"]) for it in _halfmove.function_table()}
            found = []
            for call in entry["calls"]:
                try:
                    answer = eval(call, {"__builtins__": {}}, {**columns, **names})
                except (SyntaxError, NameError):
                    # An expression of SQL around the call.
                    break
                if isinstance(answer, _halfmove.Column):
                    found.append([as_text(it) for it in answer])
                else:
                    found.append([as_text(answer)] * len(entry["answers"]))
            else:
                with self.subTest(entry["name"]):
                    self.assertEqual([list(row) for row in zip(*found)], entry["answers"])
                    tried += 1
        self.assertGreater(tried, 30)

    def test_every_function_is_there(self):
        for entry in _halfmove.function_table():
            function = getattr(functions, entry["name"])
            self.assertIn(entry["about"], function.__doc__)


if __name__ == "__main__":
    unittest.main()
