"""Measures the recipes on clusters of two workers with a core each, beside the program alone on two cores: `run.sh` starts it.

For each engine: the seconds until the cluster runs, those of each question, the processor time of everything together, which other
programs on the machine change little, and the most memory of all processes (their resident pages summed, so that pages which processes
share count for each of them). Every answer is compared with the program's.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import clusters
import questions
from games import PROGRAM, answers
from test_recipes import RECIPES, Cases

import halfmove


class Watch:
    """The processor time, and the most memory, of this process's descendants while something runs."""

    def __enter__(self) -> Watch:
        self.bytes, self.times, self.ended, self.before = 0, {}, threading.Event(), os.times()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def _watch(self) -> None:
        while not self.ended.wait(0.1):
            resident = 0
            for pid in clusters.family(os.getpid()) - {os.getpid()}:
                try:
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                self.times[pid] = int(fields[11]) + int(fields[12])
                resident += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
            self.bytes = max(self.bytes, resident)

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()
        # The system adds up those that were waited for, also if they were too short to be seen; the others are as last seen.
        now, before = os.times(), self.before
        ended = now.children_user + now.children_system - before.children_user - before.children_system
        self.processor = max(sum(self.times.values()) / os.sysconf("SC_CLK_TCK"), ended)


def alone(archive: str) -> dict[str, float]:
    """Return the seconds that the program takes for each question, on two cores."""
    years = f"select year, count(*) from games where shows(moves, '{questions.ISOLATED}') and year is not null group by year"
    groups = f"""select count(*), sum(games) from (select count(*) as games from games where plies >= {questions.NEAR_PLY}
        group by fen_at(moves, {questions.NEAR_PLY}), year, result having count(*) > 1)"""
    commands = {
        "count": ["search", archive, "--fen", questions.FEN, "--count"],
        "explore": ["explore", archive, "--fen", questions.FEN, "--format", "json"],
        "isolated": ["sql", archive, years, "--format", "json"],
        "near": ["sql", archive, groups, "--format", "json"],
    }
    seconds = {}
    for name, command in commands.items():
        began = time.perf_counter()
        subprocess.run([PROGRAM, *command], check=True, stdout=subprocess.DEVNULL)
        seconds[name] = time.perf_counter() - began
    return seconds


def on(kind: type, recipe: str, archive: str, expected: dict[str, Any]) -> tuple[float, dict[str, float]]:
    """Return the seconds until a cluster runs, and those of each question."""
    began = time.perf_counter()
    cluster = kind({})
    started = time.perf_counter() - began
    try:
        command = [sys.executable, str(RECIPES / recipe), archive, *cluster.options]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
    finally:
        cluster.stop()
    Cases().assertEqual(json.loads(ran.stdout.splitlines()[-1]), expected)
    return started, {name: float(time) for name, time in re.findall(r"^(\w+): ([\d.]+) s$", ran.stderr, re.MULTILINE)}


def importing(texts: list[str]) -> None:
    """Print the seconds that an import of some texts takes, by the program and by Ray."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        subprocess.run([PROGRAM, "import", f"{folder}/alone", *texts, "--duplicates", "keep", "--quiet"], check=True)
        alone = time.perf_counter() - began
        cluster = clusters.Ray({})
        try:
            began = time.perf_counter()
            command = [sys.executable, str(RECIPES / "parallel_import.py"), f"{folder}/joined", *texts, *cluster.options]
            subprocess.run(command, check=True, capture_output=True)
            joined = time.perf_counter() - began
        finally:
            cluster.stop()
        if len(halfmove.open(f"{folder}/joined")) != len(halfmove.open(f"{folder}/alone")):
            raise SystemExit("the imports have different numbers of games")
    print(f"import of {len(texts)} texts: halfmove {alone:.1f} s, Ray {joined:.1f} s", flush=True)


def row(name: str, started: float, seconds: dict[str, float], watch: Watch) -> None:
    """Print a row of the table."""
    cells = [f"{seconds[question]:.2f}" for question in ("count", "explore", "isolated", "near")]
    print("|", " | ".join([name, f"{started:.1f}", *cells, f"{watch.processor:.1f}", f"{watch.bytes / 2**20:.0f}"]), "|", flush=True)


def main() -> None:
    """Measure the engines of this environment."""
    command_line = argparse.ArgumentParser(description=__doc__)
    command_line.add_argument("archive")
    command_line.add_argument("pgn", nargs="*", help="texts whose import is measured, too")
    arguments = command_line.parse_args()
    archive = arguments.archive
    expected = answers(archive)
    for _ in range(2):
        with Watch() as watch:
            seconds = alone(archive)
        row("halfmove", 0, seconds, watch)
    engines = {"ray": (clusters.Ray, "daft_ray.py"), "pyspark.core": (clusters.Spark, "spark.py"), "pysail": (clusters.Sail, "spark.py")}
    for module, (kind, recipe) in engines.items():
        if importlib.util.find_spec(module.partition(".")[0]) and importlib.util.find_spec(module):
            with Watch() as watch:
                started, seconds = on(kind, recipe, archive, expected)
            row(kind.__name__, started, seconds, watch)
    if arguments.pgn and importlib.util.find_spec("ray"):
        importing(arguments.pgn)


if __name__ == "__main__":
    main()
