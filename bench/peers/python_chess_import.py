#!/usr/bin/env python3
"""Let python-chess read games from a plain PGN file, and time it.

    python_chess_import.py FILE.pgn [--limit N]

Reads with chess.pgn.read_game into game trees, every move checked, as a program that goes on to use the
games would; it keeps nothing. Prints games, half-moves, CPU seconds and games a second.
"""

import argparse
import itertools
import time

import chess.pgn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--limit", type=int, help="stop after so many games")
    args = parser.parse_args()
    games = halfmoves = 0
    begin = time.process_time()
    with open(args.file, encoding="latin-1") as pgn:
        for game in itertools.islice(iter(lambda: chess.pgn.read_game(pgn), None), args.limit):
            games += 1
            halfmoves += sum(1 for _ in game.mainline())
    seconds = time.process_time() - begin
    print(f"{games} games, {halfmoves} half-moves, {seconds:.2f} s, {games / seconds:.0f} games/s")


if __name__ == "__main__":
    main()
