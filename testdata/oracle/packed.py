"""Packs positions as docs/reference/packed.md says, from their FENs alone: fen, hex.

    python packed.py ../movegen/real.tsv ../movegen/tricky.tsv ../movegen/chess960.tsv > ../packed/positions.tsv

The FENs are X-FEN with an en-passant square only where the capture is legal, as those tables have them.
Needs nothing but Python.
"""

import sys


def pack(fen):
    placement, side, castling, passed, clock, number = fen.split(" ")
    men = {}
    for rank, row in zip(range(7, -1, -1), placement.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                men[8 * rank + file] = letter
                file += 1
    occupied = sum(1 << square for square in men)
    nibbles = ["pnbrqk".index(men[s].lower()) + (8 if men[s].islower() else 0) for s in sorted(men)]
    nibbles += [0] * (32 - len(nibbles))

    rights = dict.fromkeys(("K", "Q", "k", "q"), 0)
    for letter in castling.replace("-", ""):
        first = 0 if letter.isupper() else 56
        own = "R" if letter.isupper() else "r"
        king = next(f for f in range(8) if men.get(first + f) == ("K" if letter.isupper() else "k"))
        rooks = [f for f in range(8) if men.get(first + f) == own]
        if letter in "Kk":
            file = max(rooks)
        elif letter in "Qq":
            file = min(rooks)
        else:
            file = "abcdefgh".index(letter.lower())
        wing = "k" if file > king else "q"
        rights[wing.upper() if letter.isupper() else wing] = file + 1
    nibbles += [rights[wing] for wing in ("K", "Q", "k", "q")]

    halves = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2]))
    en_passant = 0 if passed == "-" else "abcdefgh".index(passed[0]) + 1
    return (
        occupied.to_bytes(8, "little")
        + halves[:16]
        + bytes([side == "b", en_passant])
        + halves[16:]
        + int(clock).to_bytes(2, "little")
        + int(number).to_bytes(2, "little")
    )


print("fen", "hex", sep="\t")
for table in sys.argv[1:]:
    with open(table, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            fen = line.split("\t")[0]
            print(fen, pack(fen).hex(), sep="\t")
