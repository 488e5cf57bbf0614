"""The extension in one version of DuckDB, with nothing but Python's own library and the package `duckdb`.

The environment says where the extension, the archives and the answers are: see `duckdb.rs` beside this folder.
"""

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import duckdb

EXTENSION = os.environ["HALFMOVE_EXTENSION"]
FOLDER = Path(os.environ["HALFMOVE_ARCHIVES"])
EXPECTED = Path(os.environ["HALFMOVE_TESTDATA"]) / "expected"
FUNCTIONS = json.loads((FOLDER / "functions.json").read_text())
MASTERS, GAMES, EMPTY = (str(FOLDER / name) for name in ["masters", "games.halfmove", "empty"])
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"

# What the community extensions `chess` and `aixchess` register.
TAKEN = {"board_at_position", "fen_at_position", "piece_counts_at_position", "move_details"}
TAKEN |= {"matches_subfen", "scoutfish_query", "to_pgn", "read_pgn"}

# The columns that hold tags, as `tag` takes them.
TAGS = "other_tags, tag_order, event, site, date, round, white, black, result, white_elo, black_elo, eco, start_fen"

def connect(**config):
    """Return a connection with the extension."""
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", **config})
    connection.execute(f"load '{EXTENSION}'")
    return connection


def as_text(value):
    """Write a value as the reference does."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {as_text(it)}" for name, it in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join("" if it is None else as_text(it) for it in value) + "]"
    return str(value)


def quoted(text):
    """Write a text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def tree(moves):
    """Write the moves of an answer of the explorer as the files of expected answers do."""
    return {f"{uci}:{w}/{d}/{b}/{o}" for uci, w, d, b, o in moves}


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.connection = connect()

    def rows(self, query, *values):
        return self.connection.execute(query, values).fetchall()

    def one(self, query, *values):
        ((value,),) = self.rows(query, *values)
        return value

    def error(self, query, *values):
        with self.assertRaises(duckdb.Error) as caught:
            self.rows(query, *values)
        return str(caught.exception)

    def test_examples_of_the_table(self):
        for function in FUNCTIONS:
            ids = function["games"]
            # A function of DuckDB sees only its arguments.
            calls = [call[:-1] + f", {TAGS})" if call.startswith("tag(") else call for call in function["calls"]]
            where = f"where id in ({', '.join(map(str, ids))}) order by id" if ids else ""
            with self.subTest(function["name"]):
                found = self.rows(f"select {', '.join(calls)} from halfmove_games('{GAMES}') {where}")
                self.assertEqual([[as_text(it) for it in row] for row in found], function["answers"])
        self.assertEqual(len(FUNCTIONS), 39)

    def test_functions_are_in_the_catalog(self):
        ours = {function["name"] for function in FUNCTIONS}
        found = self.rows("select distinct function_name from duckdb_functions()")
        found = {name for (name,) in found}
        self.assertEqual(ours - found, set())
        tables = {"halfmove_games", "halfmove_search", "halfmove_positions", "halfmove_explore"}
        self.assertEqual(tables - found, set())
        self.assertFalse((ours | tables) & TAKEN)
        self.assertFalse([name for name in ours | tables if name.startswith("chess_")])

    def test_functions_answer_as_python_chess(self):
        heading, *rows = (EXPECTED / "functions_masters.tsv").read_text().splitlines()
        calls = ", ".join(heading.split("\t"))
        query = f"select {calls} from halfmove_games('{MASTERS}') where id % 20 = 0 order by id"
        found = ["\t".join("" if it is None else str(it) for it in row) for row in self.rows(query)]
        self.assertEqual(len(found), 1040)
        self.assertEqual(found, rows)

    def test_explorer(self):
        """Both ways to an opening tree, beside the answers of python-chess."""
        _, *lines = (EXPECTED / "explorer_masters.tsv").read_text().splitlines()
        self.connection.execute(f"create table m as select moves, result from halfmove_games('{MASTERS}')")
        for number, line in enumerate(lines):
            fen, white, draws, black, other, *moves = line.split("\t")
            moves = set(" ".join(moves).split())
            query = f"select uci, white, draws, black, other from halfmove_explore('{MASTERS}', fen := '{fen}')"
            self.assertEqual(tree(self.rows(query)), moves)
            if number % 20 == 0:
                answer = self.one("select explore(moves, result, ?) from m", fen)
                counts = [str(answer[name]) for name in ["white", "draws", "black", "other"]]
                self.assertEqual(counts, [white, draws, black, other])
                names = ["uci", "white", "draws", "black", "other"]
                self.assertEqual(tree([it[name] for name in names] for it in answer["moves"]), moves)
        self.assertEqual(len(lines), 281)

    def test_groups(self):
        """A tree for each of many groups, whose rows alternate, on several threads."""
        query = f"""select year % 7 as part, explore(moves, result, '{START}') as it
            from halfmove_games('{MASTERS}') group by 1"""
        parts = self.rows(query)
        self.assertGreater(len(parts), 6)
        whole = self.one(f"select explore(moves, result, '{START}') from halfmove_games('{MASTERS}')")
        for name in ["white", "draws", "black", "other"]:
            self.assertEqual(sum(it[name] for _, it in parts), whole[name])
        for part, it in parts:
            of_part = "is null" if part is None else f"= {part}"
            alone = f"select explore(moves, result, '{START}') from halfmove_games('{MASTERS}') where year % 7 {of_part}"
            self.assertEqual(self.one(alone), it)

    def test_searches_find_what_other_programs_do(self):
        _, *lines = (EXPECTED / "questions_masters.tsv").read_text().splitlines()
        tried = 0
        for line in lines:
            _, program, query, flags, count, games = line.split("\t")
            words, conditions = shlex.split(flags), {}
            while words:
                name = words.pop(0)[2:].replace("-", "_")
                name = {"as": "as_", "for": "for_"}.get(name, name)
                value = words.pop(0) if words and not words[0].startswith("--") else "true"
                conditions[name] = f"{conditions[name]},{value}" if name in conditions else value
            if left_out := set(conditions) - self.conditions():
                self.assertEqual(left_out, {"where"})
                continue
            given = "".join(f", {name} := {quoted(value)}" for name, value in conditions.items())
            with self.subTest(flags):
                ids = self.rows(f"select id from halfmove_search('{MASTERS}'{given})")
                found = sorted(id for (id,) in ids)
                self.assertEqual(len(found), int(count), program)
                theirs = [int(game.split(":")[0]) for game in games.split(" ")]
                if len(theirs) == len(found):
                    self.assertEqual(found, theirs)
                else:
                    self.assertLessEqual(set(theirs), set(found))
            tried += 1
        self.assertEqual(tried, 111)

    def conditions(self):
        (parameters,) = self.rows(
            "select parameters from duckdb_functions() where function_name = 'halfmove_search'"
        )
        return set(parameters[0])

    def test_all_columns(self):
        """The columns have the values that DuckDB itself reads from the files."""
        for path in [MASTERS, GAMES]:
            ours = f"halfmove_games('{path}')"
            theirs = f"(select * exclude signature from read_parquet('{path}/**/*.parquet'))"
            columns = [[row[:2] for row in self.rows(f"describe from {table}")] for table in [ours, theirs]]
            self.assertEqual(*columns)
            for one, other in [(ours, theirs), (theirs, ours)]:
                self.assertEqual(self.rows(f"select id from (from {one} except all from {other})"), [])
            self.assertGreater(self.one(f"select sum(len(other_tags)) from {ours}"), 0)

    def test_projection(self):
        """Columns come in the order of the query, and a column that is not asked for is not read."""
        query = f"select black, id, white, id from halfmove_games('{MASTERS}') where id = 7"
        black, number, white, again = self.rows(query)[0]
        expected = f"select black, white from read_parquet('{MASTERS}/**/*.parquet') where id = 7"
        self.assertEqual(([(black, white)], number, again), (self.rows(expected), 7, 7))
        self.assertEqual(self.one(f"select count(*) from halfmove_games('{MASTERS}')"), 20816)
        with tempfile.TemporaryDirectory() as folder:
            damaged = shutil.copytree(MASTERS, f"{folder}/damaged")
            (file,) = map(str, Path(damaged).rglob("*.parquet"))
            places = self.rows(
                f"select data_page_offset from parquet_metadata('{file}') where path_in_schema = 'moves'"
            )
            with open(file, "r+b") as bytes_:
                for (place,) in places:
                    bytes_.seek(place + 1000)
                    bytes_.write(b"damaged!" * 10)
            count = f"select count(*), count(white) from halfmove_games('{damaged}')"
            self.assertEqual(self.rows(count), [(20816, 20816)])
            message = self.error(f"select sum(octet_length(moves)) from halfmove_games('{damaged}')")
            self.assertIn("damaged", message)

    def test_positions(self):
        query = f"select count(*), sum(ply) from halfmove_positions('{MASTERS}')"
        expected = f"select sum(plies), sum(plies * (plies + 1) // 2) from halfmove_games('{MASTERS}')"
        self.assertEqual(self.rows(query), self.rows(expected))
        query = f"select ply, san, fen from halfmove_positions('{GAMES}') where id = 2 order by ply"
        fens = f"select moves, unnest(range(0, plies)) as n from halfmove_games('{GAMES}') where id = 2"
        fens = f"select n, fen_at(moves, n) from ({fens})"
        found = self.rows(query)
        self.assertEqual([(ply - 1, fen) for ply, _, fen in found], sorted(self.rows(fens)))
        self.assertEqual([san for _, san, _ in found], ["f3", "e5", "g4", "Qh4#"])

    def test_half_moves_by_their_numbers(self):
        """`ply` chooses the rows that a condition would, and only these are computed."""
        columns = "id, ply, san, fen, clock, material_balance"
        for path in [MASTERS, GAMES]:
            for given, condition in [
                ("1", "ply = 1"),
                ("[1, 101]", "ply in (1, 101)"),
                ("['20-39', '101-']", "ply between 20 and 39 or ply >= 101"),
                ("'1, 20-22,21-39, 400-'", "ply = 1 or ply between 20 and 39 or ply >= 400"),
                ("[]", "false"),
                ("'none'", "false"),
                ("null", "true"),
            ]:
                conditions = "" if path == GAMES else ", min_elo := 2500"
                ours = f"select {columns} from halfmove_positions('{path}', ply := {given}{conditions})"
                theirs = f"select {columns} from halfmove_positions('{path}'{conditions}) where {condition}"
                with self.subTest(given, path=path):
                    found = sorted(self.rows(ours), key=str)
                    self.assertEqual(found, sorted(self.rows(theirs), key=str))
                    if condition == "ply = 1":
                        games = f"select count(*) from halfmove_search('{path}'{conditions}) where plies > 0"
                        self.assertEqual(len(found), self.one(games))
        for given in ["0", "-1", "'x'", "''", "[1, 0]", "'5-3'", "1.5"]:
            message = self.error(f"from halfmove_positions('{GAMES}', ply := {given})")
            self.assertIn("ply: ", message)
            self.assertIn("expected", message)
        for table in ["games", "search", "explore"]:
            self.assertIn("ply", self.error(f"from halfmove_{table}('{GAMES}', ply := 1)"))

    def test_names_of_archives_are_tables(self):
        self.assertEqual(self.one(f"select count(*) from '{MASTERS}'"), 20816)
        self.assertEqual(self.one(f"select count(*) from '{GAMES}' where id = 1"), 1)
        self.assertIn("nowhere", self.error("from 'nowhere.halfmove'"))
        # Other names are not ours.
        self.assertIn("nowhere", self.error("from nowhere"))

    def test_an_archive_changes_while_it_is_open(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copytree(FOLDER / "growing", f"{folder}/club")
            before = self.one(f"select count(*) from '{path}'")
            shutil.copytree(FOLDER / "grown", path, dirs_exist_ok=True)
            self.assertEqual((before, self.one(f"select count(*) from '{path}'")), (1, 2))
            # Another archive in its place, with the same versions.
            for other, games in [("growing", 1), ("games.halfmove", 10)]:
                shutil.rmtree(path)
                shutil.copytree(FOLDER / other, path)
                self.assertEqual(self.one(f"select count(*) from '{path}'"), games)
        self.error(f"from halfmove_games('{path}')")

    def test_more_archives_than_stay_open(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = ["growing", "grown", "games.halfmove"]
            expected = [self.one(f"select count(*) from halfmove_games('{FOLDER / it}')") for it in sources]
            self.assertEqual(expected, [1, 2, 10])
            paths = [shutil.copytree(FOLDER / sources[number % 3], f"{folder}/{number}") for number in range(20)]
            for number in [*range(20), 0, 19, 1, 18, 2, 0]:
                self.assertEqual(self.one("select count(*) from halfmove_games(?)", paths[number]), expected[number % 3])

    def test_nulls(self):
        for function in FUNCTIONS:
            for count in range(len(function["arguments"]) + 1):
                call = f"{function['name']}({', '.join(['null'] * count)})"
                try:
                    answer = self.one(f"select {call}")
                except duckdb.Error as error:
                    self.assertRegex(str(error), "Binder|candidate|argument", call)
                    continue
                if not function["is_aggregate"]:
                    self.assertIsNone(answer, call)
        half = f"select plies(case when id % 2 = 0 then moves end) from halfmove_games('{MASTERS}') order by id"
        found = [plies for (plies,) in self.rows(half)]
        expected = self.rows(f"select case when id % 2 = 0 then plies end from halfmove_games('{MASTERS}') order by id")
        self.assertEqual(found, [plies for (plies,) in expected])
        lists = f"select clock_list(case when id = 2 then clocks end) from halfmove_games('{GAMES}') order by id"
        found = [it for (it,) in self.rows(lists)]
        self.assertEqual([it for it in found if it is not None], [[180.0, 178.0, 179.0, 177.5]])
        structs = f"select positions(case when id = 10 then moves end) from halfmove_games('{GAMES}') order by id"
        self.assertEqual(sum(it is not None for (it,) in self.rows(structs)), 1)

    def test_garbage(self):
        garbage = [bytes([0, 255, 0]), b"\xff" * 300, bytes(range(256)), b"e4"]
        refused = set()
        for function in FUNCTIONS:
            for bytes_ in garbage:
                values = {"blob": bytes_, "number": -(2**63), "text": "\U0001f642 x"}
                given = [values[kind] for kind in function["arguments"]]
                try:
                    self.rows(f"select {function['name']}({', '.join('?' * len(given))})", *given)
                except duckdb.Error as error:
                    self.assertNotIn("INTERNAL", str(error))
                    refused.add(function["name"])
        self.assertGreater(len(refused), 30)
        rows = [(bytes_,) for bytes_ in garbage] * 1000
        self.connection.execute("create table garbage (moves blob)")
        self.connection.executemany("insert into garbage values (?)", rows[:40])
        self.assertIn("argument 1 of san is not a game", self.error("select sum(len(san(moves))) from garbage"))
        self.assertIn("is not a game", self.error(f"select explore(moves, '*', '{START}') from garbage"))

    def test_invalid_literals(self):
        for call, message in [
            ("reaches(moves, 'x')", 'the FEN "x": '),
            ("moved(moves, 'X')", 'the piece "X" is not known'),
            ("plays(moves, '??')", "??"),
            ("captures(moves, 'red')", "red"),
            ("shows(moves, 'mood:good')", "mood"),
        ]:
            self.assertIn(message, self.error(f"select {call} from '{GAMES}'"))
        two = f"select explore(moves, result, case when id = 1 then '{START}' else '{ITALIAN}' end) from '{GAMES}'"
        self.assertIn("explore", self.error(two))

    def test_missing_and_empty_archives(self):
        for table in ["games", "search", "positions", "explore"]:
            self.assertIn("nowhere", self.error(f"from halfmove_{table}('nowhere')"))
            self.assertIn("expected the path", self.error(f"from halfmove_{table}(null)"))
            self.assertEqual(self.rows(f"from halfmove_{table}('{EMPTY}')"), [])
        answer = self.one(f"select explore(moves, result, '{START}') from '{EMPTY}'")
        self.assertEqual((answer["white"], answer["moves"]), (0, []))

    def test_positions_as_everywhere(self):
        """A FEN with missing fields is one, as on the command line."""

        def count(fen):
            return self.one(f"select count(*) from halfmove_search('{MASTERS}', fen := '{fen}')")

        board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
        whole = count(f"{board} w KQkq - 0 2")
        self.assertGreater(whole, 1000)
        for fen in [f"{board} w KQkq", f"{board} w KQkq -", f" {board} w KQkq e6 0 2 "]:
            self.assertEqual(count(fen), whole, fen)
        self.assertEqual(count("startpos"), 20816)

    def test_invalid_conditions(self):
        for given, message in [
            ("fen := 'x'", 'fen: "x": '),
            ("id := ''", "expected ids and ranges of ids"),
            ("variant := 'checkers'", "checkers"),
            ("min_elo := 'high'", 'min_elo: "high": '),
            ("opponent := 'tal'", "opponent"),
            ("played := 'Zz9'", "played: \"Zz9\": "),
            ("mood := 'good'", "mood"),
        ]:
            self.assertIn(message, self.error(f"from halfmove_search('{MASTERS}', {given})"))
        everything = self.one(f"select count(*) from halfmove_search('{MASTERS}', player := null)")
        self.assertEqual(everything, 20816)

    def test_guide(self):
        """The queries of the guide, with the archive of masters as `club`."""
        text = (EXPECTED / "../../docs/guide/duckdb.md").read_text()
        blocks = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                os.symlink(MASTERS, "club")
                for query, expected in blocks:
                    with self.subTest(query):
                        found = ["  ".join(map(as_text, row)) for row in self.rows(query)]
                        self.assertEqual("\n".join(found) + "\n", expected)
            finally:
                os.chdir(here)
        self.assertGreater(len(blocks), 5)

    def test_the_explorer_counts_main_lines(self):
        call = f"from halfmove_explore('{MASTERS}', fen := '{ITALIAN}', in_variations := true)"
        with self.assertRaisesRegex(duckdb.Error, "main lines"):
            self.rows(call)

    def test_prepared_statements_run_again(self):
        self.connection.execute(f"prepare p as select count(*) from halfmove_search('{MASTERS}', min_plies := 100)")
        first = self.one("execute p")
        self.assertEqual(first, self.one("execute p"))
        self.assertEqual(first, self.one(f"select count(*) from '{MASTERS}' where plies >= 100"))

    def test_limits(self):
        for _ in range(3):
            self.assertEqual(len(self.rows(f"from halfmove_positions('{MASTERS}') limit 10")), 10)

    def test_one_thread_and_many(self):
        query = f"select count(*), sum(id) from '{MASTERS}' where reaches(moves, '{ITALIAN}')"
        answers = {tuple(connect(threads=threads).execute(query).fetchone()) for threads in [1, 2, 7]}
        self.assertEqual(len(answers), 1)
        search = f"select count(*), sum(id) from halfmove_search('{MASTERS}', fen := '{ITALIAN}')"
        self.assertEqual(answers, {self.rows(search)[0]})


if __name__ == "__main__":
    assert duckdb.__version__ == os.environ["HALFMOVE_DUCKDB"], duckdb.__file__
    sys.exit(not unittest.main(verbosity=1, exit=False).result.wasSuccessful())
