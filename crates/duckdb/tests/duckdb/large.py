"""The explorer answers of python-chess for large collections, beside both ways to an opening tree in DuckDB."""

import os
import sys
import unittest
from pathlib import Path

import duckdb

FOLDER = Path(os.environ["HALFMOVE_ARCHIVES"])

# A scan of all games is done for one position in this number.
EVERY = 40


def tree(moves):
    """Write the moves of an answer as the files do."""
    return {f"{uci}:{w}/{d}/{b}/{o}" for uci, w, d, b, o in moves}


class Explorer(unittest.TestCase):
    def test_answers(self):
        connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        connection.execute(f"load '{os.environ['HALFMOVE_EXTENSION']}'")
        files = sorted(FOLDER.glob("*.tsv"))
        for file in files:
            archive = file.with_suffix("")
            _, *lines = file.read_text().splitlines()
            for number, line in enumerate(lines):
                fen, white, draws, black, other, *moves = line.split("\t")
                moves = set(" ".join(moves).split())
                with self.subTest(fen, file=file.name):
                    query = f"select uci, white, draws, black, other from halfmove_explore('{archive}', fen := '{fen}')"
                    self.assertEqual(tree(connection.execute(query).fetchall()), moves)
                    if number % EVERY == 0:
                        query = f"select explore(moves, result, '{fen}') from '{archive}'"
                        ((answer,),) = connection.execute(query).fetchall()
                        names = ["uci", "white", "draws", "black", "other"]
                        self.assertEqual([str(answer[name]) for name in names[1:]], [white, draws, black, other])
                        self.assertEqual(tree([it[name] for name in names] for it in answer["moves"]), moves)
        self.assertEqual(len(files), 4)


if __name__ == "__main__":
    assert duckdb.__version__ == os.environ["HALFMOVE_DUCKDB"], duckdb.__file__
    sys.exit(not unittest.main(verbosity=1, exit=False).result.wasSuccessful())
