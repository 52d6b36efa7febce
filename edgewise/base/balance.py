"""How a GPU deals the edges of a frontier out to its threads: chosen for you, or by you."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from edgewise.base.checks import check_choice

__all__ = ["STRATEGIES", "balance", "balanced"]

#: "thread": a row for each thread. "group": a thread, a warp or a block, by the row's length.
#: "input": every block takes as many rows as it has threads and deals out their edges evenly.
#: "output": every block takes equally many edges, found by prefix sums and a search.
STRATEGIES = ("auto", "thread", "group", "input", "output")
_chosen: ContextVar[str] = ContextVar("edgewise_balance", default="auto")


@contextmanager
def balanced(strategy: str) -> Iterator[None]:
    """Let `advance` and `propagate` on a GPU balance their work this way in a block of code.

    The result is the same, the time is not. ``"auto"`` chooses by measured rules; the others are
    ``"thread"``, ``"group"``, ``"input"`` and ``"output"``. Priorities, pulling and visits of edges
    have ways of their own, which stay as they are. Operators on CPU threads refuse anything but
    ``"auto"``.

    >>> with balanced("output"):
    ...     balance()
    'output'
    """
    token = _chosen.set(check_choice(strategy, "strategy", STRATEGIES))
    try:
        yield
    finally:
        _chosen.reset(token)


def balance() -> str:
    """The strategy that holds here."""
    return _chosen.get()
