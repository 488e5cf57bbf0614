#!/usr/bin/env python3
"""Count games, half-moves and results of PGN files (plain or .zst) with python-chess, as TSV.

    ./stats.py ../games/*.pgn* > ../expected/games.tsv

`faulty` counts games with a main line that python-chess cannot read to its end; results are those of the
Result tag.
"""

import io
import pathlib
import subprocess
import sys

import chess.pgn

RESULTS = ("1-0", "1/2-1/2", "0-1")


class Count(chess.pgn.BaseVisitor):
    """Gives half-moves, whether the main line has an error, and the Result tag of one game."""

    def begin_game(self):
        self.halfmoves, self.faulty, self.tag = 0, False, None

    def visit_header(self, name, value):
        if name == "Result":
            self.tag = value

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        self.halfmoves += 1

    def handle_error(self, error):
        self.faulty = True

    def result(self):
        return self.halfmoves, self.faulty, self.tag


def main():
    print("file", "games", "halfmoves", "faulty", "white", "draws", "black", "other", sep="\t")
    for path in map(pathlib.Path, sys.argv[1:]):
        data = path.read_bytes()
        if path.suffix == ".zst":
            data = subprocess.run(["zstd", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
        pgn = io.TextIOWrapper(io.BytesIO(data), encoding="latin-1")
        games = list(iter(lambda: chess.pgn.read_game(pgn, Visitor=Count), None))
        results = [sum(tag == result for _, _, tag in games) for result in RESULTS]
        print(path.name, len(games), sum(game[0] for game in games), sum(game[1] for game in games),
              *results, len(games) - sum(results), sep="\t")


if __name__ == "__main__":
    main()
