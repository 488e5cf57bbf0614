#!/usr/bin/env python3
"""Say how games end: who can still mate, how often positions repeat, which draws are automatic or claimable.

    ./outcomes.py material > ../outcomes/material.tsv
    zstd -dc ../games/masters.pgn.zst | ./outcomes.py repetitions > ../outcomes/repetitions.tsv

material: for each choice of men below, three random legal placements with seeded random numbers.

repetitions: games of two kinds. Those from standard input in which a position stands three times (the first
GAMES of them), and games played out here by seeded random moves, of which most take back the one before, from
positions in which little, castling or an en passant capture (legal or pinned) is at stake. One letter or digit
a ply, the start included:

    counts  how often the position has stood by then (9 for more)
    ends    m mate, s stalemate, i insufficient material, 5 fivefold repetition, 7 seventy-five moves, - none
    claims  3 threefold repetition, f fifty moves, b both, - none: of the position as it stands
"""

import itertools
import random
import sys

import chess
import chess.pgn

GAMES, COMPOSED_PLIES = 40, 170
STARTS = (
    "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
    "8/8/4k3/8/8/3RK3/8/8 w - - 60 90",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 30",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R b KQkq - 97 60",
    # the pawn that has just advanced two can be taken, cannot because of a pin, has no taker
    "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1",
    # the same before the pawn advances
    "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
    "6bk/8/8/2p1P3/8/8/3p4/3K4 w - - 140 99",
    "8/8/3k4/8/8/3K4/3Q4/8 b - - 145 99",
)


def material():
    print("fen\twhite can mate\tblack can mate")
    rng = random.Random(20)
    sides = ["", "N", "NN", "B", "BB", "BN", "BBB", "Q", "R", "P", "QN", "QB", "RB", "RN", "PB", "PN"]
    for white, black in itertools.product(sides, sides):
        found = 0
        while found < 3:
            board = chess.Board(None)
            men = ["K", *white, "k", *black.lower()]
            squares = rng.sample(range(64), len(men))
            for square, letter in zip(squares, men):
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
            board.turn = rng.random() < 0.5
            if not board.is_valid():
                continue
            found += 1
            can = [int(not board.has_insufficient_material(color)) for color in (chess.WHITE, chess.BLACK)]
            print(board.fen(), *can, sep="\t")


def row(start, moves):
    board = chess.Board(start)
    seen, counts, ends, claims = {}, "", "", ""
    for move in [None, *moves]:
        if move is not None:
            board.push(move)
        key = board._transposition_key()
        seen[key] = seen.get(key, 0) + 1
        counts += str(min(seen[key], 9))
        for letter, over in (
            ("m", board.is_checkmate),
            ("s", board.is_stalemate),
            ("i", board.is_insufficient_material),
            ("5", board.is_fivefold_repetition),
            ("7", board.is_seventyfive_moves),
        ):
            if over():
                ends += letter
                break
        else:
            ends += "-"
        claims += "-3fb"[int(board.is_repetition(3)) + 2 * int(board.is_fifty_moves())]
    return "\t".join([start, " ".join(move.uci() for move in moves), counts, ends, claims])


def repetitions():
    print("fen\tmoves\tcounts\tends\tclaims")
    # The tags hold a few bytes that are not UTF-8.
    sys.stdin.reconfigure(encoding="latin-1")
    kept = 0
    while kept < GAMES and (game := chess.pgn.read_game(sys.stdin)) is not None:
        if "FEN" not in game.headers and game.end().board().is_repetition(3):
            kept += 1
            print(row(chess.STARTING_FEN, list(game.mainline_moves())))
    rng = random.Random(75)
    for start in STARTS:
        for _ in range(3):
            board, moves = chess.Board(start), []
            while len(moves) < COMPOSED_PLIES and (legal := list(board.legal_moves)):
                back = chess.Move(moves[-2].to_square, moves[-2].from_square) if len(moves) > 1 else None
                move = back if back in legal and rng.random() < 0.55 else rng.choice(legal)
                board.push(move)
                moves.append(move)
            print(row(start, moves))


if __name__ == "__main__":
    {"material": material, "repetitions": repetitions}[sys.argv[1]]()
