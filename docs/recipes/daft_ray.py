"""Daft over an archive: on Ray if there is a cluster (`--address`), else in this process.

Daft reads the table's log and files itself. A batch function gets columns as `daft.Series` and returns as many values; so the opening
tree of a batch, which is a table, is the value of its first row.
"""

from __future__ import annotations

import daft
import pyarrow
import questions
from daft import DataType, Series, col

from halfmove import functions


@daft.func.batch(return_dtype=DataType.bool())
def reaches(moves: Series, fen: str) -> pyarrow.Array:
    """Return which games reach a position."""
    return pyarrow.array(functions.reaches(moves.to_arrow(), fen))


@daft.func.batch(return_dtype=DataType.bool())
def shows(moves: Series, conditions: str) -> pyarrow.Array:
    """Return which games have a position that meets the conditions."""
    return pyarrow.array(functions.shows(moves.to_arrow(), conditions))


@daft.func.batch(return_dtype=DataType.string())
def fen_at(moves: Series, ply: int) -> pyarrow.Array:
    """Return the position of each game after some half-moves; null if it is shorter."""
    return pyarrow.array(functions.fen_at(moves.to_arrow(), ply))


RESULTS = ["white", "draws", "black", "other"]
TREE = DataType.struct({"uci": DataType.string()} | {name: DataType.int64() for name in RESULTS})


@daft.func.batch(return_dtype=DataType.list(TREE))
def explore(moves: Series, result: Series, fen: str) -> pyarrow.Array:
    """Return the opening tree of a batch in its first row; the lists of the other rows are empty."""
    rows = pyarrow.table(functions.explore_partial(moves.to_arrow(), result.to_arrow(), fen))
    tree = pyarrow.StructArray.from_arrays([column.combine_chunks() for column in rows.columns], rows.column_names)
    ends = pyarrow.repeat(pyarrow.scalar(len(tree), pyarrow.int32()), len(moves))
    return pyarrow.ListArray.from_arrays(pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends]), tree)


def count(games: daft.DataFrame) -> int:
    """Return the number of games that reach the position."""
    return games.where(reaches(col("moves"), questions.FEN)).count_rows()


def tree(games: daft.DataFrame) -> list[list[object]]:
    """Return the moves at the position with their results."""
    partial = games.select(explore(col("moves"), col("result"), questions.FEN).alias("move")).explode("move")
    partial = partial.where(col("move").not_null()).select(*(col("move").get(name).alias(name) for name in ["uci", *RESULTS]))
    sums = partial.where(col("uci").not_null()).groupby("uci").agg(*(col(name).sum() for name in RESULTS))
    return sorted(list(row.values()) for row in sums.to_pylist())


def isolated(games: daft.DataFrame) -> list[list[object]]:
    """Return the number of games with an isolated pawn for each year."""
    found = games.where(shows(col("moves"), questions.ISOLATED) & col("year").not_null())
    years = found.groupby("year").agg(col("id").count().alias("games"))
    return sorted([row["year"], row["games"]] for row in years.to_pylist())


def near(games: daft.DataFrame) -> list[int]:
    """Return the number of groups of near duplicates, and of their games."""
    long = games.where(col("plies") >= questions.NEAR_PLY)
    keys = long.select(fen_at(col("moves"), questions.NEAR_PLY).alias("fen"), "year", "result", "id")
    groups = keys.groupby("fen", "year", "result").agg(col("id").count().alias("games")).where(col("games") > 1)
    total = groups.agg(col("games").count().alias("groups"), col("games").sum()).to_pylist()[0]
    return [total["groups"], total["games"] or 0]


def main() -> None:
    """Answer the questions of the command line."""
    command_line = questions.parser(__doc__)
    command_line.add_argument("--address", help="the address of a Ray cluster, such as 10.0.0.1:6379")
    arguments = command_line.parse_args()
    if arguments.address:
        daft.set_runner_ray(arguments.address)
    games = daft.read_deltalake(arguments.archive)
    asked = {"count": count, "explore": tree, "isolated": isolated, "near": near}
    questions.answer({name: lambda ask=ask: ask(games) for name, ask in asked.items()}, arguments.questions)


if __name__ == "__main__":
    main()
