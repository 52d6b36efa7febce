"""Titles in tables: which columns hold ends, which names are taken, and which cannot travel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["arrow_table", "check_names", "check_titles", "find_ends"]

#: Titles of source and target, those that are surest first.
_ENDS = (("source", "target"), ("src", "dst"), ("u", "v"), ("from", "to"))


def find_ends(titles: Sequence[str]) -> tuple[int, int] | None:
    """The columns that are titled as source and target, in any case of letters.

    After two other columns ``from`` and ``to`` may be dates, and do not count.

    >>> find_ends(["date", "From", "To"]), find_ends(["man", "wife", "from", "to"])
    ((1, 2), None)
    """
    known = [title.lower() for title in titles]
    for ends in _ENDS:
        if set(ends) <= set(known):
            found = known.index(ends[0]), known.index(ends[1])
            if ends[0] != "from" or min(found) < 2:
                return found
    return None


def check_titles(columns: Sequence[str], titles: dict[str, str], what: str) -> None:
    """Raise ValueError if a column of a graph has the title of its ends, weights or labels.

    ``titles`` maps these titles to the arguments that choose others.

    >>> check_titles(["km", "name"], {"name": "label"}, "vertices")
    Traceback (most recent call last):
    ValueError: a column of vertices is called 'name', which label= names too: choose another label
    """
    for name in columns:
        if name in titles:
            argument = titles[name]
            raise ValueError(
                f"a column of {what} is called {name!r}, which {argument}= names too: choose "
                f"another {argument}"
            )


def check_names(names: Iterable[Any]) -> None:
    """Raise ValueError for a column whose name has a null character, if it passes from library to
    library: there names end with one. Some libraries cut such names off, others end the process.

    >>> check_names(["km", "a\\0b"])
    Traceback (most recent call last):
    ValueError: column 'a\\x00b' cannot pass from library to library: its name has a null character
    """
    for name in names:
        if isinstance(name, str) and "\0" in name:
            raise ValueError(
                f"column {name!r} cannot pass from library to library: its name has a null "
                "character"
            )


def arrow_table(frame: Any) -> Any:
    """An Arrow table of an object that has ``__arrow_c_stream__``.

    >>> import pyarrow
    >>> arrow_table(pyarrow.table({"km": [1]})).column_names
    ['km']
    """
    import pyarrow

    check_names(getattr(frame, "columns", ()))
    return pyarrow.table(frame)
