"""What a reader noticed about a file and decided itself: a direction, a header, columns left out.

A reader says it with `note`. Whoever wants to show it reads inside `collect`; outside of it only
what may be a mistake, as a column of numbers that was not read, becomes a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

__all__ = ["Note", "collect", "collecting", "note", "warn_of"]

_collected: ContextVar[list[Note] | None] = ContextVar("collected", default=None)


class Note(NamedTuple):
    """One thing that a reader noticed."""

    kind: str  # "direction", "header", "columns", "repeats" or "ids"
    text: str
    python: str = ""  # the argument of `read` that says otherwise
    option: str = ""  # the same on the command line


@contextmanager
def collect() -> Iterator[list[Note]]:
    """A list that gets the notes of all files read inside the block.

    >>> with collect() as notes:
    ...     note("ids", "ids 1 to 3")
    >>> [one.text for one in notes]
    ['ids 1 to 3']
    """
    found: list[Note] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def collecting() -> bool:
    """Does anybody want notes? Then one may cost a little work."""
    return _collected.get() is not None


def note(kind: str, text: str, python: str = "", option: str = "") -> None:
    """Say what was noticed, to whoever collects it."""
    found = _collected.get()
    if found is not None:
        found.append(Note(kind, text, python, option))


@contextmanager
def warn_of(path: Path) -> Iterator[None]:
    """Warn of columns that were left out, unless somebody collects the notes."""
    if _collected.get() is not None:
        yield
        return
    with collect() as notes:
        yield
    for one in notes:
        if one.kind == "columns":
            hint = f"; {one.python}" if one.python else ""
            warnings.warn(f"{path}: {one.text}{hint}", stacklevel=4)
