"""Squares as numbers, from a1 = 0 to h8 = 63, by the names of python-chess."""

from __future__ import annotations

__all__ = [
    "FILE_NAMES", "RANK_NAMES", "SQUARES", "SQUARES_180", "SQUARE_NAMES", "parse_square", "square", "square_distance", "square_file",
    "square_manhattan_distance", "square_mirror", "square_name", "square_rank",
]  # fmt: skip

FILE_NAMES = list("abcdefgh")
RANK_NAMES = list("12345678")
SQUARES = range(64)
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
SQUARES_180 = [square ^ 56 for square in SQUARES]


def square(file_index: int, rank_index: int) -> int:
    """Return the square of a file and a rank, each from 0.

    >>> halfmove.square(4, 3) == halfmove.E4
    True
    """
    return 8 * rank_index + file_index


def square_file(square: int) -> int:
    """Return the file of a square, 0 for the a-file."""
    return square & 7


def square_rank(square: int) -> int:
    """Return the rank of a square, from 0."""
    return square >> 3


def square_name(square: int) -> str:
    """Return the name of a square, such as e4."""
    return SQUARE_NAMES[square]


def parse_square(name: str) -> int:
    """Return the square of a name."""
    return SQUARE_NAMES.index(name)


def square_mirror(square: int) -> int:
    """Return the square on the same file, seen from the other side."""
    return square ^ 56


def square_distance(a: int, b: int) -> int:
    """Return the number of moves of a king from a square to another.

    >>> halfmove.square_distance(halfmove.A1, halfmove.C8)
    7
    """
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


def square_manhattan_distance(a: int, b: int) -> int:
    """Return the number of steps over files and ranks from a square to another."""
    return abs(square_file(a) - square_file(b)) + abs(square_rank(a) - square_rank(b))
