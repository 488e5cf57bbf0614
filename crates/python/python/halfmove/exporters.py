"""The text of games in the form that python-chess writes: with or without tags, comments and variations, in lines of some length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pgn import Game

__all__ = ["FileExporter", "StringExporter"]


def _escaped(value: str) -> str:
    """Return the value of a tag as it stands between quotes."""
    value = value.replace("\r", " ").replace("\n", " ")
    return value.replace("\\", "\\\\").replace('"', '\\"')


class StringExporter:
    """Writes games as text: ``game.accept(exporter)`` returns it.

    `columns` is the length of a line of moves; with `None`, all of them are one line.

    >>> import io
    >>> import halfmove.pgn
    >>> game = halfmove.pgn.read_game(io.StringIO("1. e4 {best} e5 (1... c5) 2. Nf3 *"))
    >>> game.accept(halfmove.pgn.StringExporter(headers=False, comments=False))
    '1. e4 e5 ( 1... c5 ) 2. Nf3 *'
    >>> game.accept(halfmove.pgn.StringExporter(headers=False, comments=False, variations=False))
    '1. e4 e5 2. Nf3 *'
    """

    def __init__(
        self, *, columns: int | None = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations
        self._text = ""

    def __str__(self) -> str:
        return self._text

    def _take(self, game: Game) -> Any:
        """Write a game, and return the result of `accept`."""
        lines = [f'[{name} "{_escaped(value)}"]' for name, value in game.headers.items()] if self.headers else []
        if lines:
            lines.append("")
        self._text = "\n".join(lines + list(self._lines(self._words(game))))
        return self._text

    def _lines(self, words: Iterable[str]) -> Iterator[str]:
        """The words in lines. A comment is one word."""
        line = ""
        for word in words:
            # The space after a word belongs to its line.
            if line and self.columns is not None and len(line) + len(word) + 1 > self.columns:
                yield line.rstrip()
                line = ""
            line += word + " "
        yield line.rstrip()

    def _words(self, game: Game) -> Iterator[str]:
        """The words of the moves. After a comment or a variation, a move of Black has a number, too."""
        # For each open line, the board now and before the last move.
        lines = [(game.board(), game.board())]
        is_numbered = True
        depth = 0
        for kind, value in game._commented_events():
            if kind == "begin":
                depth += 1
            if depth == 0 or self.variations:
                board, before = lines[-1]
                if kind == "begin":
                    lines.append((before.copy(), before))
                    is_numbered = True
                    yield "("
                elif kind == "end":
                    lines.pop()
                    is_numbered = True
                    yield ")"
                elif kind == "move":
                    lines[-1] = (board, board.copy())
                    if board.turn:
                        yield f"{board.fullmove_number}."
                    elif is_numbered:
                        yield f"{board.fullmove_number}..."
                    is_numbered = False
                    yield board.san_and_push(value)
                elif self.comments:
                    is_numbered = is_numbered or kind == "comment"
                    yield f"${value}" if kind == "nag" else "{ " + value.replace("}", "").strip() + " }"
            if kind == "end":
                depth -= 1
        yield game.headers.get("Result", "*")


class FileExporter(StringExporter):
    """Writes games to an open file, a blank line after each: ``game.accept(exporter)`` returns the number of characters."""

    def __init__(
        self,
        handle: Any,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self.handle = handle

    def _take(self, game: Game) -> int:
        text: str = super()._take(game) + "\n\n"
        self.handle.write(text)
        return len(text)
