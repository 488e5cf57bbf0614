"""The four questions of the recipes, the same for each engine, and their command line.

`python RECIPE ARCHIVE` answers all of them, `python RECIPE ARCHIVE count near` some. Answers are a line of JSON; times are on stderr.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

#: The Ruy Lopez before 3… a6: how many games reach it, and how do they go on?
FEN = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"

#: A condition of `functions.shows`: White has an isolated d-pawn for ten half-moves.
ISOLATED = "isolated:d for:10"

#: Games are near duplicates if they have this position in common, their year and their result.
NEAR_PLY = 40


def parser(about: str | None) -> argparse.ArgumentParser:
    """Return a parser of a recipe's command line."""
    command_line = argparse.ArgumentParser(description=about)
    command_line.add_argument("archive", help="the folder of an archive")
    command_line.add_argument("questions", nargs="*", metavar="QUESTION", help="count, explore, isolated or near; all by default")
    return command_line


def answer(questions: dict[str, Callable[[], Any]], chosen: list[str]) -> None:
    """Print the answers of the chosen questions."""
    answers = {}
    for name in chosen or questions:
        began = time.perf_counter()
        answers[name] = questions[name]()
        print(f"{name}: {time.perf_counter() - began:.2f} s", file=sys.stderr)
    print(json.dumps(answers))
