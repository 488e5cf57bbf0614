"""Halfmove: chess and Makruk games, one byte a half-move. Rules, PGN, archives, and functions over Arrow arrays.

>>> import halfmove
>>> board = halfmove.Board()
>>> for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]:
...     move = board.push_san(san)
>>> board.is_checkmate(), board.result()
(True, '1-0')
"""

from . import _halfmove, bitboards
from ._halfmove import (
    AmbiguousMoveError,
    Archive,
    ArchiveError,
    Batches,
    Board,
    Column,
    Games,
    IllegalMoveError,
    InvalidMoveError,
    LegalMoves,
    Move,
    Outcome,
    Piece,
    Rows,
    SqlError,
    SquareSet,
    Training,
    TrainingIterator,
    open,
    svg,
)

from .bitboards import *  # noqa: F403
from .squares import (  # fmt: skip
    FILE_NAMES, RANK_NAMES, SQUARES, SQUARES_180, SQUARE_NAMES, parse_square, square, square_distance, square_file,
    square_manhattan_distance, square_mirror, square_name, square_rank,
)

WHITE, BLACK = True, False
COLORS = [WHITE, BLACK]
COLOR_NAMES = ["black", "white"]

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KHON, MET = PIECE_TYPES = range(1, 9)
PIECE_NAMES: list[str | None] = [None, "pawn", "knight", "bishop", "rook", "queen", "king", "khon", "met"]
PIECE_SYMBOLS: list[str | None] = [None, *"pnbrqksm"]
UNICODE_PIECE_SYMBOLS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))

# fmt: off
(
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
) = SQUARES
# fmt: on

STARTING_FEN = Board().fen()
STARTING_BOARD_FEN = Board().board_fen()


def piece_name(piece_type: int) -> str:
    """Return the name of a piece type, such as knight."""
    name = PIECE_NAMES[piece_type]
    assert name is not None
    return name


def piece_symbol(piece_type: int) -> str:
    """Return the letter of a piece type, in lower case."""
    symbol = PIECE_SYMBOLS[piece_type]
    assert symbol is not None
    return symbol


from . import functions, pgn  # noqa: E402

__version__: str = _halfmove.__version__

# fmt: off
__all__ = [
    "AmbiguousMoveError", "Archive", "ArchiveError", "BISHOP", "BLACK", "Batches", "Board", "COLORS", "COLOR_NAMES",
    "Column", "FILE_NAMES", "Games", "IllegalMoveError", "InvalidMoveError", "KHON", "KING", "KNIGHT",
    "LegalMoves", "MET", "Move", "Outcome", "PAWN", "PIECE_NAMES", "PIECE_SYMBOLS", "PIECE_TYPES", "Piece", "QUEEN", "RANK_NAMES", "ROOK",
    "Rows", "SQUARES", "SQUARE_NAMES", "STARTING_FEN", "SqlError", "SquareSet", "Training", "TrainingIterator", "WHITE", "functions", "open",
    "parse_square", "pgn", "piece_name", "piece_symbol", "square", "square_distance", "square_file", "square_mirror",
    "square_manhattan_distance", "square_name", "square_rank", "svg", "SQUARES_180", "STARTING_BOARD_FEN", "UNICODE_PIECE_SYMBOLS",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8",
]
__all__ += bitboards.__all__
# fmt: on
