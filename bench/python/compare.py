"""Ten tasks in Python, by python-chess and by Halfmove: the same answers, and the ratio of their times; and half-moves as tables.

    python3 bench/python/compare.py GAMES.pgn.zst CLOCKS.pgn.zst > bench/record/python.md

The files are a collection of masters, of which the first 2,000 games are read, and one of Lichess with clocks, of which it is the
first 1,000. Each task is run by the one and by the other, in turns, and a turn's answers are compared. Times are those of the
processor, of all threads, so that a loaded machine changes them little: a ratio says how much more work python-chess does.

The tables are those of all games of the first file, in an archive with one thread, each in a process of its own, whose largest memory
is measured.
"""

from __future__ import annotations

import collections
import datetime
import io
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import halfmove
import halfmove.pgn
import pyarrow

ROUNDS = 5
TABLE_ROUNDS = 3
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"


def first_games(path: str, most: int) -> str:
    """The text of some games without faults."""
    texts = []
    for game in halfmove.pgn.read_games(path):
        if not game.errors and game.mainline_moves():
            texts.append(str(game))
        if len(texts) == most:
            break
    return "\n\n".join(texts) + "\n"


def games_of(text: str) -> Any:
    file = io.StringIO(text)
    return iter(lambda: chess.pgn.read_game(file), None)


class Data:
    """The games, their positions and their moves."""

    def __init__(self, masters: str, clocks: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.masters, self.clocks = first_games(masters, 2000), first_games(clocks, 1000)
        self.path = Path(self.folder.name) / "games.pgn"
        self.path.write_text(self.masters)
        games = list(games_of(self.masters))[:200]
        self.lines = [[board_move[1] for board_move in moves_of(game)] for game in games]
        self.fens = [board_move[0] for game in games for board_move in moves_of(game)]
        self.mine = [halfmove.Board(fen) for fen in self.fens]
        self.theirs = [chess.Board(fen) for fen in self.fens]

    def archive(self) -> halfmove.Archive:
        """A new archive of the games: its import belongs to the task."""
        path = tempfile.mkdtemp(dir=self.folder.name) + "/archive"
        archive = halfmove.open(path, create=True)
        archive.import_pgn(self.path)
        return archive


def moves_of(game: Any) -> list[tuple[str, str]]:
    board, found = game.board(), []
    for move in game.mainline_moves():
        found.append((board.fen(), board.san(move)))
        board.push(move)
    return found


def plies(games: Any) -> tuple[int, int]:
    count, total = 0, 0
    for game in games:
        count += 1
        total += len(list(game.mainline_moves()))
    return count, total


def thinking(games: Any) -> float:
    """The clocks of the games, added up."""
    return sum(node.clock() or 0 for game in games for node in game.mainline())


def played(module: Any, lines: list[list[str]]) -> list[str]:
    ends = []
    for line in lines:
        board = module.Board()
        for san in line:
            board.push_san(san)
        ends.append(board.epd())
    return ends


def statistics_by_loop(text: str) -> dict[str, tuple[int, int, int]]:
    found: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0])
    for game in games_of(text):
        board, counts = game.board(), found[game.headers["Result"]]
        counts[0] += 1
        for move in game.mainline_moves():
            counts[1] += board.is_capture(move)
            board.push(move)
            counts[2] += board.is_check()
    return {result: tuple(counts) for result, counts in found.items()}  # type: ignore[misc]


def statistics_by_sql(archive: halfmove.Archive) -> dict[str, tuple[int, int, int]]:
    query = "select result, count(*) as games, sum(captures(moves)) as captures, sum(checks(moves)) as checks from games group by result"
    return {row["result"]: (row["games"], row["captures"], row["checks"]) for row in archive.sql(query).read_all()}


def reaching(text: str) -> int:
    count = 0
    for game in games_of(text):
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            if board.epd() == SICILIAN:
                count += 1
                break
    return count


def planes_by_loop(text: str) -> int:
    """The bitboards of all positions, added up in 64 bits."""
    total = 0
    for game in games_of(text):
        board = game.board()
        for move in game.mainline_moves():
            for color in chess.COLORS:
                for kind in chess.PIECE_TYPES:
                    total += board.pieces_mask(kind, color)
            board.push(move)
    return total % 2**64


def planes_by_training(archive: halfmove.Archive) -> int:
    total = 0
    for batch in archive.to_training(form="planes"):
        total += int(pyarrow.array(batch.column("planes")).flatten().to_numpy().sum())
    return total % 2**64


def tasks(data: Data) -> list[tuple[str, Callable[[], Any], Callable[[], Any]]]:
    """The purpose, python-chess's way, and ours."""
    mine, theirs = data.mine, data.theirs
    return [
        ("read 2,000 games", lambda: plies(games_of(data.masters)), lambda: plies(halfmove.pgn.read_games(data.path))),
        (
            "add up the clocks of 1,000 games",
            lambda: thinking(games_of(data.clocks)),
            lambda: thinking(halfmove.pgn.read_games(io.StringIO(data.clocks))),
        ),
        (
            "legal moves of 200 games' positions",
            lambda: sum(len(list(board.legal_moves)) for board in theirs),
            lambda: sum(len(list(board.legal_moves)) for board in mine),
        ),
        (
            "the same in SAN",
            lambda: sum(len(board.san(move)) for board in theirs for move in board.legal_moves),
            lambda: sum(len(board.san(move)) for board in mine for move in board.legal_moves),
        ),
        ("play 200 games in SAN", lambda: played(chess, data.lines), lambda: played(halfmove, data.lines)),
        ("read FENs", lambda: len([chess.Board(fen) for fen in data.fens]), lambda: len([halfmove.Board(fen) for fen in data.fens])),
        ("write FENs", lambda: [board.fen() for board in theirs], lambda: [board.fen() for board in mine]),
        (
            "results, captures and checks of 2,000 games",
            lambda: statistics_by_loop(data.masters),
            lambda: statistics_by_sql(data.archive()),
        ),
        ("games of 2,000 that reach 1. e4 c5", lambda: reaching(data.masters), lambda: data.archive().count(fen=SICILIAN)),
        (
            "bitboards of 2,000 games",
            lambda: planes_by_loop(data.masters),
            lambda: planes_by_training(data.archive()),
        ),
    ]


# A table of half-moves, batch by batch: its rows, the seconds of the processor, and the most memory in MB. The first pass warms up.
TABLE = """\
import resource, sys, time
import halfmove

archive = halfmove.open(sys.argv[1], threads=1)
for _ in range(2):
    began = time.process_time()
    rows = sum(len(batch) for batch in {call})
    seconds = time.process_time() - began
print(rows, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

TABLES = {
    "positions, without FEN": 'archive.positions(columns=["id", "ply", "san", "uci", "color"])',
    "positions, with FEN": 'archive.positions(columns=["id", "ply", "san", "uci", "color", "fen"])',
    "positions, one half-move a game, with FEN": 'archive.positions(columns=["id", "fen"], ply=20)',
    "training, packed": "archive.to_training()",
    "training, packed, shuffled": "archive.to_training(shuffle=1)",
    "training, planes, shuffled": 'archive.to_training(form="planes", shuffle=1)',
}


def tables(masters: str) -> tuple[int, list[str]]:
    """The number of games, and a row of the record for each table."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        archive = halfmove.open(folder + "/archive", create=True)
        games = archive.import_pgn(masters)["games"]
        plies = archive.sql("select sum(plies) as plies from games").read_all()[0]["plies"]
        for name, call in TABLES.items():
            found = []
            for _ in range(TABLE_ROUNDS):
                script = TABLE.replace("{call}", call)
                done = subprocess.run([sys.executable, "-c", script, str(archive.path)], capture_output=True, text=True, check=True)
                found.append([float(number) for number in done.stdout.split()])
            rows = int(found[0][0])
            if "ply=" not in call and not (0 <= plies - rows < plies / 1000):
                sys.exit(f"{name}: {rows} rows of {plies} half-moves")
            rates = sorted(rows / seconds / 1e6 for _, seconds, _ in found)
            memory = max(it[2] for it in found)
            lines.append(
                f"| {name} | {rows:,} | {statistics.median(rates):.2f} | {rates[0]:.2f}–{rates[-1]:.2f} | {memory:.0f} |"
            )
            print(lines[-1], file=sys.stderr)
    return games, lines


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    answer = work()
    return time.process_time() - began, answer


def cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(": ")[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def main() -> None:
    data = Data(*sys.argv[1:3])
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], capture_output=True, text=True).stdout
    load = os.getloadavg()[0]
    rows = []
    for purpose, theirs, ours in tasks(data):
        pairs = []
        # The first round warms up.
        for _ in range(ROUNDS + 1):
            (first, expected), (second, found) = timed(theirs), timed(ours)
            if found != expected or not found:
                sys.exit(f"{purpose}: {found!r}, expected {expected!r}")
            pairs.append((first, second))
        del pairs[0]
        ratios = sorted(first / second for first, second in pairs)
        median = [statistics.median(column) for column in zip(*pairs)]
        rows.append(
            f"| {purpose} | {median[0]:.3f} | {median[1]:.4f} | {statistics.median(ratios):.0f} | {ratios[0]:.0f}–{ratios[-1]:.0f} |"
        )
        print(rows[-1], file=sys.stderr)
    games, lines = tables(sys.argv[1])
    print("# Halfmove in Python, beside python-chess\n")
    print(f"- CPU: {cpu()}, {os.cpu_count()} cores")
    print(f"- System: {platform.platform()}, Python {platform.python_version()}")
    print(f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC")
    print(f"- Commit: {commit.strip()}")
    print(f"- python-chess {chess.__version__}, Halfmove {halfmove.__version__} from a wheel of `make python`")
    print(f"- Games: the first of {', '.join(Path(path).name for path in sys.argv[1:3])}")
    print(f"- Load average of the minute before: {load:.2f}")
    print(f"- Time: of the processor, in seconds, of all threads; the median of {ROUNDS} rounds in turns. An import belongs to the last three tasks.\n")
    print("| task | python-chess | Halfmove | ratio | least–most |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print("\n".join(rows))
    print(f"\nTables of half-moves, of all {games:,} games of the first file, on one core.\n")
    print("| table | rows | million rows a second | least–most | memory, MB |")
    print("| --- | ---: | ---: | ---: | ---: |")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
