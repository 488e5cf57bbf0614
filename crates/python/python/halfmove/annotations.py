"""Arrows and marked squares in comments: ``[%cal Ge2e4,Rd1h5]`` and ``[%csl Ya4]``."""

from __future__ import annotations

import re

__all__ = ["arrows_of"]

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
            found += [(_square(tail), _square(head or tail), _COLORS[color]) for color, tail, head in parts]
    return found


def _square(name: str) -> int:
    return 8 * (int(name[1]) - 1) + ord(name[0]) - ord("a")
