"""An import on many machines: Ray workers make files, and one commit adds them all.

Each worker imports a text into an archive of its own, on a file system that all machines share. A worker that dies leaves such an archive
behind, and Ray repeats its work in another one; only archives that were returned are joined. Joining reads no game: the files change
folders, and one entry of the log names them. So that no id is given twice, each text has a billion ids to itself: games of the first
text are numbered from 1, those of the second from 1,000,000,001.

Files that come this way have checksums of pages, but the log has none of them as a whole; duplicates are looked for by
`halfmove duplicates`, not while importing; and `halfmove history` says WRITE, without the names of the texts.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import uuid
from pathlib import Path
from typing import Any

import ray
from deltalake import CommitProperties, DeltaTable, Transaction
from deltalake.transaction import AddAction

import halfmove

#: The ids that each text has to itself: more than it has games.
IDS = 1_000_000_000

#: The transaction of the log whose version is the highest id ever given.
LAST_ID = "halfmove.last_id"


def commit(table: DeltaTable, files: list[AddAction], last_id: int) -> None:
    """Add files to a table, and note the highest id; an error if another program has given ids meanwhile."""
    properties = CommitProperties(app_transactions=[Transaction(LAST_ID, last_id)], max_commit_retries=0)
    table.create_write_transaction(files, "append", table.schema(), commit_properties=properties)


def make(text: str, scratch: str, before: int) -> dict[str, Any]:
    """Import a text into a new archive, with ids above `before`."""
    part = Path(scratch, uuid.uuid4().hex)
    halfmove.open(part, create=True)
    commit(DeltaTable(part), [], before)
    report = halfmove.open(part).import_pgn(text, duplicates="keep")
    if report["games"] > IDS:
        raise ValueError(f"{text}: {report['games']} games; expected at most {IDS}")
    return {"part": str(part), "games": report["games"], "last_id": before + report["games"]}


def adds(part: Path) -> list[dict[str, Any]]:
    """Return the entries of a part's log that add files."""
    lines = [line for entry in sorted(part.glob("_delta_log/*.json")) for line in entry.read_text().splitlines()]
    return [action["add"] for action in map(json.loads, lines) if "add" in action]


def join(archive: str, table: DeltaTable, parts: list[dict[str, Any]]) -> None:
    """Add the files of all parts to an archive, in one commit on the version that `table` has read."""
    files = []
    # Other imports wait: they remove files that the log does not name.
    with open(Path(archive, "_halfmove.lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for part in parts:
            for add in adds(Path(part["part"])):
                os.rename(Path(part["part"], add["path"]), Path(archive, add["path"]))
                files.append(AddAction(add["path"], add["size"], {}, add["modificationTime"], True, add["stats"]))
        if files:
            commit(table, files, max(part["last_id"] for part in parts))


def main() -> None:
    """Import the files of the command line."""
    command_line = argparse.ArgumentParser(description=__doc__)
    command_line.add_argument("archive", help="the folder of an archive, which may be new")
    command_line.add_argument("pgn", nargs="+", help="files of games, also .zst, .gz and .bz2: one for each task")
    command_line.add_argument("--address", help="the address of a Ray cluster, such as 10.0.0.1:6379")
    arguments = command_line.parse_args()
    ray.init(arguments.address, log_to_driver=False)
    halfmove.open(arguments.archive, create=True)
    table = DeltaTable(arguments.archive)
    first = -(-(table.transaction_version(LAST_ID) or 0) // IDS)
    scratch = Path(f"{arguments.archive}.parts-{uuid.uuid4().hex}")
    task = ray.remote(make)
    try:
        texts = [os.path.abspath(text) for text in arguments.pgn]
        made = [task.remote(text, str(scratch.absolute()), (first + number) * IDS) for number, text in enumerate(texts)]
        parts = ray.get(made)
        join(arguments.archive, table, parts)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(json.dumps({"games": sum(part["games"] for part in parts), "files": len(parts)}))


if __name__ == "__main__":
    main()
