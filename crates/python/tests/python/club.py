"""A small archive, and the games of the repository, for the tests."""

import os
import tempfile
from pathlib import Path

import halfmove

TESTDATA = Path(os.environ["HALFMOVE_TESTDATA"])

GAMES = """\
[Event "Paris"]
[White "Morphy, Paul"]
[Black "Duke of Brunswick"]
[Date "1858.11.02"]
[Result "1-0"]
[WhiteElo "2700"]
[BlackElo "2000"]

1. e4 {[%clk 0:10:00] best} e5 2. Nf3 (2. f4 $5 exf4) d6 1-0

[White "Anderssen, Adolf"]
[Black "Morphy, Paul"]
[Date "1858.12.20"]
[Result "0-1"]

1. e4 c5 2. d4 0-1

[White "Steinitz, William"]
[Black "Zukertort, Johannes"]
[Date "1886.01.11"]
[Result "1/2-1/2"]

1. e4 e6 1/2-1/2
"""

_folder = tempfile.TemporaryDirectory()


def folder() -> str:
    """Return the folder of a new archive of the three games."""
    place = Path(tempfile.mkdtemp(dir=_folder.name))
    (place / "games.pgn").write_text(GAMES)
    path = str(place / "club")
    halfmove.open(path, create=True).import_pgn(place / "games.pgn")
    return path


def plain(name: str) -> Path:
    """Return the path of games of the repository."""
    return TESTDATA / "games" / name
