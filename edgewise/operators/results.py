"""What the operators over neighborhoods give back, on every engine, and where they put it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.graph.kinds import AnyGraph

__all__ = ["Chosen", "Common", "Grouped", "in_record", "is_record", "reduced", "several"]


class Common(NamedTuple):
    """The numbers of common neighbors of pairs, in total and per pair, with optional details.

    ``members``, in rows given by ``indptr``, are the common neighbors. ``totals`` are the combined
    messages. ``vertices`` counts the occurrences of each vertex as an end or a common neighbor.
    """

    total: int
    counts: Any
    indptr: Any = None
    members: Any = None
    totals: Any = None
    vertices: Any = None


class Grouped(NamedTuple):
    """Keys and totals of vertex v at positions ``indptr[v]`` to ``indptr[v + 1] - 1``.

    Keys ascend unless the call says ``sort=False``.
    """

    indptr: np.ndarray
    keys: np.ndarray
    totals: np.ndarray


class Chosen(NamedTuple):
    """The best key of each vertex, and its total."""

    key: Any
    total: Any


def reduced(graph: AnyGraph, values: Any, reduce: Any, dtype: Any, out: Any, *, fill: bool) -> Any:
    """The array (or tuple of arrays) that `reduce_neighbors` writes to: ``out``, or new.

    With ``fill`` new ones hold the identity of ``reduce``, for vertices that nobody writes.
    """
    xp, n = graph.xp, graph.num_vertices
    if out is not None:
        return out
    if isinstance(values, tuple) and dtype is None:
        types = tuple(array.dtype for array in values)
    elif isinstance(reduce.identity, tuple):
        types = (
            dtype if isinstance(dtype, tuple) else (dtype or values.dtype,) * len(reduce.identity)
        )
    else:
        dtype = np.dtype(dtype or values.dtype)
        shape = (n, *getattr(values, "shape", ())[1:])
        return xp.full(shape, reduce.identity_for(dtype), dtype) if fill else xp.empty(shape, dtype)
    identity = reduce.identity_for(*types)
    return tuple(xp.full(n, one, kind) for one, kind in zip(identity, types, strict=True))


def several(one: Any) -> tuple:
    """The members of a tuple; anything else is the only member."""
    return one if isinstance(one, tuple) else (one,)


def is_record(one: Any) -> bool:
    """Is it a NamedTuple, whose members functions call by name?"""
    return isinstance(one, tuple) and hasattr(one, "_fields")


def in_record(change: Callable[[Any], Any], one: Any) -> Any:
    """What ``change`` makes of it, or of every member of a record."""
    return one._make(map(change, one)) if is_record(one) else change(one)
