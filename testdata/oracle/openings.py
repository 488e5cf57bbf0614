#!/usr/bin/env python3
"""Name the openings of games by their positions, as python-chess plays them, as TSV.

    zstd -dc masters.pgn.zst | ./openings.py ../../crates/game/data/openings/?.tsv --every 4 > openings_masters.tsv

Reads PGN on stdin as latin-1, and the lists of openings (ECO code, name, moves under a heading). Columns:

    game     the game's number in the file, from 1
    ply      after how many half-moves its last listed position arises; 0 if none does
    opening  the number of the line that leads to that position, counted through all lists from 1; 0 if none does

Positions are compared by the first four fields of X-FEN, the en passant square only where the capture is legal. Only games
from the usual start have openings.
"""

import argparse
import io
import sys

import chess
import chess.pgn

START = chess.Board().epd(en_passant="legal")


def listed(files):
    """Positions by the number of their line; of two lines to one position the first."""
    positions = {}
    number = 0
    for file in files:
        with open(file, encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                number += 1
                board = chess.Board()
                for word in line.rstrip("\n").split("\t")[2].split():
                    if not word.endswith("."):
                        board.push_san(word)
                positions.setdefault(board.epd(en_passant="legal"), number)
    return positions


class Opening(chess.pgn.BaseVisitor):
    """The columns of one game."""

    def __init__(self, positions):
        self.positions = positions
        self.ply, self.starts_as_usual, self.found = -1, False, (0, 0)

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_board(self, board):
        self.ply += 1
        position = board.epd(en_passant="legal")
        if self.ply == 0:
            self.starts_as_usual = position == START
        if self.starts_as_usual and position in self.positions:
            self.found = (self.ply, self.positions[position])

    def result(self):
        return self.found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="only the games whose number this divides")
    args = parser.parse_args()
    positions = listed(args.lists)
    pgn = io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1")
    print("game", "ply", "opening", sep="\t")
    number = 1
    while True:
        if number % args.every:
            if not chess.pgn.skip_game(pgn):
                break
        else:
            columns = chess.pgn.read_game(pgn, Visitor=lambda: Opening(positions))
            if columns is None:
                break
            print(number, *columns, sep="\t")
        number += 1


if __name__ == "__main__":
    main()
