"""The Zobrist keys of Makruk, from the definition of SplitMix64 alone: python3 makruk_keys.py > keys.csv"""

MASK = (1 << 64) - 1


def split_mix_64(state=0):
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


numbers = split_mix_64()
keys = {}
print("what,key")
for role in ("pawn", "knight", "rook", "king", "khon", "met"):
    for color in ("white", "black"):
        for square in range(64):
            name = f"{color} {role} {'abcdefgh'[square % 8]}{square // 8 + 1}"
            keys[name] = next(numbers)
            print(f"{name},{keys[name]:016x}")
turn = next(numbers)
print(f"white to move,{turn:016x}")

start = turn
for color, back, pawns, men in (
    ("white", 1, 3, "rook knight khon king met khon knight rook"),
    ("black", 8, 6, "rook knight khon met king khon knight rook"),
):
    for file, role in zip("abcdefgh", men.split()):
        start ^= keys[f"{color} {role} {file}{back}"] ^ keys[f"{color} pawn {file}{pawns}"]
print(f"the start,{start:016x}")
