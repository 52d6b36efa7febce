"""The one hook for progress, traces, timing and interruption.

Algorithms and operators call `notify(iteration, **counts)` once per round and neither print nor
time. Whoever wants to know sets an observer for a block of code; it runs on the calling Python
thread, may look at a clock, draw a bar, keep a trace, or raise to stop the work.

>>> def show(iteration, **counts):
...     print(iteration, counts)
>>> with observe(show):
...     notify(0, frontier=1)
0 {'frontier': 1}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from edgewise.base.compiling import clock

__all__ = ["Trace", "notify", "observe", "observed", "observer"]

Observer = Callable[..., Any]
_observer: ContextVar[Observer | None] = ContextVar("edgewise_observer", default=None)


@contextmanager
def observe(observer: Observer) -> Iterator[Observer]:
    """Call ``observer(iteration, **counts)`` once per round of any algorithm in the block."""
    token = _observer.set(observer)
    try:
        yield observer
    finally:
        _observer.reset(token)


def observed() -> bool:
    """Is anyone watching? (Operators skip the counting if not.)"""
    return _observer.get() is not None


def observer() -> Observer | None:
    """The observer of this block, if there is one."""
    return _observer.get()


def notify(iteration: int, **counts: Any) -> None:
    """Tell the observer, if there is one, about one finished round."""
    told = _observer.get()
    if told is not None:
        told(iteration, **counts)


class Trace:
    """An observer that records every round: ``rows`` of counts, with ``seconds`` since the start.

    Compilation time is not included in the seconds.

    >>> with observe(Trace()) as trace:
    ...     notify(0, frontier=1)
    ...     notify(1, frontier=5)
    >>> [row["frontier"] for row in trace.rows]
    [1, 5]
    """

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._start = clock()

    def __call__(self, iteration: int, **counts: Any) -> None:
        seconds = clock() - self._start
        self.rows.append({"iteration": iteration, "seconds": seconds, **counts})
