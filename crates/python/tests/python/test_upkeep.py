"""Changes of an archive, duplicates and novelties, checked by hand and with python-chess."""

import collections
import tempfile
import unittest
from datetime import timedelta
from pathlib import Path

import club
import halfmove
from halfmove import pgn

try:
    import chess
except ImportError:
    chess = None


class Upkeep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.archive = halfmove.open(self.folder / "archive", create=True)

    def test_removal_and_undo(self):
        archive = halfmove.open(club.folder())
        self.assertEqual(
            archive.remove(player="morphy", dry_run=True), {"removed": 2, "left": 1, "version": None, "dry_run": True}
        )
        self.assertEqual(archive.ids(), [1, 2, 3])
        self.assertEqual(archive.remove(player="nobody")["version"], None)
        removed = archive.remove(player="morphy")
        self.assertEqual((removed["removed"], removed["left"], archive.ids()), (2, 1, [3]))
        self.assertIn("morphy", archive.history()[-1]["reason"])
        plan = archive.undo(dry_run=True)
        self.assertEqual((plan["games_before"], plan["games_after"], len(archive)), (1, 3, 1))
        self.assertEqual((plan["dry_run"], plan["version"]), (True, None))
        undone = archive.undo()
        self.assertFalse(undone["dry_run"])
        self.assertEqual((undone["to"], undone["version"], archive.ids()), (removed["version"] - 1, 3, [1, 2, 3]))
        archive.undo(to=0)
        self.assertEqual(archive.ids(), [])
        self.assertEqual(archive.history()["change"], ["create", "import", "remove", "undo", "undo"])
        with self.assertRaisesRegex(halfmove.ArchiveError, "above 99"):
            archive.undo(to=99)

    def test_compact_vacuum_verify(self):
        for name in ["masters.pgn.zst", "lichess.pgn.zst"]:
            self.archive.import_pgn(club.plain(name))
        before = self.archive.search().to_pylist()
        report = self.archive.compact()
        self.assertEqual((report["games"], report["files_before"], report["files_after"]), (len(before), 2, 1))
        sizes = [path.stat().st_size for path in self.archive.path.glob("*.parquet")]
        self.assertEqual(report["bytes_before"] + report["bytes_after"], sum(sizes))
        self.assertEqual(self.archive.search().to_pylist(), before)
        self.assertEqual(self.archive.vacuum()["files"], 0)
        plan = self.archive.vacuum(keep=timedelta(0), dry_run=True)
        self.assertEqual((plan["files"], len(set(plan["names"])), plan["bytes"]), (2, 2, report["bytes_before"]))
        self.assertEqual(self.archive.vacuum(keep=timedelta(0))["names"], plan["names"])
        self.assertFalse(any((self.archive.path / name).exists() for name in plan["names"]))
        verified = self.archive.verify()
        self.assertEqual((verified["problems"], verified["games"]), ([], len(before)))
        (file,) = self.archive.path.glob("*.parquet")
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.chmod(0o644)
        file.write_bytes(content)
        problems = halfmove.open(self.archive.path).verify()["problems"]
        self.assertTrue(any(file.name in problem["file"] for problem in problems), problems)

    def test_duplicates(self):
        self.archive.import_pgn(club.plain("masters.pgn.zst"), max_plies=300)
        games = list(self.archive.games(id=range(1, 31)))
        # Copies with another event, half of them with a name in capital letters.
        long = [game for game in games if len(game.mainline_moves()) >= 40][:10]
        copies = []
        for number, game in enumerate(long):
            game.headers["Event"] = "Copy"
            if number % 2:
                game.headers["White"] = game.headers["White"].upper()
            copies.append(str(game))
        (self.folder / "copies.pgn").write_text("\n\n".join(copies) + "\n")
        first = self.archive.import_pgn(self.folder / "copies.pgn")["ids"][0]
        found = [group for group in self.groups() if any(id >= first for id in group)]
        self.assertEqual(sorted(id for group in found for id in group if id >= first), list(range(first, first + 10)))
        rows = self.archive.duplicates(kind="exact")
        best = collections.Counter(row["group"] for row in rows if row["best"])
        self.assertEqual(set(best.values()), {1})
        self.assertEqual(set(best), set(rows["group"]))
        self.assertEqual(len(set(self.archive.duplicates(limit=2)["group"])), 2)
        plan = self.archive.remove_duplicates(dry_run=True, merge_tags=True)
        losers = [row["id"] for row in rows if not row["best"]]
        self.assertEqual((plan["removed"], plan["groups"], plan["version"]), (len(losers), len(best), None))
        self.assertLessEqual({tag["id"] for tag in plan["tags"]}, {row["id"] for row in rows if row["best"]})
        count = len(self.archive)
        done = self.archive.remove_duplicates()
        self.assertEqual((done["removed"], done["left"]), (len(losers), count - len(losers)))
        self.assertEqual(self.archive.count(id=losers), 0)
        self.assertEqual(len(self.archive.duplicates(kind="exact")), 0)

    def groups(self):
        groups = collections.defaultdict(list)
        for row in self.archive.duplicates(kind="exact"):
            groups[row["group"]].append(row["id"])
        return list(groups.values())

    @unittest.skipIf(chess is None, "python-chess is not installed")
    def test_novelties(self):
        """The first half-move after which no game of an earlier period has the position, by python-chess."""
        self.archive.import_pgn(club.plain("masters.pgn.zst"), sample=0.03, seed=3)
        old = halfmove.open(self.folder / "old", create=True)
        old.import_pgn(club.plain("masters.pgn.zst"), sample=0.03, seed=3, until=1992)
        seen = collections.Counter()
        for game in old.games():
            seen.update(set(positions(game)))
        rows = self.archive.novelties(against=old, since=1993).to_pylist()
        self.assertGreater(len(rows), 20)
        for row in rows:
            game = self.archive.game(row["id"])
            keys = positions(game)
            new = next((ply for ply, key in enumerate(keys) if not seen[key]), None)
            self.assertEqual(row["ply"], new)
            self.assertEqual(row["games"], seen[keys[new - 1]])
            self.assertEqual(row["san"], list(game.mainline())[new - 1].san())
            self.assertIn(keys[new - 1], positions(old.game(row["last_id"])))
        # A game is not earlier than itself.
        own = halfmove.open(club.folder()).novelties().to_pylist()
        found = [(row["ply"], row["games"], row["last_id"]) for row in own]
        self.assertEqual(found, [(None, 0, None), (2, 1, 1), (2, 2, 2)])


def positions(game):
    """The positions of a game, by python-chess."""
    board = chess.Board(game.board().fen())
    keys = [board.epd(en_passant="legal")]
    for move in game.mainline_moves():
        board.push_uci(move.uci())
        keys.append(board.epd(en_passant="legal"))
    return keys


if __name__ == "__main__":
    unittest.main()
