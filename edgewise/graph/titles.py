"""Which columns of a table of edges hold sources and targets, by their titles."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["find_ends"]

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
