"""Archives in Polars: a lazy frame whose filters, columns and limits reach the archive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

    from ._halfmove import Archive

__all__ = ["scan"]

_OPERATORS = {"Eq": "=", "NotEq": "<>", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def scan(archive: Archive, columns: list[str] | None = None, **conditions: Any) -> polars.LazyFrame:
    """Return a lazy frame of the games of an archive that meet conditions, with these columns or all.

    Only the columns that a query needs are read, and reading stops at its limit. Comparisons of a column with a number or a text
    that it filters by become conditions of the archive; Polars tests all others.
    """
    import polars
    from polars.io.plugins import register_io_source

    # A wrong column or condition is an error now, not when the frame is collected.
    archive.games(columns=columns, **conditions)
    schema = polars.DataFrame(archive.games(columns=columns, id=[]).read_all()).schema

    def source(
        needed: list[str] | None, predicate: polars.Expr | None, rows: int | None, _size: int | None
    ) -> Iterator[polars.DataFrame]:
        asked = dict(conditions)
        pushed = [] if predicate is None else _conditions(predicate)
        if pushed:
            given = asked.get("where")
            asked["where"] = " and ".join([f"({given})"] * bool(given) + pushed)
        left = rows
        names = columns if needed is None else needed or ["id"]
        for batch in archive.games(columns=names, **asked).batches():
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            yield frame if needed is None else frame.select(needed)
            if left == 0:
                return

    return register_io_source(source, schema=schema)


def _conditions(predicate: polars.Expr) -> list[str]:
    """The parts of a predicate that SQL can say; all of them must hold."""
    try:
        return _parts(json.loads(predicate.meta.serialize(format="json")))
    except Exception:
        # The form is Polars's own, and may change: Polars tests the predicate in any case.
        return []


def _parts(node: Any) -> list[str]:
    if not (isinstance(node, dict) and list(node) == ["BinaryExpr"]):
        return []
    left, operator, right = (node["BinaryExpr"][name] for name in ["left", "op", "right"])
    if operator == "And":
        return _parts(left) + _parts(right)
    sign = _OPERATORS.get(operator)
    if sign is None:
        return []
    if "Column" not in left:
        left, right, sign = right, left, _TURNED.get(sign, sign)
    value = _literal(right)
    if list(left) != ["Column"] or value is None:
        return []
    name = left["Column"].replace('"', '""')
    return [f'"{name}" {sign} {value}']


def _literal(node: Any) -> str | None:
    """A number or a text, in SQL."""
    if list(node) != ["Literal"]:
        return None
    (value,) = node["Literal"].values()
    if not (isinstance(value, dict) and len(value) == 1):
        return None
    ((kind, value),) = value.items()
    if kind.startswith(("Int", "UInt")) and isinstance(value, int):
        return str(value)
    if kind.startswith("String") and isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return None
