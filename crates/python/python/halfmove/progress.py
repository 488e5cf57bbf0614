"""A progress bar that looks like tqdm's, in terminals and notebooks."""

from __future__ import annotations

import sys
import time

__all__ = ["Bar"]


class Bar:
    """A line on stderr: the share of the bytes, the games so far, and the time."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._drawn = 0.0
        self._last: tuple[int, int, int] | None = None

    def __call__(self, done: int, total: int, games: int) -> None:
        """Draw the bar, at most ten times a second."""
        self._last = (done, total, games)
        now = time.monotonic()
        if now - self._drawn >= 0.1:
            self._drawn = now
            self._draw()

    def _draw(self) -> None:
        if self._last is None:
            return
        done, total, games = self._last
        share = min(1.0, done / total) if total else 1.0
        seconds = time.monotonic() - self._began
        rate = games / seconds if seconds else 0.0
        left = seconds / share - seconds if share else 0.0
        bar = ("█" * round(20 * share)).ljust(20)
        line = f"\r{share:4.0%}|{bar}| {games:,} games [{_clock(seconds)}<{_clock(left)}, {rate:,.0f} games/s]"
        print(line, end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line."""
        if self._last is not None:
            self._draw()
            print(file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes:02}:{seconds:02}"
