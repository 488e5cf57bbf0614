"""Evaluations, by the names of ``chess.engine`` of python-chess."""

from __future__ import annotations

__all__ = ["PovScore", "Score"]


class Score:
    """An evaluation for one side: centipawns, or the moves to mate.

    >>> from halfmove.scores import Score
    >>> Score(cp=17).score(), Score(mate=-3).mate(), Score(mate=-3).score(mate_score=10000)
    (17, -3, -9997)
    """

    __slots__ = ("_cp", "_mate")

    def __init__(self, *, cp: int | None = None, mate: int | None = None) -> None:
        self._cp, self._mate = cp, mate

    def score(self, *, mate_score: int | None = None) -> int | None:
        """Return centipawns; for a mate, `mate_score` less the moves to it, or None."""
        if self._mate is None or mate_score is None:
            return self._cp
        return mate_score - self._mate if self._mate > 0 else -mate_score - self._mate

    def mate(self) -> int | None:
        """Return the moves to mate, negative if this side is mated, or None."""
        return self._mate

    def is_mate(self) -> bool:
        """Return True if it is a mate."""
        return self._mate is not None

    def __neg__(self) -> Score:
        return Score(
            cp=None if self._cp is None else -self._cp,
            mate=None if self._mate is None else -self._mate,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and (self._cp, self._mate) == (other._cp, other._mate)

    def __hash__(self) -> int:
        return hash((self._cp, self._mate))

    def __repr__(self) -> str:
        return f"Score(cp={self._cp})" if self._mate is None else f"Score(mate={self._mate})"


class PovScore:
    """An evaluation from the point of view of the side to move."""

    __slots__ = ("relative", "turn")

    def __init__(self, relative: Score, turn: bool) -> None:
        self.relative, self.turn = relative, turn

    @classmethod
    def _of_white(cls, cp: int | None, mate: int | None, turn: bool) -> PovScore:
        score = Score(cp=cp, mate=mate)
        return cls(score if turn else -score, turn)

    def pov(self, color: bool) -> Score:
        """Return the evaluation for a color."""
        return self.relative if color == self.turn else -self.relative

    def white(self) -> Score:
        """Return the evaluation for White."""
        return self.pov(True)

    def black(self) -> Score:
        """Return the evaluation for Black."""
        return self.pov(False)

    def is_mate(self) -> bool:
        """Return True if it is a mate."""
        return self.relative.is_mate()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PovScore) and self.white() == other.white()

    def __hash__(self) -> int:
        return hash(self.white())

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'WHITE' if self.turn else 'BLACK'})"
