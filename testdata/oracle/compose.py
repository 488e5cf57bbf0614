#!/usr/bin/env python3
"""Compose the games of chess960.pgn and setup.pgn: random legal moves from chosen positions.

    ./compose.py chess960 > ../games/chess960.pgn
    ./compose.py setup > ../games/setup.pgn

From each start position many games are played out with seeded random moves, castling, promotions and en
passant preferred; kept are the two that show most of what the games before them did not: ways to castle,
promotions, en passant, disambiguations in SAN, ends. What is shown goes to stderr. The same Python and
python-chess give the same bytes.

The FEN tags of chess960.pgn are by turns X-FEN (KQkq) and Shredder-FEN (HAha), the Variant tag takes the
spellings in use and is missing from some; in setup.pgn every other game has no SetUp tag. A game that is not over
when its moves run out has the result "*".
"""

import collections
import random
import sys

import chess
import chess.pgn

TRIES, KEPT, PLIES = 40, 2, 90
VARIANT_TAGS = ("Chess960", "Fischerandom", None, "chess 960")

# Numbers of start positions; 518 is the usual one, there only the Variant tag tells.
NUMBERS = (0, 53, 166, 283, 356, 401, 518, 574, 608, 692, 777, 842, 901, 959)

# Positions where the letters KQkq of X-FEN do not do: the rook that may castle is not the outermost one.
INNER_ROOKS = (
    "1r2k1rr/pppppppp/8/8/8/8/PPPPPPPP/1R2K1RR w GBgb - 0 1",
    "rr2k2r/pppp1ppp/8/8/8/8/PPPP1PPP/RR2K2R w HBhb - 4 11",
    "2rk1r1r/p1pppppp/8/8/8/8/P1PPPPPP/2RK1R1R b Fc - 2 9",
)

SETUPS = (
    # Black to move, counters under way
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 5 8",
    "8/5k2/8/8/3r4/2R5/1K6/8 b - - 40 312",
    "8/5k2/p7/8/8/2R5/1K5P/8 w - - 99 120",
    # three knights and more, so that file, rank or both must tell them apart
    "4k3/8/1N6/8/1N3N2/8/8/4K3 w - - 0 1",
    "4k3/1n3n2/3n4/8/8/3N4/1N3N2/4K3 b - - 0 40",
    "4k3/8/8/3N4/1N3N2/8/1N3N2/4K3 w - - 0 1",
    # many queens, rooks, bishops of one color
    "6k1/6p1/8/8/Q6Q/8/1K6/Q6Q w - - 3 50",
    "QQQQ4/8/7k/5r2/8/Q7/QQQ4K/Q7 w - - 0 60",
    "4k3/3pppp1/8/8/R6R/8/3K4/R6R w - - 0 25",
    "2b3k1/4p3/8/B1B5/8/B1B5/3P4/4K3 w - - 0 33",
    "1qqk4/8/8/8/8/8/3q1q2/7K b - - 0 71",
    # promotions, with and without capture
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "2n1n3/3P4/k7/8/8/K7/4p3/3N1N2 w - - 0 80",
    "8/PPPP4/6k1/8/8/1K6/4pppp/8 w - - 0 44",
    # en passant: legal, twice legal, no captor, captor pinned on the rank, on a diagonal
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "4k3/p6p/8/3PpP2/8/8/P6P/4K3 w - e6 0 10",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 50",
    # castling rights of all kinds, and in check
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b Kq - 7 20",
    "4k2r/6pp/8/8/8/8/PP6/R3K3 w Qk - 12 34",
    "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1",
    # over before the first move: mate, stalemate, bare kings
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
)


def weight(board, move):
    """How much a move is preferred; kings and rooks keep still while they may castle."""
    if board.is_castling(move):
        return 40
    if board.is_en_passant(move):
        return 20
    if move.promotion:
        return {chess.QUEEN: 2, chess.ROOK: 4, chess.BISHOP: 4, chess.KNIGHT: 4}[move.promotion]
    if board.clean_castling_rights() and board.piece_type_at(move.from_square) in (chess.KING, chess.ROOK):
        return 0.1
    return 2 if board.piece_type_at(move.from_square) == chess.PAWN else 1


def shown(board, move):
    """What a move shows, as words."""
    side = chess.COLOR_NAMES[board.turn]
    if board.is_castling(move):
        rook = chess.square_name(move.to_square) if board.chess960 else ""
        wing = "queenside" if board.is_queenside_castling(move) else "kingside"
        yield f"{side} castles {wing} {chess.square_name(move.from_square)}{rook}".strip()
        return
    if board.is_en_passant(move):
        yield f"{side} en passant"
    if move.promotion:
        capture = " capturing" if board.is_capture(move) else ""
        yield f"{side} promotes to {chess.piece_name(move.promotion)}{capture}"
    san = board.san(move).rstrip("+#").replace("x", "")
    if san[0] in "NBRQ" and len(san) > 3:
        kind = "square" if len(san) == 5 else "file" if san[1].isalpha() else "rank"
        yield f"{side} {chess.piece_name(board.piece_type_at(move.from_square))} told by {kind}"


def play(fen, chess960, seed):
    """A random game: its final board and the set of what it shows."""
    board, features, rng = chess.Board(fen, chess960=chess960), set(), random.Random(seed)
    while not board.is_game_over() and len(board.move_stack) < PLIES:
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        move = rng.choices(moves, [weight(board, move) for move in moves])[0]
        features.update(shown(board, move))
        board.push(move)
    outcome = board.outcome()
    if outcome:
        features.add(f"ends by {outcome.termination.name.lower()}, {outcome.result()}")
    return board, features


def compose(starts, chess960, seen):
    """Yield (fen, final board, seed) of the games to keep."""
    for fen in starts:
        start = chess.Board(fen, chess960=chess960)
        if not start.is_valid():
            sys.exit(f"{fen}: {start.status()!r}")
        kept = 1 if start.is_game_over() else KEPT
        games = [(seed, *play(fen, chess960, seed)) for seed in range(1, TRIES + 1)]
        for _ in range(kept):
            best = max(games, key=lambda game: (len(game[2] - seen.keys()), -game[0]))
            games.remove(best)
            seed, board, features = best
            seen.update(features)
            yield fen, board, seed


def write(number, fen, board, seed, variant, setup):
    game = chess.pgn.Game.from_board(board)
    game.headers["Event"] = "Random legal moves"
    game.headers["Round"] = str(number)
    game.headers["White"] = game.headers["Black"] = f"Seed {seed}"
    game.headers["Result"] = board.result()
    for name, value in (("Variant", variant), ("SetUp", setup), ("FEN", fen)):
        game.headers.pop(name, None)
        if value is not None:
            game.headers[name] = value
    print(game.accept(chess.pgn.StringExporter(columns=80)), end="\n\n")


def main():
    seen = collections.Counter()
    if sys.argv[1] == "chess960":
        starts = [chess.Board.from_chess960_pos(number).fen() for number in NUMBERS] + list(INNER_ROOKS)
        for number, (fen, board, seed) in enumerate(compose(starts, True, seen), start=1):
            first = chess.Board(fen, chess960=True)
            fen = first.fen(shredder=number % 2 == 0)
            tag = VARIANT_TAGS[(number // KEPT) % len(VARIANT_TAGS)]
            if not first.has_chess960_castling_rights():
                tag = tag or "Chess960"
            write(number, fen, board, seed, tag, "1")
    else:
        for number, (fen, board, seed) in enumerate(compose(SETUPS, False, seen), start=1):
            write(number, fen, board, seed, None, "1" if number % 2 else None)
    for feature, games in sorted(seen.items()):
        print(f"{feature}: {games}", file=sys.stderr)


if __name__ == "__main__":
    main()
