#!/usr/bin/env python3
"""Count, with python-chess, the games of a plain PGN file that reach a position, and time it.

    python_chess_scan.py FILE.pgn FEN [--limit N]

Written to be fast: a visitor instead of game trees, comparison of bitboards instead of FEN text, and no
more looking once a game has matched. A position is the same if board, side to move, castling rights and
legal en-passant square are. Prints matching games, games read, CPU seconds and games a second.
"""

import argparse
import itertools
import time

import chess.pgn


class Reaches(chess.pgn.BaseVisitor):
    """Gives whether the main line of a game holds the wanted position."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.epd = wanted.epd()

    def begin_game(self):
        self.found = False

    def begin_variation(self):
        return chess.pgn.SKIP

    def begin_parse_san(self, board, san):
        return chess.pgn.SKIP if self.found else None

    def visit_board(self, board):
        if board.occupied == self.wanted.occupied and board.epd() == self.epd:
            self.found = True

    def result(self):
        return self.found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("fen")
    parser.add_argument("--limit", type=int, help="stop after so many games")
    args = parser.parse_args()
    wanted = chess.Board(args.fen)
    games = found = 0
    begin = time.process_time()
    with open(args.file, encoding="latin-1") as pgn:
        read = iter(lambda: chess.pgn.read_game(pgn, Visitor=lambda: Reaches(wanted)), None)
        for reached in itertools.islice(read, args.limit):
            games += 1
            found += reached
    seconds = time.process_time() - begin
    print(f"{found} of {games} games, {seconds:.2f} s, {games / seconds:.0f} games/s")


if __name__ == "__main__":
    main()
