#!/usr/bin/env python3
"""Leaf counts and games of Makruk, Makpong and ASEAN chess, by Fairy-Stockfish.

    ./makruk_kin.py perft > ../makruk/kin_perft.jsonl
    ./makruk_kin.py games > ../makruk/kin_games.jsonl

Needs pyffish 0.0.90 and the program fairy-stockfish 11.1 (or its path in FAIRY_STOCKFISH). Moves are picked with
seeded random numbers, so the same programs give the same files.

perft: pieces strewn at random, half of them moved about, among them every kind that sets Makpong and ASEAN chess
apart: single and double checks, bias about to promote. Counted by fairy-stockfish; the first count compared with pyffish.

games: one object a game. `fields` has fields 4 to 6 of the FEN after each half-move (the limit of a count, or `-`;
its ply or the half-move clock; the move number). The game stops where pyffish first calls it over:

    checkmate, stalemate
    insufficient   neither side can mate
    counting       the ply of the count exceeds its limit
    threefold      the position stands for the third time
    fifty          a hundred half-moves without capture or bia move (ASEAN chess)
    ongoing        none of these after PLIES half-moves

Every seventh FEN and the last are asked of fairy-stockfish too. In ASEAN chess the two programs count differently:
what fairy-stockfish 11.1 has is in `fields_11`.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter

import pyffish

VARIANTS = ("makruk", "makpong", "asean")
PLIES = 260


class Engine:
    def __init__(self, variant):
        command = os.environ.get("FAIRY_STOCKFISH", "fairy-stockfish")
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")
        self.ask(f"setoption name UCI_Variant value {variant}\nisready", "readyok")

    def ask(self, command, last):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.process.stdout.readline().rstrip("\n"))
        return lines

    def show(self, fen, moves=()):
        played = f" moves {' '.join(moves)}" if moves else ""
        lines = self.ask(f"position fen {fen}{played}\nd", "Checkers")
        shown = next(line[5:] for line in lines if line.startswith("Fen: "))
        return shown, lines[-1].split()[1:]

    def perft(self, fen, depth):
        return int(self.ask(f"position fen {fen}\ngo perft {depth}", "Nodes searched")[-1].split(":")[1])


def strewn(variant, rng, white, black, bias, stuck=False):
    """A legal placement, or None; with `stuck` also one without a legal move."""
    letters = "KQBNRP" if variant == "asean" else "KMSNRP"
    names = dict(zip("KMSNRP", letters))
    pieces = [names[letter] for letter in white] + [names[letter].lower() for letter in black]
    board, squares = [None] * 64, list(range(64))
    rng.shuffle(squares)
    for piece in pieces:
        board[squares.pop()] = piece
    late = (7, 0) if variant == "asean" else (5, 2)
    for _ in range(bias):
        color = rng.random() < 0.5
        ranks = range(2, late[0]) if color else range(late[1] + 1, 6)
        near = late[0] - 1 if color else late[1] + 1
        rank = near if rng.random() < 0.5 else rng.choice(ranks)
        square = 8 * rank + rng.randrange(8)
        if board[square] is None:
            board[square] = "P" if color else "p"
    rows = []
    for rank in reversed(range(8)):
        row = ""
        for piece in board[8 * rank : 8 * rank + 8]:
            row += piece or "1"
        for empty in range(8, 1, -1):
            row = row.replace("1" * empty, str(empty))
        rows.append(row)
    fen = f"{'/'.join(rows)} {rng.choice('wb')} - - 0 1"
    other = fen.replace(" w ", " b ") if " w " in fen else fen.replace(" b ", " w ")
    # The side that is not to move must not be in check.
    if pyffish.gives_check(variant, other, []):
        return None
    return fen if stuck or pyffish.legal_moves(variant, fen, []) else None


def ending(variant, start, moves, seen):
    """Why the game is over now, None if it is not."""
    if not pyffish.legal_moves(variant, start, moves):
        return "checkmate" if pyffish.gives_check(variant, start, moves) else "stalemate"
    if all(pyffish.has_insufficient_material(variant, start, moves)):
        return "insufficient"
    over, _ = pyffish.is_optional_game_end(variant, start, moves)
    if not over:
        return None
    fen = pyffish.get_fen(variant, start, moves).split()
    if fen[3] != "-" and int(fen[4]) > int(fen[3]):
        return "counting"
    return "threefold" if seen[key(fen)] >= 3 else "fifty"


def key(fen):
    return (fen[0].replace("~", ""), fen[1])


def game(engine, variant, start, rng, back, capture):
    """Plays at random: takes the move before back, captures, or moves anything, with these probabilities."""
    moves, fields, fields_11, reason = [], [], [], None
    seen = Counter([key(start.split())])
    while len(moves) < PLIES and (reason := ending(variant, start, moves, seen)) is None:
        legal = sorted(pyffish.legal_moves(variant, start, moves))
        undo = moves[-2][2:4] + moves[-2][:2] if len(moves) > 1 else None
        captures = [mv for mv in legal if pyffish.is_capture(variant, start, moves, mv)]
        promotions = [mv for mv in legal if len(mv) == 5]
        if undo in legal and rng.random() < back:
            move = undo
        elif captures + promotions and rng.random() < capture:
            move = rng.choice(captures + promotions)
        else:
            move = rng.choice(legal)
        moves.append(move)
        fen = pyffish.get_fen(variant, start, moves)
        seen[key(fen.split())] += 1
        fields.append(" ".join(fen.split()[3:]))
        if variant == "asean":
            shown = engine.show(start, moves)[0].split()
            assert shown[:3] == fen.split()[:3], (variant, start, moves)
            fields_11.append(" ".join(shown[3:]))
        elif len(moves) % 7 == 0:
            assert engine.show(start, moves)[0] == fen, (variant, start, moves)
    final = pyffish.get_fen(variant, start, moves)
    if variant != "asean":
        assert engine.show(start, moves)[0] == final, (variant, start, moves)
    row = {
        "variant": variant,
        "start": start,
        "moves": " ".join(moves),
        "fields": fields,
        "final_fen": final,
        "reason": reason or "ongoing",
    }
    return row | {"fields_11": fields_11} if variant == "asean" else row


# White's and Black's pieces, and how many bias: what a count can begin from.
MATERIAL = (
    ("KR", "KN", 0), ("KRR", "KS", 0), ("KSS", "KM", 0), ("KNN", "KN", 0), ("KS", "KN", 0), ("KSM", "KM", 0),
    ("KNM", "KN", 0), ("KM", "KNM", 0), ("KN", "KSS", 0), ("KM", "KRN", 0), ("KRS", "K", 1), ("KN", "K", 2),
    ("KS", "K", 2), ("KM", "KM", 3), ("KRN", "KR", 1), ("K", "KR", 2), ("K", "KSM", 0), ("KRM", "KRN", 4),
)  # fmt: skip


def games():
    rng = random.Random(88)
    for variant in VARIANTS:
        engine = Engine(variant)
        reasons = Counter()
        for material in MATERIAL:
            for capture in (0.9, 0.5):
                start = None
                while start is None:
                    start = strewn(variant, rng, *material)
                row = game(engine, variant, start, rng, 0.02, capture)
                reasons[row["reason"]] += 1
                print(json.dumps(row))
        for back in (0.5, 0.7, 0.8, 0.85):
            for start in (pyffish.start_fen(variant), strewn(variant, rng, "KRNN", "KRS", 2)):
                if start:
                    row = game(engine, variant, start, rng, back, 0.1)
                    reasons[row["reason"]] += 1
                    print(json.dumps(row))
        print(variant, dict(reasons), file=sys.stderr)


def perft():
    rng = random.Random(64)
    for variant in ("makpong", "asean"):
        engine = Engine(variant)
        wanted = Counter({"double check": 12, "check": 12, "promotion": 8, "any": 8})
        while +wanted:
            material = ("KRRNNSSM", "KRRNNSSM", 6) if rng.random() < 0.5 else ("KRNSM", "KRNSM", 3)
            start = strewn(variant, rng, *material, stuck=True)
            if start is None:
                continue
            # Half of the positions are a few random moves away.
            moves = []
            for _ in range(rng.choice((0, rng.randrange(20)))):
                if not (legal := sorted(pyffish.legal_moves(variant, start, moves))):
                    break
                moves.append(rng.choice(legal))
            fen = pyffish.get_fen(variant, start, moves)
            after = pyffish.legal_moves(variant, fen, [])
            kind = "promotion" if any(len(move) == 5 for move in after) else "any"
            if pyffish.gives_check(variant, fen, []):
                kind = "double check" if len(engine.show(fen)[1]) > 1 else "check"
            if wanted[kind] <= 0:
                continue
            wanted[kind] -= 1
            counts = [engine.perft(fen, 1)]
            assert counts[0] == len(after), (variant, fen)
            while counts[-1] and counts[-1] < 15_000 and len(counts) < 4:
                counts.append(engine.perft(fen, len(counts) + 1))
            print(json.dumps({"variant": variant, "kind": kind, "fen": fen, "perft": counts}))


if __name__ == "__main__":
    {"perft": perft, "games": games}[sys.argv[1]]()
