# Made from the table of conditions by tests/python/test_stubs.py.
from typing import Any, TypedDict

class Conditions(TypedDict, total=False):
    fen: Any
    moves: Any
    variant: Any
    where: Any
    player: Any
    opponent: Any
    as_: Any
    white: Any
    black: Any
    exact: bool | None
    event: Any
    site: Any
    eco: Any
    opening: Any
    speed: Any
    time_control: Any
    result: Any
    since: Any
    until: Any
    year: Any
    min_elo: Any
    max_elo: Any
    min_plies: Any
    max_plies: Any
    sample: Any
    seed: Any
    id: Any
    pattern: Any
    structure: Any
    material: Any
    imbalance: Any
    opposite_bishops: bool | None
    pawns: Any
    isolated: Any
    doubled: Any
    passed: Any
    either_color: bool | None
    mirrored: bool | None
    for_: Any
    final: bool | None
    played: Any
    comment: Any
    annotated: bool | None
    ended: Any
    in_variations: bool | None
