#!/usr/bin/env python3
"""Make the table `halfmoves` of SQL with python-chess, as TSV.

    zstd -dc masters.pgn.zst | ./halfmoves.py --every 2000 > halfmoves_masters.tsv

Reads PGN on stdin as latin-1; every game counts, also one with faults, whose moves end before the fault. A null is empty.
"""

import argparse
import io
import math
import sys

import chess
import chess.engine
import chess.pgn
import chess.polyglot

POINTS = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}
ORDER = "KQRBNP"


def letters(board, color):
    pieces = [piece.symbol().upper() for piece in board.piece_map().values() if piece.color == color]
    return "".join(sorted(pieces, key=ORDER.index))


def balance(board):
    return sum(POINTS[letter] for letter in letters(board, True)) - sum(POINTS[letter] for letter in letters(board, False))


def phase(board):
    pieces = sum(piece.symbol().upper() not in "PK" for piece in board.piece_map().values())
    return "opening" if pieces > 10 else "middlegame" if pieces > 6 else "endgame"


def win_percent(score, turn):
    """White's chances after a half-move of a side, by Lichess's formula."""
    if score is None:
        return None
    mate = score.white().mate()
    if mate is None:
        cp = max(-1000, min(1000, score.white().score()))
    else:
        cp = 1000 if mate > 0 or mate == 0 and turn else -1000
    # python-chess rounds the same to thousandths.
    wins = chess.engine.Cp(cp).wdl(model="lichess").wins
    percent = 100 / (1 + math.exp(-0.00368208 * cp))
    assert wins == round(10 * percent), (wins, percent)
    return percent


def increment(game):
    """The seconds that each move adds, as the tag TimeControl says."""
    base, plus, added = game.headers.get("TimeControl", "").partition("+")
    if not base.isdigit() or plus and not added.isdigit():
        return None
    return float(added or 0)


def rows(number, game):
    clocks, added, before = [None, None], increment(game), None
    for ply, node in enumerate(game.mainline(), 1):
        board = node.parent.board()
        clock, score = node.clock(), node.eval()
        clocks.append(clock)
        used = None
        if None not in (clocks[-3], clock, added):
            used = round(clocks[-3] - clock + added, 3)
        percent, loss = win_percent(score, board.turn), None
        if None not in (before, percent):
            loss = max(before - percent if board.turn else percent - before, 0.0)
        before = percent
        yield {
            "id": number,
            "ply": ply,
            "color": "white" if board.turn else "black",
            "move_number": board.fullmove_number,
            "san": board.san(node.move),
            "uci": board.uci(node.move),
            "fen": board.fen(),
            "fen_after": node.board().fen(),
            "clock": clock,
            "time_used": used if used is None or used >= 0 else None,
            "cp": score and score.white().score(),
            "mate": score and score.white().mate(),
            "win_percent": percent,
            "loss": loss,
            "nags": " ".join(map(str, sorted(node.nags))) or None,
            "material": letters(board, True) + "v" + letters(board, False),
            "material_balance": balance(board),
            "phase": phase(board),
            "mobility": board.legal_moves.count(),
            # Read from its FEN, which states only a legal en passant capture.
            "key": chess.polyglot.zobrist_hash(chess.Board(board.fen(), chess960=board.chess960)),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only the games whose number this divides")
    parser.add_argument("--columns", help="only these columns, with commas, where the last but one is known")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="the number of the last game")
    args = parser.parse_args()
    pgn = io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1")
    heading = None
    for number in range(1, args.most + 1):
        if number % args.every:
            if not chess.pgn.skip_game(pgn):
                break
            continue
        game = chess.pgn.read_game(pgn)
        if game is None:
            break
        for row in rows(number, game):
            if args.columns:
                row = {name: row[name] for name in args.columns.split(",")}
                if list(row.values())[-2] is None:
                    continue
            if heading is None:
                heading = list(row)
                print(*heading, sep="\t")
            print(*("" if value is None else value for value in row.values()), sep="\t")


if __name__ == "__main__":
    main()
