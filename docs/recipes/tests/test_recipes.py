"""The recipes: answers equal to the command line's, also if a worker or a whole node is killed in the middle.

`run.sh` starts these tests, in an environment for each of the engines; those of other engines are left out.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import clusters
import pyarrow
from games import answers, archive_of, program

import halfmove

RECIPES = Path(__file__).parent.parent


def setUpModule() -> None:
    """Make the archive, and ask the program."""
    global FOLDER, ARCHIVE, TEXTS, EXPECTED
    FOLDER = Path(tempfile.mkdtemp())
    ARCHIVE, TEXTS = archive_of(FOLDER)
    EXPECTED = answers(ARCHIVE)


def tearDownModule() -> None:
    """Remove the archive."""
    shutil.rmtree(FOLDER)


class Cases(unittest.TestCase):
    """What the tests of all clusters have in common."""

    def run_recipe(self, cluster: Any, recipe: str, *arguments: str, killing: str | None = None) -> dict[str, Any]:
        """Return what a recipe prints; meanwhile the victim is killed, a `process` or its `node`."""
        environment = {name: value for name, value in os.environ.items() if name != "HALFMOVE_VICTIM"}
        command = [sys.executable, str(RECIPES / recipe), *arguments, *cluster.options]
        with (
            tempfile.TemporaryFile("w+") as log,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process,
        ):
            if killing:
                victim = Path(os.environ["HALFMOVE_VICTIM"], "victim")
                clusters.until(lambda: victim.exists() or process.poll() is not None, "a victim")
                self.assertIsNone(process.poll(), "the recipe ended before anything was killed")
                pid = int(victim.read_text())
                clusters.kill({pid} if killing == "process" else cluster.node_of(pid))
            printed, _ = process.communicate(timeout=900)
            log.seek(0)
            self.assertEqual(process.returncode, 0, log.read()[-4000:])
        return json.loads(printed.splitlines()[-1])

    def survives(self, kind: type, recipe: str, arguments: list[str], killing: str) -> dict[str, Any]:
        """Return what a recipe prints on a new cluster, of which something is killed."""
        folder = tempfile.mkdtemp(dir=FOLDER)
        cluster = kind({"HALFMOVE_VICTIM": folder})
        self.addCleanup(os.environ.pop, "HALFMOVE_VICTIM", None)
        self.addCleanup(cluster.stop)
        return self.run_recipe(cluster, recipe, *arguments, killing=killing)

    def imported(self, kind: type, killing: str | None) -> None:
        """Import the texts on a new cluster, and compare the archive with one that the program has made."""
        archive = str(Path(tempfile.mkdtemp(dir=FOLDER), "imported"))
        arguments = [archive, *TEXTS]
        if killing:
            self.survives(kind, "parallel_import.py", arguments, killing)
        else:
            cluster = kind({})
            self.addCleanup(cluster.stop)
            self.run_recipe(cluster, "parallel_import.py", *arguments)
        self.assertEqual(len(halfmove.open(archive).history()), 2, "the creation and one import")
        mine, expected = (pyarrow.table(halfmove.open(path).games()) for path in (archive, ARCHIVE))
        self.assertTrue(mine.drop(["id"]).equals(expected.drop(["id"])))
        self.assertEqual(len(set(mine["id"].to_pylist())), len(expected))
        program("verify", archive)
        self.assertEqual(list(Path(archive).parent.iterdir()), [Path(archive)], "scratch files are left")
        # An archive like any other: the next import continues its ids.
        before = max(mine["id"].to_pylist())
        program("import", archive, TEXTS[0], "--duplicates", "keep", "--quiet")
        self.assertEqual(min(halfmove.open(archive).ids(where=f"id > {before}")), before + 1)


@unittest.skipUnless(importlib.util.find_spec("ray"), "Ray is tested in its own environment")
class OnRay(Cases):
    """Daft on Ray, and the import."""

    def test_answers(self) -> None:
        """All questions, on two workers."""
        cluster = clusters.Ray({})
        self.addCleanup(cluster.stop)
        self.assertEqual(self.run_recipe(cluster, "daft_ray.py", ARCHIVE), EXPECTED)

    def test_a_process_is_killed(self) -> None:
        """A worker is killed in the middle of a count."""
        found = self.survives(clusters.Ray, "daft_ray.py", [ARCHIVE, "count"], "process")
        self.assertEqual(found, {"count": EXPECTED["count"]})

    def test_a_node_is_killed(self) -> None:
        """A node is killed in the middle of an opening tree."""
        found = self.survives(clusters.Ray, "daft_ray.py", [ARCHIVE, "explore"], "node")
        self.assertEqual(found, {"explore": EXPECTED["explore"]})

    def test_an_import(self) -> None:
        """An import on two workers."""
        self.imported(clusters.Ray, None)

    def test_an_import_whose_worker_is_killed(self) -> None:
        """A worker is killed in the middle of its import."""
        self.imported(clusters.Ray, "process")

    def test_an_import_whose_node_is_killed(self) -> None:
        """A node is killed in the middle of an import."""
        self.imported(clusters.Ray, "node")

    def test_an_import_beside_another(self) -> None:
        """A program imports meanwhile: the commit is refused, and the archive is as that program left it."""
        import parallel_import
        from deltalake import DeltaTable
        from deltalake.exceptions import CommitFailedError

        folder = Path(tempfile.mkdtemp(dir=FOLDER))
        archive = str(folder / "archive")
        halfmove.open(archive, create=True)
        table = DeltaTable(archive)
        part = parallel_import.make(TEXTS[0], str(folder), 0)
        program("import", archive, TEXTS[1], "--quiet")
        with self.assertRaises(CommitFailedError):
            parallel_import.join(archive, table, [part])
        alone = halfmove.open(str(folder / "alone"), create=True)
        alone.import_pgn(TEXTS[1])
        self.assertTrue(pyarrow.table(halfmove.open(archive).games()).equals(pyarrow.table(alone.games())))


@unittest.skipUnless(importlib.util.find_spec("pyspark.core") and shutil.which("java"), "Spark is tested in its own environment")
class OnSpark(Cases):
    """Spark's own cluster."""

    def test_answers(self) -> None:
        """All questions, on two workers."""
        cluster = clusters.Spark({})
        self.addCleanup(cluster.stop)
        self.assertEqual(self.run_recipe(cluster, "spark.py", ARCHIVE), EXPECTED)

    def test_a_process_is_killed(self) -> None:
        """A Python worker is killed in the middle of a count."""
        found = self.survives(clusters.Spark, "spark.py", [ARCHIVE, "count"], "process")
        self.assertEqual(found, {"count": EXPECTED["count"]})

    def test_a_node_is_killed(self) -> None:
        """A node is killed in the middle of an opening tree."""
        found = self.survives(clusters.Spark, "spark.py", [ARCHIVE, "explore"], "node")
        self.assertEqual(found, {"explore": EXPECTED["explore"]})


@unittest.skipUnless(importlib.util.find_spec("pysail"), "Sail is tested in its own environment")
class OnSail(Cases):
    """The recipe of Spark, without Java."""

    def test_answers(self) -> None:
        """All questions."""
        cluster = clusters.Sail({})
        self.addCleanup(cluster.stop)
        self.assertEqual(self.run_recipe(cluster, "spark.py", ARCHIVE), EXPECTED)


if __name__ == "__main__":
    unittest.main(verbosity=2)
