"""The functions over columns of encoded games, on Arrow arrays: those of SQL, without SQL.

Each takes columns (of Polars, PyArrow, pandas with Arrow types, DuckDB …) or single values, and returns an Arrow array; an aggregate
such as `explore`, and a call of single values alone, return a value. They release the interpreter's lock and use all cores.

>>> from halfmove import functions
>>> games = halfmove.open(folder).games(columns=["moves"]).read_all()
>>> moves = games.column("moves")
>>> functions.plies(moves).to_pylist()
[4, 3, 2]
>>> functions.legal_moves("7k/8/8/8/8/8/8/K7 w - - 0 1")
['a1b1', 'a1a2', 'a1b2']
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._halfmove import call_function, explore_partial, function_table

__all__ = ["explore_partial"]


def _function(entry: dict[str, Any]) -> Callable[..., Any]:
    name, arguments = entry["name"], entry["arguments"]
    fewest = sum(not is_optional for _, is_optional in arguments)
    parameters = [
        inspect.Parameter(
            argument,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None if is_optional else inspect.Parameter.empty,
        )
        for argument, is_optional in arguments
    ]
    signature = inspect.Signature(parameters)

    def call(*given: Any, **named: Any) -> Any:
        if named:
            given = signature.bind(*given, **named).args
        while len(given) > fewest and given[-1] is None:
            given = given[:-1]
        return call_function(name, given)

    calls = "\n".join(f"    {call}" for call in entry["calls"])
    answers = "\n".join("    " + "  ".join(answer) for answer in entry["answers"])
    call.__name__ = call.__qualname__ = name
    call.__doc__ = (
        f"{entry['signature']}: {entry['help']}\n\n{entry['about']}\n\nFor example,\n\n{calls}\n\nis\n\n{answers}\n"
    )
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


for _entry in function_table():
    globals()[_entry["name"]] = _function(_entry)
    __all__ += [_entry["name"]]
