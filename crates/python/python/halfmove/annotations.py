"""Values in comments: ``[%clk 0:03:00]``, ``[%eval 0.17]``, and arrows and marked squares, ``[%cal Ge2e4,Rd1h5][%csl Ya4]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .scores import Score
from .squares import parse_square, square_name

__all__ = ["arrows_of", "clock_text", "eval_text", "with_arrows", "with_value"]

_ARROWS = re.compile(r"\[%c[as]l\s([^\]]*)\]")
_ARROW = re.compile(r"([GRYB])([a-h][1-8])([a-h][1-8])?")
_COLORS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}


def arrows_of(comment: str) -> list[tuple[int, int, str]]:
    """Return the arrows of a comment: two squares and a color each. A marked square is an arrow to itself."""
    found: list[tuple[int, int, str]] = []
    for group in _ARROWS.findall(comment):
        arrows = [_ARROW.fullmatch(text) for text in group.split(",")]
        if all(arrows):
            parts = [it.groups() for it in arrows if it]
            found += [(parse_square(tail), parse_square(head or tail), _COLORS[color]) for color, tail, head in parts]
    return found


def with_arrows(comment: str, arrows: Iterable[Any]) -> str:
    """Return a comment with arrows in place of those that it has.

    >>> from halfmove.annotations import with_arrows
    >>> with_arrows("[%csl Gd4] well", [(12, 28), (31, 31, "red")])
    '[%csl Rh4][%cal Ge2e4] well'
    """
    letters = {color: letter for letter, color in _COLORS.items()}
    groups: dict[str, list[str]] = {"csl": [], "cal": []}
    for tail, head, *color in arrows:
        letter = letters[color[0] if color else "green"]
        name = square_name(tail) if tail == head else square_name(tail) + square_name(head)
        groups["csl" if tail == head else "cal"].append(letter + name)
    marks = "".join(f"[%{kind} {','.join(names)}]" for kind, names in groups.items() if names)
    return f"{marks} {_ARROWS.sub('', comment).strip()}".strip()


def with_value(comment: str, name: str, value: str | None) -> str:
    """Return a comment with a value in place of the first one of that name, or at its end; without one, it is removed.

    >>> from halfmove.annotations import with_value
    >>> with_value("[%clk 0:03:00] well", "clk", "0:02:59")
    '[%clk 0:02:59] well'
    >>> with_value("well [%eval 0.17]", "eval", None)
    'well'
    """
    new = "" if value is None else f"[%{name} {value}]"
    before, *after = re.split(rf"\[%{name}\s[^\]]*\]", comment, maxsplit=1)
    parts = [before.strip(), new, *(part.strip() for part in after)]
    return " ".join(part for part in parts if part)


def clock_text(seconds: float) -> str:
    """Return seconds as hours, minutes and seconds: `0:03:00`, `0:00:09.5`."""
    thousandths = max(0, round(1000 * seconds))
    whole, rest = divmod(thousandths, 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return text if rest == 0 else f"{text}.{rest:03}".rstrip("0")


def eval_text(white: Score, depth: int | None) -> str:
    """Return White's evaluation in pawns, or the moves to mate, with a depth."""
    cp = white.score()
    text = f"#{white.mate()}" if cp is None else f"{cp / 100:.2f}"
    return text if depth is None else f"{text},{depth}"
