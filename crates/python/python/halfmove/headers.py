"""The tags of a game."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

__all__ = ["Headers"]


class Headers(MutableMapping[str, str]):
    """The tags of a game, in their order."""

    def __init__(self, tags: Any = (), **more: str) -> None:
        self._tags: dict[str, str] = dict(tags, **more)

    def __getitem__(self, name: str) -> str:
        return self._tags[name]

    def __setitem__(self, name: str, value: str) -> None:
        self._tags[name] = str(value)

    def __delitem__(self, name: str) -> None:
        del self._tags[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)

    def __repr__(self) -> str:
        return f"Headers({self._tags!r})"

    def copy(self) -> Headers:
        """Return a copy."""
        return Headers(self._tags)
