"""Makes one process of a cluster a victim: Python runs this file when it starts, if its folder is in PYTHONPATH.

With a folder in HALFMOVE_VICTIM, the first process that calls one of our functions over columns for the second time, or has an import
that is at work, writes its process id to the file `victim` there, and waits to be killed. Every other call is left alone. So a test
knows that the process it kills has done a part of its work, and not all of it.
"""

import os
import time

FOLDER = os.environ.get("HALFMOVE_VICTIM")


def _wait_if_first() -> None:
    try:
        file = os.open(os.path.join(FOLDER, "volunteer"), os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return
    os.close(file)
    path = os.path.join(FOLDER, "victim")
    with open(path + ".new", "w") as named:
        named.write(str(os.getpid()))
    os.rename(path + ".new", path)
    time.sleep(1200)
    raise SystemExit("the victim was not killed")


def _wrapped(function):
    calls = 0

    def call(*arguments, **named):
        nonlocal calls
        calls += 1
        if calls > 1:
            _wait_if_first()
        return function(*arguments, **named)

    return call


class _Importing:
    """An archive whose imports stop for the killer."""

    def __init__(self, archive):
        self._archive = archive

    def import_pgn(self, *paths, **options):
        def progress(done, total, games):
            if games > 0:
                _wait_if_first()

        return self._archive.import_pgn(*paths, progress=progress, **options)


if FOLDER:
    import halfmove
    from halfmove import functions

    for _name in ["reaches", "shows", "fen_at", "explore_partial"]:
        setattr(functions, _name, _wrapped(getattr(functions, _name)))
    _open = halfmove.open
    halfmove.open = lambda path, **options: _Importing(_open(path, **options))
