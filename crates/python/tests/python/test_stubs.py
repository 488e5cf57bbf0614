"""The stubs say what is there, and mypy agrees with the package."""

import ast
import doctest
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import halfmove
from halfmove import _halfmove

PACKAGE = Path(halfmove.__file__).parent
SOURCE = Path(__file__).parents[2] / "python/halfmove"

# What each class has from Python itself.
USUAL = {
    "__doc__", "__module__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__repr__", "__str__", "__new__",
    "__copy__", "__deepcopy__", "__reduce__", "__hash__", "__init__", "__next__", "__iter__", "__rand__", "__ror__",
    "__rsub__", "__rxor__", "__rlshift__", "__rrshift__",
}  # fmt: skip


def functions_stub():
    """The stub of `functions`, from the table."""
    lines = ["# Made from the table of functions by tests/python/test_stubs.py.", "from typing import Any", ""]
    lines += ["from ._halfmove import explore_partial as explore_partial", ""]
    for entry in _halfmove.function_table():
        arguments = ", ".join(
            f"{name}: Any = None" if is_optional else f"{name}: Any" for name, is_optional in entry["arguments"]
        )
        lines.append(f"def {entry['name']}({arguments}) -> Any: ...")
    return "\n".join(lines) + "\n"


def conditions_stub():
    """The stub of the conditions, from their table."""
    lines = ["# Made from the table of conditions by tests/python/test_stubs.py.", "from typing import Any, TypedDict", ""]
    lines += ["class Conditions(TypedDict, total=False):"]
    for name, kind, _ in _halfmove.condition_table():
        lines.append(f"    {name}: {'bool | None' if kind == 'flag' else 'Any'}")
    return "\n".join(lines) + "\n"


def conditions_help():
    """The conditions in the docstring of `search`, from their table."""
    values = {"flag": " (a bool)", "list": " (or a list)", "range": " (or a range)", "text": ""}
    lines = ["Each condition is a keyword argument, and all must hold:", ""]
    for name, kind, text in _halfmove.condition_table():
        lines.append(f"- {name}: {text}{values[kind]}")
    return "\n".join(lines) + "\n"


class Stubs(unittest.TestCase):
    def made(self, path, text):
        if os.environ.get("HALFMOVE_BLESS"):
            path.write_text(text)
        self.assertEqual(path.read_text(), text, "HALFMOVE_BLESS=1 writes it")

    def test_functions(self):
        self.made(SOURCE / "functions.pyi", functions_stub())

    def test_conditions(self):
        self.made(SOURCE / "_conditions.pyi", conditions_stub())
        self.made(SOURCE / "../../src/archive/conditions.txt", conditions_help())
        self.assertIn(conditions_help(), halfmove.Archive.search.__doc__)

    def test_signatures_have_their_defaults(self):
        for name, value in vars(_halfmove).items():
            methods = vars(value).values() if isinstance(value, type) else [value]
            for method in methods:
                signature = getattr(method, "__text_signature__", None) or ""
                self.assertNotIn("...", signature, f"{name}: {method}")
        self.assertNotIn("= ...", (PACKAGE / "_halfmove.pyi").read_text())

    def test_names(self):
        stub = ast.parse((PACKAGE / "_halfmove.pyi").read_text())
        defined = {}
        for node in stub.body:
            if isinstance(node, ast.ClassDef):
                defined[node.name] = {it.name for it in node.body if isinstance(it, ast.FunctionDef)}
            elif isinstance(node, ast.FunctionDef):
                defined[node.name] = None
        there = {name: getattr(_halfmove, name) for name in dir(_halfmove) if not name.startswith("__")}
        self.assertEqual(set(there), set(defined))
        for name, methods in defined.items():
            if isinstance(there[name], type) and not issubclass(there[name], Exception):
                found = set(vars(there[name])) - USUAL
                self.assertEqual(found, methods - USUAL, name)

    def test_everything_has_a_docstring(self):
        for name, value in vars(_halfmove).items():
            if name.startswith("_"):
                continue
            self.assertTrue(value.__doc__, name)
            for method, it in vars(value).items() if isinstance(value, type) else ():
                if not method.startswith("_") and callable(it):
                    self.assertTrue(it.__doc__, f"{name}.{method}")

    def test_archives_have_examples(self):
        """Each method that reads or changes an archive shows it."""
        for name, method in vars(halfmove.Archive).items():
            # The last needs Polars.
            if not name.startswith("_") and callable(method) and name != "scan_polars":
                self.assertIn(">>>", method.__doc__, name)

    def test_mypy(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("mypy is not installed")
        script = (
            "import halfmove\n"
            "from halfmove import functions, pgn\n"
            "board: halfmove.Board = halfmove.Board()\n"
            "move: halfmove.Move = board.push_san('e4')\n"
            "count: int = halfmove.open('club').count(player='tal')\n"
            "game: pgn.Game = halfmove.open('club').game(1)\n"
            "reveal = [node.san() for node in game.mainline()]\n"
            "square: int = halfmove.E4\n"
            "functions.reaches(b'', board)\n"
            "halfmove.open('club').search(year=range(1990, 2000), eco=['B90', 'B91'], exact=True)\n"
        )
        # The sessions of the guide.
        text = (Path(os.environ["HALFMOVE_TESTDATA"]) / "../docs/guide/python.md").read_text()
        session = "".join(example.source for example in doctest.DocTestParser().get_examples(text))
        wrong = "import halfmove\nhalfmove.open('club').search(playr='tal')\n"
        with tempfile.TemporaryDirectory() as folder:
            use = Path(folder) / "use.py"
            use.write_text(script)
            command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", folder]
            guide = Path(folder) / "guide.py"
            guide.write_text(session)
            for what in [[str(PACKAGE)], [str(use)], [str(guide)]]:
                done = subprocess.run(
                    command + what, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}
                )
                self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            use.write_text(wrong)
            done = subprocess.run(
                [*command, str(use)], capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}
            )
            self.assertIn('Unexpected keyword argument "playr"', done.stdout)


if __name__ == "__main__":
    unittest.main()
