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

from ._halfmove import Board, Move, PgnReader, RawGame, comment_values, svg
from .arrows import arrows_of
from .headers import Headers
from .scores import PovScore

__all__ = ["Game", "GameNode", "ChildNode", "Headers", "read_game", "read_games", "read_headers", "skip_game"]

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


class GameNode:
    """A move of a game with its annotations, or the start of the game."""

    __slots__ = ("_comment", "_nags", "_variations", "move", "parent", "starting_comment")

    def __init__(self, parent: GameNode | None, move: Move | None) -> None:
        self.parent = parent
        self.move = move
        self.starting_comment = ""
        self._comment = ""
        self._nags: set[int] = set()
        self._variations: list[ChildNode] = []

    @property
    def variations(self) -> list[ChildNode]:
        """The next moves: the first one continues this line, the others are alternatives to it."""
        return self._variations

    @variations.setter
    def variations(self, nodes: list[ChildNode]) -> None:
        self._variations = nodes

    @property
    def comment(self) -> str:
        """The comment on the move, with the values in it, such as ``[%clk 0:03:00]``."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._comment = text

    @property
    def nags(self) -> set[int]:
        """The glyphs of the move: 1 for ``!``."""
        return self._nags

    @nags.setter
    def nags(self, nags: set[int]) -> None:
        self._nags = nags

    def game(self) -> Game:
        """Return the game of the node."""
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    def board(self) -> Board:
        """Return the board after the move, with the moves that led there."""
        moves = []
        node: GameNode = self
        while node.parent is not None:
            assert node.move is not None
            moves.append(node.move)
            node = node.parent
        board = node.board()
        for move in reversed(moves):
            board.push(move)
        return board

    def ply(self) -> int:
        """Return the number of half-moves up to this one, by the number of the first move."""
        count = 0
        node: GameNode = self
        while node.parent is not None:
            count += 1
            node = node.parent
        return node.board().ply() + count

    def turn(self) -> bool:
        """Return True if White is to move after the move."""
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """Return the start of the game."""
        return self.game()

    def next(self) -> ChildNode | None:
        """Return the next move of the line, or None."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """Return the last move of the line."""
        node: GameNode = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Return True if no move follows."""
        return not self.variations

    def is_mainline(self) -> bool:
        """Return True if the move belongs to the main line."""
        node: GameNode = self
        while node.parent is not None:
            if node.parent.variations[0] is not node:
                return False
            node = node.parent
        return True

    def is_main_variation(self) -> bool:
        """Return True if the move is the first of the moves in its position."""
        return self.parent is None or self.parent.variations[0] is self

    def mainline(self) -> list[ChildNode]:
        """Return the nodes of the line that follows."""
        nodes: list[ChildNode] = []
        node = self.next()
        while node is not None:
            nodes.append(node)
            node = node.next()
        return nodes

    def mainline_moves(self) -> list[Move]:
        """Return the moves of the line that follows."""
        return [node.move for node in self.mainline()]

    def variation(self, move: int | Move | GameNode) -> ChildNode:
        """Return a next node by its number, its move, or itself."""
        for number, node in enumerate(self.variations):
            if number == move or node.move == move or node is move:
                return node
        raise KeyError(move)

    __getitem__ = variation

    def __contains__(self, move: Any) -> bool:
        return self.has_variation(move)

    def has_variation(self, move: int | Move | GameNode) -> bool:
        """Return True if `variation` finds a node."""
        try:
            self.variation(move)
        except KeyError:
            return False
        return True

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Any = ()
    ) -> ChildNode:
        """Add a next move, after those that are there."""
        node = ChildNode(self, move)
        node._comment, node.starting_comment, node._nags = comment, starting_comment, set(nags)
        self.variations.append(node)
        return node

    def add_main_variation(self, move: Move, *, comment: str = "", nags: Any = ()) -> ChildNode:
        """Add a next move before those that are there."""
        node = ChildNode(self, move)
        node._comment, node._nags = comment, set(nags)
        self.variations.insert(0, node)
        return node

    def add_line(self, moves: Any, *, comment: str = "", starting_comment: str = "", nags: Any = ()) -> GameNode:
        """Add some moves that follow each other, and return the last."""
        node: GameNode = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        node.comment = f"{node.comment} {comment}".strip()
        node.nags.update(nags)
        return node

    def remove_variation(self, move: int | Move | GameNode) -> None:
        """Remove a next node."""
        self.variations.remove(self.variation(move))

    def promote(self, move: int | Move | GameNode) -> None:
        """Exchange a next node with the one before it."""
        number = self.variations.index(self.variation(move))
        if number > 0:
            nodes = self.variations
            nodes[number - 1], nodes[number] = nodes[number], nodes[number - 1]

    def demote(self, move: int | Move | GameNode) -> None:
        """Exchange a next node with the one after it."""
        number = self.variations.index(self.variation(move))
        if number + 1 < len(self.variations):
            nodes = self.variations
            nodes[number], nodes[number + 1] = nodes[number + 1], nodes[number]

    def promote_to_main(self, move: int | Move | GameNode) -> None:
        """Make a next node the first."""
        node = self.variation(move)
        self.variations.remove(node)
        self.variations.insert(0, node)

    def clock(self) -> float | None:
        """Return the time left after the move in seconds (``%clk``)."""
        return comment_values(self.comment)[0]

    def emt(self) -> float | None:
        """Return the time that the move took in seconds (``%emt``)."""
        return comment_values(self.comment)[1]

    def eval(self) -> PovScore | None:
        """Return the evaluation of the position after the move (``%eval``)."""
        value = comment_values(self.comment)[2]
        return None if value is None else PovScore._of_white(value[0], value[1], self.turn())

    def eval_depth(self) -> int | None:
        """Return the depth of the evaluation."""
        value = comment_values(self.comment)[2]
        return None if value is None else value[2]

    def arrows(self) -> list[tuple[int, int, str]]:
        """Return the arrows of the comment (``%cal``) and its marked squares (``%csl``): two squares and a color each.

        >>> import io
        >>> import halfmove.pgn
        >>> game = halfmove.pgn.read_game(io.StringIO("1. e4 {[%cal Ge2e4,Rd8h4][%csl Yh4]} *"))
        >>> game.next().arrows()
        [(12, 28, 'green'), (59, 31, 'red'), (31, 31, 'yellow')]
        """
        return arrows_of(self.comment)

    def _repr_svg_(self) -> str:
        """The position after the move as a picture, for notebooks, with the arrows of its comment."""
        arrows = self.arrows()
        return svg(
            self.board(),
            lastmove=self.move,
            arrows=[(tail, head) for tail, head, _ in arrows if tail != head],
            fill=[tail for tail, head, _ in arrows if tail == head],
        )

    def _events(self) -> Iterator[tuple[str, Any]]:
        """The events of the moves that follow, in the order of the text, without recursion."""
        # What is left to write: an event, or a node whose next moves are written.
        rest: list[Any] = [self]
        while rest:
            item = rest.pop()
            if isinstance(item, tuple):
                yield item
                continue
            nodes = item.variations
            if not nodes:
                continue
            rest.append(nodes[0])
            for node in reversed(nodes[1:]):
                rest += [("end", ""), node, *reversed(node._own_events()), ("begin", "")]
            rest += reversed(nodes[0]._own_events())

    def _own_events(self) -> list[tuple[str, Any]]:
        events: list[tuple[str, Any]] = []
        if self.starting_comment:
            events.append(("comment", self.starting_comment))
        events.append(("move", self.move))
        events += [("nag", nag) for nag in sorted(self.nags)]
        if self.comment:
            events.append(("comment", self.comment))
        return events


class ChildNode(GameNode):
    """A move of a game with its annotations."""

    __slots__ = ()

    parent: GameNode
    move: Move

    def san(self) -> str:
        """Return the move in SAN."""
        return self.parent.board().san(self.move)

    def uci(self) -> str:
        """Return the move in UCI notation."""
        return self.parent.board().uci(self.move)

    def starts_variation(self) -> bool:
        """Return True if the move is an alternative to another one."""
        return not self.is_main_variation()

    def __repr__(self) -> str:
        return f"<ChildNode at {self.ply()}: {self.san()}>"


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
