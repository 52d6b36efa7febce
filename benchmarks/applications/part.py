"""What `python -m benchmarks applications` measures: parts, and the time of a call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["Part", "timed"]


class Part(NamedTuple):
    """One table: a title, a sentence on the problem, and its rows.

    ``columns`` has the kind of each: "word", "count", "time", "percent" or "ratio". ``rows(quick)``
    yields as many values each; None is an empty cell.
    """

    title: str
    about: str
    columns: dict[str, str]
    rows: Callable[[bool], Iterator[tuple]]


def timed(call: Callable[[], Any], turns: int = 1) -> tuple[float, Any]:
    """The least processor time of some turns, of all threads, and the result."""
    least = float("inf")
    for _ in range(turns):
        begin = time.process_time()
        found = call()
        least = min(least, time.process_time() - begin)
    return least, found
