"""The moves of a game as nodes of a tree, by the names of ``chess.pgn`` of python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from ._halfmove import Board, Move, comment_values, svg
from .annotations import arrows_of, clock_text, eval_text, with_arrows, with_value
from .scores import PovScore

if TYPE_CHECKING:
    from .pgn import Game

__all__ = ["ChildNode", "GameNode"]


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
        return cast("Game", node)

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

    def starts_variation(self) -> bool:
        """Return True if the move is an alternative to another one."""
        return not self.is_main_variation()

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

    def set_clock(self, seconds: float | None) -> None:
        """Write the time left after the move into the comment (``%clk``), or remove it."""
        self.comment = with_value(self.comment, "clk", None if seconds is None else clock_text(seconds))

    def set_emt(self, seconds: float | None) -> None:
        """Write the time that the move took into the comment (``%emt``), or remove it."""
        self.comment = with_value(self.comment, "emt", None if seconds is None else clock_text(seconds))

    def set_eval(self, score: PovScore | None, depth: int | None = None) -> None:
        """Write the evaluation of the position after the move into the comment (``%eval``), or remove it."""
        self.comment = with_value(self.comment, "eval", None if score is None else eval_text(score.white(), depth))

    def set_arrows(self, arrows: Any) -> None:
        """Write arrows and marked squares into the comment, in place of those that it has: two squares each, and a color if it
        is not green."""
        self.comment = with_arrows(self.comment, arrows)

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

    def __repr__(self) -> str:
        return f"<ChildNode at {self.ply()}: {self.san()}>"
