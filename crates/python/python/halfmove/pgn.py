"""Games of PGN as trees, by the names of ``chess.pgn`` of python-chess.

>>> import io
>>> import halfmove.pgn
>>> text = io.StringIO('[White "Morphy, Paul"]\\n\\n1. e4 {[%clk 0:03:00] best} e5 (1... c5) 2. Nf3 *')
>>> game = halfmove.pgn.read_game(text)
>>> game.headers["White"]
'Morphy, Paul'
>>> [node.san() for node in game.mainline()]
['e4', 'e5', 'Nf3']
>>> first = game.next()
>>> first.comment, first.clock()
('[%clk 0:03:00] best', 180.0)
>>> [variation.san() for variation in first.variations]
['e5', 'c5']
>>> halfmove.pgn.read_game(text) is None
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from . import nags
from ._halfmove import Board, Move, PgnReader, RawGame
from .exporters import FileExporter, StringExporter
from .headers import Headers
from .nags import (  # fmt: skip
    NAG_NULL, NAG_GOOD_MOVE, NAG_MISTAKE, NAG_BRILLIANT_MOVE, NAG_BLUNDER, NAG_SPECULATIVE_MOVE, NAG_DUBIOUS_MOVE,
    NAG_FORCED_MOVE, NAG_SINGULAR_MOVE, NAG_WORST_MOVE, NAG_DRAWISH_POSITION, NAG_QUIET_POSITION,
    NAG_ACTIVE_POSITION, NAG_UNCLEAR_POSITION, NAG_WHITE_SLIGHT_ADVANTAGE, NAG_BLACK_SLIGHT_ADVANTAGE,
    NAG_WHITE_MODERATE_ADVANTAGE, NAG_BLACK_MODERATE_ADVANTAGE, NAG_WHITE_DECISIVE_ADVANTAGE,
    NAG_BLACK_DECISIVE_ADVANTAGE, NAG_WHITE_ZUGZWANG, NAG_BLACK_ZUGZWANG, NAG_WHITE_MODERATE_COUNTERPLAY,
    NAG_BLACK_MODERATE_COUNTERPLAY, NAG_WHITE_DECISIVE_COUNTERPLAY, NAG_BLACK_DECISIVE_COUNTERPLAY,
    NAG_WHITE_MODERATE_TIME_PRESSURE, NAG_BLACK_MODERATE_TIME_PRESSURE, NAG_WHITE_SEVERE_TIME_PRESSURE,
    NAG_BLACK_SEVERE_TIME_PRESSURE, NAG_NOVELTY,
)
from .nodes import ChildNode, GameNode

__all__ = [
    "ChildNode", "FileExporter", "Game", "GameNode", "Headers", "StringExporter", "read_game", "read_games", "read_headers", "skip_game",
]  # fmt: skip
__all__ += nags.__all__

_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}

# A reader takes more of its file than one game, so it stays with the file until the next call.
_READERS: WeakKeyDictionary[Any, PgnReader] = WeakKeyDictionary()


def read_game(handle: Any) -> Game | None:
    """Read the next game of a file that is open for reading, or return None at its end.

    The file may be one of text or of bytes. It is read in blocks, so its position says nothing about the game.
    """
    reader = _READERS.get(handle)
    if reader is None:
        reader = _READERS[handle] = PgnReader(handle)
    raw = next(reader, None)
    if raw is None:
        # If the file is turned back, the next call begins there.
        del _READERS[handle]
        return None
    return Game._of(raw)


def read_headers(handle: Any) -> Headers | None:
    """Read the next game of a file that is open for reading, and return its tags, or None at its end."""
    game = read_game(handle)
    return None if game is None else game.headers


def skip_game(handle: Any) -> bool:
    """Skip the next game of a file that is open for reading. Return False if there is none."""
    return read_game(handle) is not None


def read_games(source: Any) -> Iterator[Game]:
    """Read the games of a file by its path (also ``.zst``, ``.gz`` and ``.bz2``), or of a file that is open."""
    return map(Game._of, PgnReader(source))


class Game(GameNode):
    """A game: its tags, and the start of its tree of moves.

    >>> import halfmove.pgn
    >>> game = halfmove.pgn.Game()
    >>> game.headers["White"] = "Morphy, Paul"
    >>> node = game.add_variation(halfmove.Move.from_uci("e2e4"))
    >>> node.comment = "best by test"
    >>> print(str(game).splitlines()[-1])
    1. e4 {best by test} *
    """

    __slots__ = ("_absent", "_raw", "_start", "errors", "headers")

    def __init__(self, headers: Any = None, *, board: Board | None = None) -> None:
        super().__init__(None, None)
        self.headers = Headers(_ROSTER if headers is None else headers)
        self.errors: list[str] = []
        self._raw: RawGame | None = None
        # The tags of the roster that the text of the game does not have.
        self._absent: set[str] = set()
        self._start = Board() if board is None else board.root()
        if board is not None and headers is None:
            self.setup(board.root())

    @classmethod
    def _of(cls, raw: RawGame) -> Game:
        game = cls.__new__(cls)
        GameNode.__init__(game, None, None)
        tags = dict(raw.headers())
        game.headers = Headers({**_ROSTER, **tags})
        game._absent = set(_ROSTER) - set(tags)
        game.errors = raw.errors
        game._raw = raw
        game._start = raw.board()
        return game

    @classmethod
    def without_tag_roster(cls) -> Game:
        """Return a game without tags."""
        return cls(headers={})

    @classmethod
    def from_board(cls, board: Board) -> Game:
        """Return a game of the moves of a board."""
        game = cls(board=board)
        node: GameNode = game
        for move in board.move_stack:
            node = node.add_variation(move)
        game.headers["Result"] = board.result()
        return game

    def setup(self, board: Board | str) -> None:
        """Set the start of the game, with the tags that belong to it."""
        start = Board(board) if isinstance(board, str) else board.root()
        self._start = start
        usual = Board(variant=start.variant)
        for name in ("SetUp", "FEN", "Variant"):
            self.headers.pop(name, None)
        if start != usual:
            self.headers.update({"SetUp": "1", "FEN": start.fen()})
        if start.variant != "chess":
            self.headers["Variant"] = start.variant.capitalize()

    @property
    def variations(self) -> list[ChildNode]:
        """The first moves."""
        self._grow()
        return self._variations

    @variations.setter
    def variations(self, nodes: list[ChildNode]) -> None:
        self._grow()
        self._variations = nodes

    @property
    def comment(self) -> str:
        """The comment before the first move."""
        self._grow()
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._grow()
        self._comment = text

    @property
    def nags(self) -> set[int]:
        """The glyphs before the first move."""
        self._grow()
        return self._nags

    @nags.setter
    def nags(self, nags: set[int]) -> None:
        self._grow()
        self._nags = nags

    def board(self) -> Board:
        """Return the board at the start."""
        return self._start.copy()

    def mainline_moves(self) -> list[Move]:
        """Return the moves of the main line."""
        return super().mainline_moves() if self._raw is None else self._raw.moves()

    def _grow(self) -> None:
        """Make the tree of a game that was read, when it is first needed."""
        raw, self._raw = self._raw, None
        if raw is None:
            return
        # The last node of each open line; a line that has no move yet is False.
        lines: list[GameNode] = [self]
        begun = False
        starting = ""
        for kind, value in raw.events():
            node = lines[-1]
            if kind == "move":
                node = lines[-1] = node.add_variation(value, starting_comment=starting)
                begun, starting = True, ""
            elif kind == "comment":
                if begun or node is self and len(lines) == 1:
                    node._comment = f"{node._comment} {value}".strip()
                else:
                    starting = f"{starting} {value}".strip()
            elif kind == "nag":
                node._nags.add(value)
            elif kind == "begin":
                lines.append(node if node.parent is None else node.parent)
                begun = False
            elif kind == "end":
                lines.pop()
                begun, starting = True, ""

    def accept(self, visitor: StringExporter) -> Any:
        """Write the game by an exporter, and return its result."""
        return visitor._take(self)

    def _commented_events(self) -> Iterator[tuple[str, Any]]:
        """The events of the whole game, with the comment and the glyphs before the first move."""
        self._grow()
        yield from (("nag", nag) for nag in sorted(self.nags))
        if self.comment:
            yield "comment", self.comment
        yield from self._events()

    def __str__(self) -> str:
        raw = self._raw
        tags = [
            (name, value)
            for name, value in self.headers.items()
            if not (name in self._absent and value == _ROSTER[name])
        ]
        if raw is not None and dict(raw.headers()) == dict(tags):
            return raw.to_pgn().rstrip("\n")
        events = list(self._events()) if raw is None else raw.events()
        if raw is None and self.comment:
            events.insert(0, ("comment", self.comment))
        return RawGame.build(tags, self._start, events).to_pgn().rstrip("\n")

    def __repr__(self) -> str:
        white, black = self.headers.get("White", "?"), self.headers.get("Black", "?")
        return f"<Game {white} - {black}, {self.headers.get('Date', '?')}, {self.headers.get('Result', '*')}>"

    def _repr_svg_(self) -> str:
        """The last position as a picture, for notebooks."""
        end = self.end()
        return self.board()._repr_svg_() if end is self else end._repr_svg_()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_game_of, (str(self),))


def _game_of(text: str) -> Game:
    raw = RawGame.of_text(text)
    assert raw is not None
    return Game._of(raw)
