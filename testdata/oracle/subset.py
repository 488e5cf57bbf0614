#!/usr/bin/env python3
"""Write every Nth game of a PGN file, byte for byte, to stdout.

    zstd -dc --long=27 masters.pgn.zst | ./subset.py --every 7 > subset.pgn

A game begins at a tag line ("[" in column one) whose previous non-blank line is not a tag line; it ends
where the next one begins. Games are counted from 1 and those whose number N divides are kept, so the
output is a concatenation of unaltered pieces of the input: bytes are never decoded. Made for files
whose comments hold no line that begins with "[". The numbers read and kept go to stderr.
"""

import argparse
import sys


def games(lines):
    """Yield each game as the list of its lines (bytes, line ends kept)."""
    game, after_tag = [], False
    for line in lines:
        is_tag = line.startswith(b"[")
        if is_tag and not after_tag and game:
            yield game
            game = []
        game.append(line)
        if line.strip():
            after_tag = is_tag
    if game:
        yield game


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, required=True, help="keep the games whose number this divides")
    every = parser.parse_args().every
    read = kept = 0
    for read, game in enumerate(games(sys.stdin.buffer), start=1):
        if read % every == 0:
            kept += 1
            sys.stdout.buffer.writelines(game)
    print(f"{read} games read, {kept} kept", file=sys.stderr)


if __name__ == "__main__":
    main()
