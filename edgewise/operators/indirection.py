"""What `look_up` and `deliver` have in common on devices of any kind: checks, and how to go about.

`deliver` has two ways. At once: every message is combined into its target as it comes, atomically.
An idempotent monoid over one array allows that if nobody reads what others change. Apart: the
messages are combined beside the values and land when all have been read, which is always right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import overlap
from edgewise.operators.requests import Delivery
from edgewise.operators.results import several

__all__ = ["Way", "check_as_many", "check_ids", "no_vertex", "results", "way_of"]

#: With one member in so many vertices or more, all vertices are looked through for those touched.
_DENSE = 32


class Way(NamedTuple):
    """What `deliver` reads, and how it goes about: at once, and by a look at all vertices?"""

    at: Any
    messages: Any
    at_once: bool
    dense: bool


def way_of(graph: AnyGraph, request: Delivery, count: int) -> Way:
    """How to deliver the messages of ``count`` members; arrays that change meanwhile are copied."""
    values, at, messages, reduce, _ = request
    dense, at_once = count * _DENSE >= graph.num_vertices, reduce.idempotent
    if isinstance(values, tuple):
        return Way(at, messages, False, dense)
    if at_once and dense:
        at = at.copy() if overlap(at, values) else at
        messages = messages.copy() if overlap(messages, values) else messages
    elif at_once:
        at_once = not (overlap(at, values) or overlap(messages, values))
    return Way(at, messages, at_once, dense)


def results(graph: AnyGraph, values: Any, out: Any, everyone: bool) -> Any:
    """The arrays that `look_up` writes to: those given, or new ones."""
    if out is None:
        make = graph.xp.empty if everyone else graph.xp.zeros
        made = tuple(make(len(one), one.dtype) for one in several(values))
        return made if isinstance(values, tuple) else made[0]
    check_as_many("out", out, values)
    for one, read in zip(several(out), several(values), strict=True):
        if one.dtype != read.dtype:
            raise TypeError(f"out must have the dtype of values ({read.dtype}), got {one.dtype}")
        if any(overlap(one, other) for other in several(values)):
            raise ValueError("out must not be values itself, which is still read")
    return out


def check_ids(at: Any) -> Any:
    """``at``, if it is one array of integers; an engine says what is no array."""
    if isinstance(at, tuple):
        raise TypeError("at must be an array of integers, got a tuple")
    if hasattr(at, "dtype") and at.dtype.kind not in "iu":
        raise TypeError(f"at must be an array of integers, got dtype {at.dtype}")
    return at


def check_as_many(name: str, given: Any, values: Any) -> None:
    """Are as many arrays given as there are values?"""
    if len(several(given)) != len(several(values)):
        raise ValueError(
            f"{name} must be as many arrays as values ({len(several(values))}), "
            f"got {len(several(given))}"
        )


def no_vertex(n: int, vertex: Any, at: Any, *, nothing: bool = False) -> ValueError:
    """The error for the pointer of a vertex that leads nowhere."""
    also = ", or -1 to send nothing" if nothing else ""
    found = int(at[np.int64(vertex)])
    return ValueError(
        f"at must hold vertex ids from 0 to {n - 1}{also}, got {found} at vertex {int(vertex)}"
    )
