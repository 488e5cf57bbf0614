#!/usr/bin/env python3
"""Count, with python-chess, the games that reach given positions and the moves played there, as TSV.

    zstd -dc masters.pgn.zst | ./explorer.py POSITIONS.tsv > explorer_masters.tsv

POSITIONS.tsv has a header line and a FEN in its first column. The PGN is read on stdin as latin-1.

A position is the board, the side to move, the castling rights and the en-passant square if the capture
is legal; the counters do not matter. A game counts once for a position however often it occurs, and once
for each move played from it. Results are those of the Result tag; "other" is anything but 1-0, 1/2-1/2
and 0-1. Castling is written king takes rook (e1h1). Moves are ordered by games, most first, then by name.
"""

import collections
import io
import sys

import chess.pgn

RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
OTHER = 3


def key(board):
    """What makes two positions the same, exactly (no hash)."""
    return (
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK],
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
        board.turn, board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


class Reached(chess.pgn.BaseVisitor):
    """Gives the result column of one game with the wanted positions it reached and the moves played there."""

    def __init__(self, wanted):
        self.wanted = wanted

    def begin_game(self):
        self.column, self.reached, self.now = OTHER, set(), None

    def visit_header(self, name, value):
        if name == "Result":
            self.column = RESULTS.get(value, OTHER)

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        self.now = self.wanted.get(key(board))
        if self.now is not None:
            self.reached.add((self.now, None))

    def visit_move(self, board, move):
        if self.now is not None:
            self.reached.add((self.now, board.uci(move, chess960=True)))

    def result(self):
        return self.column, self.reached


def main():
    with open(sys.argv[1], encoding="utf-8") as positions:
        fens = [line.rstrip("\n").split("\t")[0] for line in positions][1:]
    wanted = {key(chess.Board(fen, chess960=True)): fen for fen in fens}
    if len(wanted) != len(fens):
        sys.exit("two of the positions are the same")
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    pgn = io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1")
    while True:
        game = chess.pgn.read_game(pgn, Visitor=lambda: Reached(wanted))
        if game is None:
            break
        column, reached = game
        for seen in reached:
            counts[seen][column] += 1

    print("fen\tw\td\tb\tother\tmoves (uci:w/d/b/other, each game counted once per position and move)")
    moves = collections.defaultdict(list)
    for (fen, move), results in counts.items():
        if move is not None:
            moves[fen].append((-sum(results), move, results))
    for fen in fens:
        played = (f"{move}:" + "/".join(map(str, results)) for _, move, results in sorted(moves[fen]))
        print(fen, *counts[fen, None], " ".join(played), sep="\t")


if __name__ == "__main__":
    main()
