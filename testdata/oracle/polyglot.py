#!/usr/bin/env python3
"""Write polyglot/book.bin, a small opening book, and polyglot/book.tsv, what python-chess reads in it.

    ./polyglot.py

The entries are put together here byte by byte; every move and weight of the table is what python-chess's own
reader finds. Each of the first plies of some openings is there, castling on both sides and for both colors,
and every promotion.
"""

import pathlib
import struct

import chess
import chess.polyglot

DATA = pathlib.Path(__file__).resolve().parent.parent / "polyglot"
OPENINGS = [
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O",
    "d4 d5 c4 c6 Nc3 Nf6 Nf3 dxc4 a4 Bf5",
    "d4 Nf6 Nc3 d5 Bf4 g6 Qd2 Bg7 O-O-O O-O",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nc6 Nf3 Bg4 Bd2 O-O-O",
]
ENDS = {
    "8/P6k/8/8/8/8/p6K/1N6 w - - 0 1": ["a8=Q", "a8=R", "a8=B", "a8=N"],
    "8/P6k/8/8/8/8/p6K/1N6 b - - 0 1": ["a1=Q", "axb1=R", "axb1=N"],
}
PROMOTIONS = [None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]


def encode(board, move):
    to = move.to_square
    if board.is_castling(move):
        to = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(to))
    return to | move.from_square << 6 | PROMOTIONS.index(move.promotion) << 12


entries = {}
boards = {}
for line in OPENINGS:
    board = chess.Board()
    for san in line.split():
        move = board.parse_san(san)
        key = chess.polyglot.zobrist_hash(board)
        entries.setdefault((key, encode(board, move)), len(entries) + 1)
        boards[board.fen()] = board.copy()
        board.push(move)
for fen, sans in ENDS.items():
    board = chess.Board(fen)
    boards[fen] = board
    for san in sans:
        key = chess.polyglot.zobrist_hash(board)
        entries[key, encode(board, board.parse_san(san))] = len(entries) + 300
ordered = sorted(entries.items(), key=lambda entry: (entry[0][0], -entry[1]))
(DATA / "book.bin").write_bytes(
    b"".join(struct.pack(">QHHI", key, move, weight, 7 * weight) for (key, move), weight in ordered)
)
with chess.polyglot.open_reader(DATA / "book.bin") as reader, open(DATA / "book.tsv", "w") as table:
    table.write("fen\tmoves\n")
    for fen, board in boards.items():
        found = [f"{board.san(entry.move)}={entry.weight}" for entry in reader.find_all(board)]
        table.write(f"{fen}\t{' '.join(found)}\n")
