"""The games of the tests: texts, an archive of them, and what the command line answers about it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import questions

import halfmove

PROGRAM = os.environ["HALFMOVE"]
TESTDATA = Path(os.environ["HALFMOVE_TESTDATA"])

#: The number of texts, and of files of the archive.
TEXTS = 8


def program(*arguments: str) -> str:
    """Return what the program prints."""
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def archive_of(folder: Path) -> tuple[str, list[str]]:
    """Make an archive of as many imports as there are texts. Return its folder and the texts."""
    whole = halfmove.open(folder / "whole", create=True)
    whole.import_pgn(TESTDATA / "games/masters.pgn.zst", TESTDATA / "games/lichess.pgn.zst", duplicates="keep")
    size = -(-len(whole) // TEXTS)
    archive, texts = str(folder / "games"), []
    for number in range(TEXTS):
        text = str(folder / f"{number}.pgn")
        whole.export(text, where=f"id between {number * size + 1} and {number * size + size}")
        program("import", archive, text, "--quiet")
        texts.append(text)
    return archive, texts


def answers(archive: str) -> dict[str, Any]:
    """Return what the command line answers to the questions, in the form of the recipes."""
    count = int(program("search", archive, "--fen", questions.FEN, "--count"))
    moves = json.loads(program("explore", archive, "--fen", questions.FEN, "--games", "0", "--format", "json"))["moves"]
    years = f"""select year, count(*) as games from games where shows(moves, '{questions.ISOLATED}') and year is not null
        group by year order by year"""
    groups = f"""select count(*) as groups, sum(games) as games from (select count(*) as games from games
        where plies >= {questions.NEAR_PLY} group by fen_at(moves, {questions.NEAR_PLY}), year, result having count(*) > 1)"""
    isolated, near = (json.loads(program("sql", archive, query, "--format", "json")) for query in (years, groups))
    return {
        "count": count,
        "explore": sorted([move[name] for name in ("uci", "white", "draws", "black", "other")] for move in moves),
        "isolated": [[row["year"], row["games"]] for row in isolated],
        "near": [near[0]["groups"], near[0]["games"]],
    }
