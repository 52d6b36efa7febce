"""Loops whose state can be saved, so that a job that was killed goes on where it was.

A loop calls `Loop` at the top of each round with all that the round depends on. The first call
returns what was saved, if the same loop of the same job was; the others save it when it is time.
Nothing is saved unless somebody keeps checkpoints (see `edgewise.distributed.checkpointing`).

>>> with resumable(None, "count") as loop:
...     number = 0
...     while number < 3:
...         number, = loop(number)
...         number += 1
>>> number
3
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeAlias

__all__ = ["Keeper", "Loop", "as_given", "keeper", "keeping", "resumable"]

#: ``loop(*values)`` returns values in their places: numbers, texts, None, arrays and frontiers. The
#: arrays of a tuple keep their identity: what was saved is written into them.
Loop: TypeAlias = Callable[..., tuple]


class Keeper(Protocol):
    """Who saves the state of loops."""

    def calls(self, function: Callable, args: tuple, options: dict[str, Any]) -> None:
        """Note the public call that the next loops are part of."""

    def loop(self, graph: Any, name: str) -> AbstractContextManager[Loop]:
        """Return a context that gives the next loop."""


_keeper: ContextVar[Keeper | None] = ContextVar("edgewise_keeper", default=None)


def keeper() -> Keeper | None:
    """Who saves loops in this block, if there is anybody."""
    return _keeper.get()


@contextmanager
def keeping(found: Keeper) -> Iterator[None]:
    """A block in which ``found`` saves loops."""
    token = _keeper.set(found)
    try:
        yield
    finally:
        _keeper.reset(token)


def as_given(*values: Any) -> tuple:
    """A loop that is not saved."""
    return values


@contextmanager
def resumable(graph: Any, name: str) -> Iterator[Loop]:
    """A block with one loop over a graph, whose state can be saved; None for one that is short."""
    found = _keeper.get()
    if found is None or graph is None:
        yield as_given
        return
    with found.loop(graph, name) as loop:
        yield loop
