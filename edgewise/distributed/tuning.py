"""How a grid runs its rounds: chosen by itself, or by hand to see what each choice is worth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from edgewise.base.checks import check_choice

__all__ = ["PATTERNS", "Tuning", "tuned", "tuning"]

PATTERNS = ("auto", "dense", "sparse")


class Tuning(NamedTuple):
    """What `tuned` chooses."""

    pattern: str = "auto"
    queues: bool = True
    direction: str = "auto"


_chosen: ContextVar[Tuning] = ContextVar("tuning", default=Tuning())  # noqa: B039


@contextmanager
def tuned(
    *, pattern: str = "auto", queues: bool = True, direction: str = "auto"
) -> Iterator[Tuning]:
    """Choose how operators on a grid communicate, in a block, on every rank alike.

    Parameters
    ----------
    pattern : {"auto", "dense", "sparse"}
        Send all values of a group in every round, only those that changed, or what is less.
        Tuples of values, and users' own monoids, always travel sparse.
    queues : bool
        Keep queues of active vertices; without, every vertex is active in every round, wherever
        that gives the same: in `propagate` from all vertices by an idempotent monoid.
    direction : {"auto", "push", "pull"}
        For calls that do not choose their own.
    """
    check_choice(pattern, "pattern", PATTERNS)
    check_choice(direction, "direction", ("auto", "push", "pull"))
    before = _chosen.set(Tuning(pattern, bool(queues), direction))
    try:
        yield _chosen.get()
    finally:
        _chosen.reset(before)


def tuning() -> Tuning:
    """What holds here."""
    return _chosen.get()
