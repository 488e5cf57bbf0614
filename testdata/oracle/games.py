#!/usr/bin/env python3
"""Write the main line and the final position of games, as read by python-chess, as TSV.

    zstd -dc masters.pgn.zst | ./games.py --every 50 > masters_games.tsv

Reads PGN on stdin as latin-1. Columns:

    game          the game's number in the file, from 1
    start_fen     the start position (X-FEN)
    halfmoves     half-moves of the main line
    final_fen     the position after them (X-FEN; the en-passant square only where the capture is legal)
    mainline_uci  the moves; castling is king to target (e1g1), with --chess960 king takes rook (e1h1)

A game whose main line cannot be read to its end stops the program: these files hold none.
"""

import argparse
import io
import sys

import chess.pgn


class MainLine(chess.pgn.BaseVisitor):
    """Collects the columns of one game without building its tree."""

    def __init__(self, chess960):
        self.chess960 = chess960

    def begin_game(self):
        self.start = self.last = None
        self.moves = []

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        self.start = self.start or board.fen()
        self.last = board.fen()

    def visit_move(self, board, move):
        self.moves.append(board.uci(move, chess960=self.chess960))

    def result(self):
        return self.start, len(self.moves), self.last, " ".join(self.moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only the games whose number this divides")
    parser.add_argument("--chess960", action="store_true", help="write castling as king takes rook")
    args = parser.parse_args()
    pgn = io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1")
    print("game", "start_fen", "halfmoves", "final_fen", "mainline_uci", sep="\t")
    number = 1
    while True:
        if number % args.every:
            if not chess.pgn.skip_game(pgn):
                break
        else:
            columns = chess.pgn.read_game(pgn, Visitor=lambda: MainLine(args.chess960))
            if columns is None:
                break
            print(number, *columns, sep="\t")
        number += 1


if __name__ == "__main__":
    main()
