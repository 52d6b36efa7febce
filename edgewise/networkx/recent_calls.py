"""The record of recent calls, which `explain` reads."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

__all__ = ["CALLS", "RECORDS", "note"]

#: How many times each function has run in Edgewise, in this process.
CALLS: Counter[str] = Counter()
#: The arguments of `note`: `explain` makes records of them.
RECORDS: deque[tuple[Any, ...]] = deque(maxlen=1000)


def note(*record: Any) -> None:
    """Record one call: the function, where it ran, why, and seconds."""
    if record[1] == "edgewise":
        CALLS[record[0]] += 1
    RECORDS.append(record)
