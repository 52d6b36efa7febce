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
    """Choose how operators on a grid communicate inside the ``with`` block, equally on all ranks.

    Parameters
    ----------
    pattern : {"auto", "dense", "sparse"}
        "dense" sends all values of a group in each round, "sparse" only those that changed, and
        "auto" the smaller of the two. Tuples of values and user-defined monoids are always sent
        sparse.
    queues : bool
        Whether to keep queues of active vertices. Without them, every vertex is active in every
        round if the result is the same: in `propagate` from all vertices with an idempotent monoid.
    direction : {"auto", "push", "pull"}
        The direction of calls that do not set one.
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
