#!/usr/bin/env python3
"""Write the games of a file like makruk/real_games.jsonl as PGN, in the standard's export format.

    ./makruk_pgn.py ../makruk/real_games.jsonl > ../games/makruk.pgn

The moves are those of the column `san`. Comments say where each game comes from and where a bia is promoted.
"""

import json
import sys
import textwrap


def main(path):
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        tags = [
            ("Event", "PlayOK"),
            ("Site", "playok.com"),
            ("Date", row["date"]),
            ("Round", "-"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", row["result"]),
            ("TimeControl", row["time_control"]),
            ("Variant", "Makruk"),
        ]
        words, after_comment = [f"{{game {row['id']} of the list}}"], True
        for ply, san in enumerate(row["san"].split()):
            if ply % 2 == 0:
                words.append(f"{ply // 2 + 1}.")
            elif after_comment:
                words.append(f"{ply // 2 + 1}...")
            words.append(san)
            after_comment = "=" in san
            if after_comment:
                words.append("{bia ngai}")
        words.append(row["result"])
        print("\n".join(f'[{name} "{value}"]' for name, value in tags), end="\n\n")
        text = " ".join(words)
        print(textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False), end="\n\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
