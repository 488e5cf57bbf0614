"""Sets of squares as the bits of numbers, by the names of python-chess.

>>> import halfmove
>>> board = halfmove.Board()
>>> halfmove.popcount(board.pawns & halfmove.BB_RANK_2)
8
>>> halfmove.SquareSet(halfmove.shift_up(board.knights & halfmove.BB_RANK_1)) == halfmove.SquareSet([halfmove.B2, halfmove.G2])
True
"""

from __future__ import annotations

from collections.abc import Iterator

from ._halfmove import SquareSet

# fmt: off
__all__ = [
    "BB_A1", "BB_A2", "BB_A3", "BB_A4", "BB_A5", "BB_A6", "BB_A7", "BB_A8", "BB_ALL", "BB_B1", "BB_B2", "BB_B3",
    "BB_B4", "BB_B5", "BB_B6", "BB_B7", "BB_B8", "BB_BACKRANKS", "BB_C1", "BB_C2", "BB_C3", "BB_C4", "BB_C5",
    "BB_C6", "BB_C7", "BB_C8", "BB_CENTER", "BB_CORNERS", "BB_D1", "BB_D2", "BB_D3", "BB_D4", "BB_D5", "BB_D6",
    "BB_D7", "BB_D8", "BB_DARK_SQUARES", "BB_E1", "BB_E2", "BB_E3", "BB_E4", "BB_E5", "BB_E6", "BB_E7", "BB_E8",
    "BB_EMPTY", "BB_F1", "BB_F2", "BB_F3", "BB_F4", "BB_F5", "BB_F6", "BB_F7", "BB_F8", "BB_FILES", "BB_FILE_A",
    "BB_FILE_B", "BB_FILE_C", "BB_FILE_D", "BB_FILE_E", "BB_FILE_F", "BB_FILE_G", "BB_FILE_H", "BB_G1", "BB_G2",
    "BB_G3", "BB_G4", "BB_G5", "BB_G6", "BB_G7", "BB_G8", "BB_H1", "BB_H2", "BB_H3", "BB_H4", "BB_H5", "BB_H6",
    "BB_H7", "BB_H8", "BB_KING_ATTACKS", "BB_KNIGHT_ATTACKS", "BB_LIGHT_SQUARES", "BB_PAWN_ATTACKS", "BB_RANKS",
    "BB_RANK_1", "BB_RANK_2", "BB_RANK_3", "BB_RANK_4", "BB_RANK_5", "BB_RANK_6", "BB_RANK_7", "BB_RANK_8",
    "BB_SQUARES", "between", "flip_anti_diagonal", "flip_diagonal", "flip_horizontal", "flip_vertical", "lsb",
    "msb", "popcount", "ray", "scan_forward", "scan_reversed", "shift_down", "shift_down_left", "shift_down_right",
    "shift_left", "shift_right", "shift_up", "shift_up_left", "shift_up_right", "square_knight_distance",
]
# fmt: on

BB_EMPTY, BB_ALL = 0, 0xFFFF_FFFF_FFFF_FFFF
BB_SQUARES = [1 << square for square in range(64)]
# fmt: off
(
    BB_A1, BB_B1, BB_C1, BB_D1, BB_E1, BB_F1, BB_G1, BB_H1,
    BB_A2, BB_B2, BB_C2, BB_D2, BB_E2, BB_F2, BB_G2, BB_H2,
    BB_A3, BB_B3, BB_C3, BB_D3, BB_E3, BB_F3, BB_G3, BB_H3,
    BB_A4, BB_B4, BB_C4, BB_D4, BB_E4, BB_F4, BB_G4, BB_H4,
    BB_A5, BB_B5, BB_C5, BB_D5, BB_E5, BB_F5, BB_G5, BB_H5,
    BB_A6, BB_B6, BB_C6, BB_D6, BB_E6, BB_F6, BB_G6, BB_H6,
    BB_A7, BB_B7, BB_C7, BB_D7, BB_E7, BB_F7, BB_G7, BB_H7,
    BB_A8, BB_B8, BB_C8, BB_D8, BB_E8, BB_F8, BB_G8, BB_H8,
) = BB_SQUARES
# fmt: on
BB_FILES = [0x0101_0101_0101_0101 << file for file in range(8)]
BB_RANKS = [0xFF << 8 * rank for rank in range(8)]
BB_FILE_A, BB_FILE_B, BB_FILE_C, BB_FILE_D, BB_FILE_E, BB_FILE_F, BB_FILE_G, BB_FILE_H = BB_FILES
BB_RANK_1, BB_RANK_2, BB_RANK_3, BB_RANK_4, BB_RANK_5, BB_RANK_6, BB_RANK_7, BB_RANK_8 = BB_RANKS
BB_BACKRANKS = BB_RANK_1 | BB_RANK_8
BB_CORNERS = (BB_FILE_A | BB_FILE_H) & BB_BACKRANKS
BB_CENTER = (BB_FILE_D | BB_FILE_E) & (BB_RANK_4 | BB_RANK_5)
BB_LIGHT_SQUARES = sum(bit for square, bit in enumerate(BB_SQUARES) if (square // 8 + square) % 2)
BB_DARK_SQUARES = BB_ALL ^ BB_LIGHT_SQUARES


def _jumps(*steps: tuple[int, int]) -> list[int]:
    """Return for each square the squares that one of these steps, in files and ranks, reaches."""
    jumps = []
    for square in range(64):
        targets = [(square % 8 + files, square // 8 + ranks) for files, ranks in steps]
        inside = {8 * rank + file for file, rank in targets if 0 <= file < 8 and 0 <= rank < 8}
        jumps.append(sum(BB_SQUARES[target] for target in inside))
    return jumps


BB_KNIGHT_ATTACKS = _jumps((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
BB_KING_ATTACKS = _jumps((1, 1), (1, 0), (1, -1), (0, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))
BB_PAWN_ATTACKS = [_jumps((-1, -1), (1, -1)), _jumps((-1, 1), (1, 1))]


def square_knight_distance(a: int, b: int) -> int:
    """Return the number of moves of a knight from a square to another.

    >>> halfmove.square_knight_distance(halfmove.A1, halfmove.B2)
    4
    """
    reached, distance = BB_SQUARES[a], 0
    while not reached & BB_SQUARES[b]:
        for square in scan_forward(reached):
            reached |= BB_KNIGHT_ATTACKS[square]
        distance += 1
    return distance


def lsb(bb: int) -> int:
    """Return the lowest square of a set that is not empty."""
    return (bb & -bb).bit_length() - 1


def msb(bb: int) -> int:
    """Return the highest square of a set that is not empty."""
    return bb.bit_length() - 1


def popcount(bb: int) -> int:
    """Return the number of squares of a set."""
    return bb.bit_count()


def scan_forward(bb: int) -> Iterator[int]:
    """Iterate over the squares of a set, from a1 on.

    >>> list(halfmove.scan_forward(halfmove.BB_CORNERS))
    [0, 7, 56, 63]
    """
    while bb:
        yield lsb(bb)
        bb &= bb - 1


def scan_reversed(bb: int) -> Iterator[int]:
    """Iterate over the squares of a set, from h8 on."""
    while bb:
        square = msb(bb)
        yield square
        bb ^= BB_SQUARES[square]


def between(a: int, b: int) -> int:
    """Return the squares between two squares on a line, without these."""
    return int(SquareSet.between(a, b))


def ray(a: int, b: int) -> int:
    """Return the line through two squares, from edge to edge; 0 if they are on no line."""
    return int(SquareSet.ray(a, b))


def flip_vertical(bb: int) -> int:
    """Return a set mirrored top to bottom."""
    return int.from_bytes(bb.to_bytes(8, "little"), "big")


def flip_horizontal(bb: int) -> int:
    """Return a set mirrored left to right."""
    return sum(BB_SQUARES[square ^ 7] for square in scan_forward(bb))


def flip_diagonal(bb: int) -> int:
    """Return a set mirrored at the diagonal from a1 to h8."""
    return sum(BB_SQUARES[square % 8 * 8 + square // 8] for square in scan_forward(bb))


def flip_anti_diagonal(bb: int) -> int:
    """Return a set mirrored at the diagonal from a8 to h1."""
    return sum(BB_SQUARES[63 - (square % 8 * 8 + square // 8)] for square in scan_forward(bb))


def shift_up(b: int) -> int:
    """Return a set moved up by a rank; squares that leave the board are lost, here and below."""
    return b << 8 & BB_ALL


def shift_down(b: int) -> int:
    """Return a set moved down by a rank."""
    return b >> 8


def shift_right(b: int) -> int:
    """Return a set moved right by a file."""
    return b << 1 & BB_ALL & ~BB_FILE_A


def shift_left(b: int) -> int:
    """Return a set moved left by a file."""
    return b >> 1 & ~BB_FILE_H


def shift_up_left(b: int) -> int:
    """Return a set moved up and left."""
    return shift_up(shift_left(b))


def shift_up_right(b: int) -> int:
    """Return a set moved up and right."""
    return shift_up(shift_right(b))


def shift_down_left(b: int) -> int:
    """Return a set moved down and left."""
    return shift_down(shift_left(b))


def shift_down_right(b: int) -> int:
    """Return a set moved down and right."""
    return shift_down(shift_right(b))
