#!/usr/bin/env python3
"""Compose games with variations and comments from games without any, as PGN.

    zstd -dc masters.pgn.zst | ./annotate.py ../../crates/game/data/openings/?.tsv > annotated.pgn

In the order of their moves, games that begin alike stand together. Of each GROUP such games, the first one is written whole;
where another one leaves it, that one goes on as a variation of LENGTH half-moves, or as a variation in a variation if it leaves
that later. Comments say whose game a variation is, and the name of the opening after the move that leads to its position. All that is
said and played is of real games. Only names in ASCII are taken.
"""

import io
import re
import sys

import chess.pgn

EVERY, GROUP, LENGTH, GAMES = 137, 5, 14, 80
ALIKE = 8  # Half-moves that all games of a group have in common.


def listed(files):
    names = {}
    for file in files:
        with open(file, encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                code, name, moves = line.rstrip("\n").split("\t")
                board = chess.Board()
                for word in moves.split():
                    if not word.endswith("."):
                        board.push_san(word)
                names.setdefault(board.epd(en_passant="legal"), f"{code} {name}")
    return names


def read(pgn):
    """The moves of each game as they stand there, and its text."""
    for text in re.split(r"(?m)^(?=\[Event )", pgn.read())[1:]:
        if text.isascii():
            movetext = text[text.rindex("]") + 1:]
            yield re.sub(r"\d+\.+", " ", movetext).split(), text


def graft(whole, other):
    """Adds what another game plays after it leaves all that is there."""
    node, moves = whole, list(other.mainline_moves())
    for number, move in enumerate(moves):
        if not node.has_variation(move):
            break
        node = node.variation(move)
    else:
        return
    if node.is_end():
        return
    tags = other.headers
    for move in moves[number:number + LENGTH]:
        node = node.add_variation(move)
    node.comment = f"{tags['White']} against {tags['Black']}, {tags['Site']} {tags['Date'][:4]}"


def main():
    names = listed(sys.argv[1:])
    games = sorted(read(io.TextIOWrapper(sys.stdin.buffer, encoding="latin-1", newline="")))
    written = 0
    for at in range(0, len(games) - GROUP, EVERY):
        group = games[at:at + GROUP]
        if len({tuple(moves[:ALIKE]) for moves, _ in group}) > 1:
            continue
        whole, *others = (chess.pgn.read_game(io.StringIO(text)) for _, text in group)
        named = None
        for node in whole.mainline():
            if node.ply() < 40 and node.board().epd(en_passant="legal") in names:
                named = node
        if named is not None:
            named.comment = names[named.board().epd(en_passant="legal")]
        for other in others:
            graft(whole, other)
        print(whole, end="\n\n")
        written += 1
        if written == GAMES:
            break


if __name__ == "__main__":
    main()
