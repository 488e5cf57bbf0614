"""A progress bar that looks like tqdm's, in terminals and notebooks."""

from __future__ import annotations

import sys
import time

__all__ = ["Bar"]


class Bar:
    """A line on stderr: the share of the bytes if their number is known, the games so far, and the time.

    >>> import io
    >>> from contextlib import redirect_stderr
    >>> from halfmove.progress import Bar
    >>> with redirect_stderr(io.StringIO()) as lines:
    ...     bar = Bar()
    ...     bar(50, 100, 7)
    >>> lines.getvalue().split(" games [")[0]
    '\\r 50%|██████████          | 7'
    """

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
        seconds = time.monotonic() - self._began
        rate = games / seconds if seconds else 0.0
        bar, left = "", ""
        if total:
            share = min(1.0, done / total)
            bar = f"{share:4.0%}|{'█' * round(20 * share):20}| "
            left = f"<{_clock(seconds / share - seconds if share else 0.0)}"
        line = f"\r{bar}{games:,} games [{_clock(seconds)}{left}, {rate:,.0f} games/s]"
        print(line, end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """End the line."""
        if self._last is not None:
            self._draw()
            print(file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes:02}:{seconds:02}"
