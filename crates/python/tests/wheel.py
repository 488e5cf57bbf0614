"""Test a wheel as a user gets it: what is in it, and the tests of the package in a clean virtual environment.

    python3 crates/python/tests/wheel.py target/wheels/halfmove-*.whl

The environment has nothing but the wheel, and then PyArrow as well. What needs other packages is skipped there.
"""

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PACKAGE = REPOSITORY / "crates/python"


def check_contents(wheel: Path) -> None:
    """The tag, the texts and the stubs."""
    name, version, python, abi, platform = wheel.stem.split("-")
    assert (name, python, abi) == ("halfmove", "cp310", "abi3"), wheel.name
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        info = f"{name}-{version}.dist-info"
        for path in (PACKAGE / "python/halfmove").iterdir():
            if path.is_file():
                assert files.read(f"halfmove/{path.name}") == path.read_bytes(), path.name
        for text in ["LICENSE-APACHE", "LICENSE-MIT"]:
            assert files.read(f"{info}/licenses/{text}") == (REPOSITORY / text).read_bytes(), text
        metadata = Parser().parsestr(files.read(f"{info}/METADATA").decode())
        compiled = [it for it in names if it.startswith("halfmove/_halfmove.") and not it.endswith(".pyi")]
        assert len(compiled) == 1, compiled
        size = files.getinfo(compiled[0]).file_size
    assert "halfmove/py.typed" in names
    assert metadata["License-Expression"] == "MIT OR Apache-2.0", metadata["License-Expression"]
    assert metadata["Requires-Python"] == ">=3.10" and metadata["Requires-Dist"] is None
    assert metadata.get_payload().strip() == (PACKAGE / "README.md").read_text().strip()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {size / 1e6:.1f} MB unpacked, for {platform}")


def run(*command: object) -> None:
    print("==>", *command, flush=True)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    environment["HALFMOVE_TESTDATA"] = str(REPOSITORY / "testdata")
    # Nothing of the repository is in the way of the package that was installed.
    subprocess.run([str(word) for word in command], check=True, env=environment, cwd=tempfile.gettempdir())


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    check_contents(wheel)
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        run(*pip, "--no-index", wheel)
        absent = "import importlib.util as it; assert not any(map(it.find_spec, ['pyarrow', 'polars', 'chess']))"
        run(python, "-c", absent)
        run(python, "-B", PACKAGE / "tests/python/run.py")
        try:
            run(*pip, "pyarrow")
        except subprocess.CalledProcessError:
            print("==> SKIPPED: PyArrow cannot be installed; the wheel is not tested with it", file=sys.stderr)
            return
        run(python, "-B", PACKAGE / "tests/python/run.py", "test_arrow.py", "test_lichess.py")


if __name__ == "__main__":
    main()
