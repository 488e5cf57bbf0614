"""Programs that read Parquet or Delta read an archive, and one of them changes it.

    readers.py read ARCHIVE         prints what each of them reads, a JSON object a line
    readers.py arrow FILE STREAM    prints the rows of a file and of a stream of Arrow IPC
    readers.py change FOLDER        deltalake changes each table in a folder, by its name, and prints what it reads then

Exits with 77 if a package is missing.
"""

import datetime
import json
import os
import sys

try:
    import deltalake
    import duckdb
    import polars
    import pyarrow
    import pyarrow.compute
    import pyarrow.dataset
    import pyarrow.ipc
    import pyarrow.parquet
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

# A condition by which files can be skipped, in SQL; below, the same as a filter of each kind.
NARROW = "year >= 1992 and plies < 60"


def plain(value):
    """A value as our JSON has it: bytes in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


def rows(table):
    """The rows of an Arrow table, in the order of their ids."""
    return sorted((plain(row) for row in table.to_pylist()), key=lambda row: row["id"])


def query(table, sql):
    """The result of deltalake's own engine, which supports more of Delta than its datasets."""
    answer = deltalake.QueryBuilder().register("games", table).execute(sql)
    return pyarrow.table(answer.read_all())


def read(path):
    table = deltalake.DeltaTable(path)
    files = table.file_uris()
    dataset = pyarrow.dataset.dataset(files)
    year, plies = pyarrow.dataset.field("year"), pyarrow.dataset.field("plies")
    narrow = (year >= 1992) & (plies < 60)
    lazy = (polars.col("year") >= 1992) & (polars.col("plies") < 60)
    filters = [("year", ">=", 1992), ("plies", "<", 60)]
    parquet = f"from read_parquet({files})"

    def verified(file):
        return pyarrow.parquet.read_table(file, page_checksum_verification=True)

    def summed():
        count, half_moves = duckdb.sql(f"select count(*), sum(plies)::bigint {parquet}").fetchall()[0]
        return {"count": count, "half_moves": half_moves}

    def delta_scan():
        connection = duckdb.connect()
        try:
            connection.load_extension("delta")
        except duckdb.Error:
            return {"skipped": "the extension delta is not installed"}
        return {"rows": rows(connection.sql(f"select * from delta_scan('{path}')").to_arrow_table())}

    def versions():
        """The number of games of each version, and the change that made it."""
        all = {}
        for entry in table.history():
            version = entry["version"]
            games = deltalake.DeltaTable(path, version=version).to_pyarrow_table().num_rows
            all[version] = {"games": games, "change": entry.get("halfmove.change")}
        return {"versions": all}

    everything = {
        "pyarrow.parquet": lambda: pyarrow.concat_tables([verified(file) for file in files]),
        "pyarrow.dataset": lambda: dataset.to_table(),
        "deltalake": lambda: table.to_pyarrow_table(),
        "deltalake, SQL": lambda: query(table, "select * from games"),
        "Polars, scan_delta": lambda: polars.scan_delta(path).collect().to_arrow(),
        "Polars, scan_parquet": lambda: polars.scan_parquet(files).collect().to_arrow(),
        "DuckDB, read_parquet": lambda: duckdb.sql(f"select * {parquet}").to_arrow_table(),
    }
    narrowed = {
        "pyarrow.parquet": lambda: pyarrow.parquet.read_table(files, filters=filters),
        "pyarrow.dataset": lambda: dataset.to_table(filter=narrow),
        "deltalake": lambda: table.to_pyarrow_table(filters=filters),
        "deltalake, SQL": lambda: query(table, f"select * from games where {NARROW}"),
        "Polars, scan_delta": lambda: polars.scan_delta(path).filter(lazy).collect().to_arrow(),
        "Polars, scan_parquet": lambda: polars.scan_parquet(files).filter(lazy).collect().to_arrow(),
        "DuckDB, read_parquet": lambda: duckdb.sql(f"select * {parquet} where {NARROW}").to_arrow_table(),
    }
    answers = [(name, lambda ask=ask: {"rows": rows(ask())}) for name, ask in everything.items()]
    answers += [(name, lambda ask=ask: {"narrow": rows(ask())}) for name, ask in narrowed.items()]
    answers += [
        ("DuckDB, read_parquet", summed),
        ("DuckDB, delta_scan", delta_scan),
        ("deltalake, history", versions),
    ]
    for name, ask in answers:
        try:
            answer = ask()
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"reader": name, **answer}))


def arrow(file, stream):
    answers = {
        "pyarrow.ipc, file": lambda: pyarrow.ipc.open_file(file).read_all(),
        "pyarrow.ipc, stream": lambda: pyarrow.ipc.open_stream(stream).read_all(),
        "Polars, read_ipc": lambda: polars.read_ipc(file).to_arrow(),
        "Polars, read_ipc_stream": lambda: polars.read_ipc_stream(stream).to_arrow(),
    }
    for name, ask in answers.items():
        print(json.dumps({"reader": name, "rows": rows(ask())}))


def append(table):
    games = table.to_pyarrow_table().slice(0, 3)
    ids = pyarrow.compute.add(games["id"], 1_000_000)
    at = games.schema.get_field_index("id")
    games = games.set_column(at, games.schema.field(at), ids)
    deltalake.write_deltalake(table, games, mode="append")


def vectors(table):
    table.alter.add_feature(
        deltalake.TableFeatures.DeletionVectors, allow_protocol_versions_increase=True
    )
    table.alter.set_table_properties({"delta.enableDeletionVectors": "true"})


CHANGES = {
    "delete": lambda table: table.delete("id % 3 = 0"),
    "update": lambda table: table.update(updates={"white": "'Somebody'"}, predicate="id < 10"),
    "append": append,
    "compact": lambda table: table.optimize.compact(),
    "z_order": lambda table: table.optimize.z_order(["white"]),
    "restore": lambda table: table.restore(1),
    "checkpoint": lambda table: table.create_checkpoint(),
    "vacuum": lambda table: table.vacuum(
        retention_hours=0, dry_run=False, enforce_retention_duration=False
    ),
    "add column": lambda table: table.alter.add_columns([deltalake.Field("mood", "string")]),
    "property": lambda table: table.alter.set_table_properties({"delta.appendOnly": "true"}),
    "deletion vectors": vectors,
}


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["read", path]:
            read(path)
        case ["arrow", file, stream]:
            arrow(file, stream)
        case ["change", folder]:
            for how, change in CHANGES.items():
                path = os.path.join(folder, how)
                change(deltalake.DeltaTable(path))
                print(json.dumps(rows(query(deltalake.DeltaTable(path), "select * from games"))))
        case _:
            sys.exit(__doc__)
    # Everything is printed. The threads of these libraries sometimes abort a Python that ends by itself.
    sys.stdout.flush()
    os._exit(0)
