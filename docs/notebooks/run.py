"""Runs the notebooks of this folder: `run.py [FOLDER]`. An error in a cell, or a notebook without a figure, fails.

With a folder, the last figure of each goes there as an SVG: `run.py ../images`.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def last_figure(notebook: nbformat.NotebookNode) -> str:
    """Return the last picture of a notebook that has been run."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output["data"]["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})][-1]


def main() -> None:
    """Run all notebooks."""
    here = Path(__file__).parent
    for path in sorted(here.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if any(cell.get("outputs") for cell in notebook.cells):
            sys.exit(f"{path.name}: outputs are not committed; clear them")
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(here)}}).execute()
        figure = last_figure(notebook)
        if len(sys.argv) > 1:
            Path(sys.argv[1], path.stem + ".svg").write_text(figure)
        print(f"{path.name}: {len(notebook.cells)} cells, a figure of {len(figure)} bytes")


if __name__ == "__main__":
    main()
