#!/usr/bin/env python3
"""Let python-chess list the half-moves of a plain PGN file: ply, UCI, clock and evaluation.

    python_chess_halfmoves.py FILE.pgn [--limit N]

Prints the sum of all plies and of the lengths of all moves in UCI notation, plus the numbers of clocks and evaluations.
"""

import argparse
import itertools

import chess.pgn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--limit", type=int, help="stop after so many games")
    args = parser.parse_args()
    total = 0
    with open(args.file, encoding="latin-1") as pgn:
        for game in itertools.islice(iter(lambda: chess.pgn.read_game(pgn), None), args.limit):
            for ply, node in enumerate(game.mainline(), 1):
                total += ply + len(node.move.uci())
                total += (node.clock() is not None) + (node.eval() is not None)
    print(total)


if __name__ == "__main__":
    main()
