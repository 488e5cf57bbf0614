#!/usr/bin/env python3
"""Choose perft counts small enough for every test run, as TSV: fen, depth, nodes.

    ./perft.py standard perft_standard.tsv > ../perft/standard.tsv
    ./perft.py chess960 perft_chess960.tsv > ../perft/chess960.tsv

The input has the columns fen, depth, nodes, source. Kept are, in the order of the input:

standard   of the small suites every count up to 100,000 nodes; of the three large ones (made at random,
           or of one kind) only the deepest count of each position up to 20,000 nodes; and six well-known
           positions (the first of them the start) to the greatest depth that stays under 5,000,000 nodes.
           Counts of those six that the input lacks are made here with python-chess.
chess960   every count up to 100,000 nodes, and the smallest ones above it up to 40 million nodes in all.
"""

import csv
import sys

import chess

SMALL, BULK, DEEP, CHESS960_SUM = 100_000, 20_000, 5_000_000, 40_000_000
LARGE_SUITES = ("python-chess random.perft", "Chess-EPDs ferdy en passant", "Chess-EPDs ferdy single check 1")
WELL_KNOWN = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
)


def perft(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


def well_known(counts):
    """Every count under DEEP of the well-known positions; `counts` maps (fen, depth) to nodes."""
    for fen in WELL_KNOWN:
        board, depth, nodes = chess.Board(fen), 1, 0
        while True:
            # One ply deeper multiplies by at least the branching so far: do not count in vain.
            if (fen, depth) not in counts and nodes * board.legal_moves.count() > 2 * DEEP:
                break
            nodes = counts.get((fen, depth)) or perft(board, depth)
            if nodes > DEEP:
                break
            yield fen, depth, nodes
            depth += 1


def standard(rows):
    chosen = dict.fromkeys(well_known({(fen, depth): nodes for fen, depth, nodes, _ in rows}))
    deepest = {}
    for fen, depth, nodes, source in rows:
        if source in LARGE_SUITES and nodes <= BULK and depth > deepest.get(fen, 0):
            deepest[fen] = depth
    for fen, depth, nodes, source in rows:
        wanted = depth == deepest.get(fen) if source in LARGE_SUITES else nodes <= SMALL
        if wanted:
            chosen[fen, depth, nodes] = None
    return chosen


def chess960(rows):
    limit, total = 0, 0
    for nodes in sorted(nodes for _, _, nodes, _ in rows):
        total += nodes
        if nodes > SMALL and total > CHESS960_SUM:
            break
        limit = nodes
    return [(fen, depth, nodes) for fen, depth, nodes, _ in rows if nodes <= limit]


def main():
    choose = {"standard": standard, "chess960": chess960}[sys.argv[1]]
    with open(sys.argv[2], encoding="utf-8", newline="") as suite:
        rows = [(row["fen"], int(row["depth"]), int(row["nodes"]), row["source"])
                for row in csv.DictReader(suite, delimiter="\t")]
    print("fen\tdepth\tnodes")
    chosen = choose(rows)
    for row in chosen:
        print(*row, sep="\t")
    nodes, positions = sum(nodes for _, _, nodes in chosen), len({fen for fen, _, _ in chosen})
    print(f"{len(chosen)} counts of {positions} positions, {nodes} nodes", file=sys.stderr)


if __name__ == "__main__":
    main()
