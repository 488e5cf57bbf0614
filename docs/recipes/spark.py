"""Spark over an archive, and Sail, which is Spark without Java.

`--master` is a Spark cluster (`spark://…`, `yarn`, by default two threads of this machine), `--remote` a server of Spark Connect, such
as Sail's. The package `deltalake` reads the table's log, Spark reads its files, and the functions get the columns as Arrow arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow
import questions
from deltalake import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

Batches = Callable[[Iterator[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]
TREE = "uci string, white long, draws long, black long, other long"


def column(name: str, *arguments: object) -> Batches:
    """Return a function for `mapInArrow` that replaces the column `moves` by the value of one of our functions."""

    def replace(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from halfmove import functions

        for batch in batches:
            value = pyarrow.array(getattr(functions, name)(batch.column("moves"), *arguments))
            columns = {field: batch.column(field) for field in batch.schema.names}
            yield pyarrow.RecordBatch.from_pydict({**columns, "moves": value})

    return replace


def explore(fen: str) -> Batches:
    """Return a function for `mapInArrow` that makes an opening tree of each batch."""

    def partial(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from halfmove import functions

        for batch in batches:
            yield from pyarrow.table(functions.explore_partial(batch.column("moves"), batch.column("result"), fen)).to_batches()

    return partial


def count(games: DataFrame) -> int:
    """Return the number of games that reach the position."""
    found = games.select("moves").mapInArrow(column("reaches", questions.FEN), "moves boolean")
    return found.where("moves").count()


def tree(games: DataFrame) -> list[list[object]]:
    """Return the moves at the position with their results."""
    partial = games.select("moves", "result").mapInArrow(explore(questions.FEN), TREE).where("uci is not null")
    sums = partial.groupBy("uci").sum("white", "draws", "black", "other")
    return sorted(list(row) for row in sums.collect())


def isolated(games: DataFrame) -> list[list[object]]:
    """Return the number of games with an isolated pawn for each year."""
    found = games.where("year is not null").select("year", "moves")
    found = found.mapInArrow(column("shows", questions.ISOLATED), "year int, moves boolean").where("moves")
    return sorted(list(row) for row in found.groupBy("year").count().collect())


def near(games: DataFrame) -> list[int]:
    """Return the number of groups of near duplicates, and of their games."""
    long = games.where(sql.col("plies") >= questions.NEAR_PLY).select("year", "result", "moves")
    keys = long.mapInArrow(column("fen_at", questions.NEAR_PLY), "year int, result string, moves string")
    groups = keys.groupBy("moves", "year", "result").count().where("count > 1")
    total = groups.agg(sql.count("*"), sql.sum("count")).collect()[0]
    return [total[0], total[1] or 0]


def main() -> None:
    """Answer the questions of the command line."""
    command_line = questions.parser(__doc__)
    where = command_line.add_mutually_exclusive_group()
    where.add_argument("--master", default="local[2]", help="the address of a Spark cluster")
    where.add_argument("--remote", help="the address of a server of Spark Connect, such as sc://127.0.0.1:50051")
    arguments = command_line.parse_args()
    builder = SparkSession.builder.appName("halfmove")
    session = (builder.remote(arguments.remote) if arguments.remote else builder.master(arguments.master)).getOrCreate()
    games = session.read.parquet(*DeltaTable(arguments.archive).file_uris())
    asked = {"count": count, "explore": tree, "isolated": isolated, "near": near}
    questions.answer({name: lambda ask=ask: ask(games) for name, ask in asked.items()}, arguments.questions)
    session.stop()


if __name__ == "__main__":
    main()
