#!/usr/bin/env python3
"""Recompute with python-chess every fact in polyglot/, movegen/*.tsv and perft/ (counts up to LIMIT nodes).

    ./check.py [--limit LIMIT]      LIMIT defaults to 3000

Run beside this file; exits 1 and names the first row that differs.
"""

import argparse
import csv
import pathlib
import sys

import chess
import chess.polyglot

from perft import perft

DATA = pathlib.Path(__file__).resolve().parent.parent


def rows(name):
    with open(DATA / name, encoding="utf-8", newline="") as table:
        yield from list(csv.reader(table, delimiter="\t"))[1:]


def keys():
    for fen, key in rows("polyglot/keys.tsv"):
        yield fen, key, f"{chess.polyglot.zobrist_hash(chess.Board(fen, chess960=True)):016x}"


def moves(name, chess960):
    for fen, listed in rows(name):
        board = chess.Board(fen, chess960=chess960)
        yield fen, listed, " ".join(sorted(f"{board.uci(move)}={board.san(move)}" for move in board.legal_moves))


def counts(name, limit):
    for fen, depth, nodes in rows(name):
        if int(nodes) <= limit:
            yield fen, int(nodes), perft(chess.Board(fen, chess960=True), int(depth))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=3000, help="largest perft count to recompute")
    limit = parser.parse_args().limit
    tables = {
        "polyglot/keys.tsv": keys(),
        "movegen/real.tsv": moves("movegen/real.tsv", False),
        "movegen/tricky.tsv": moves("movegen/tricky.tsv", False),
        "movegen/chess960.tsv": moves("movegen/chess960.tsv", True),
        "perft/standard.tsv": counts("perft/standard.tsv", limit),
        "perft/chess960.tsv": counts("perft/chess960.tsv", limit),
    }
    for name, facts in tables.items():
        checked = 0
        for fen, listed, computed in facts:
            if listed != computed:
                sys.exit(f"{name}: {fen}\n  listed   {listed}\n  computed {computed}")
            checked += 1
        print(f"{name}: {checked} rows agree")


if __name__ == "__main__":
    main()
