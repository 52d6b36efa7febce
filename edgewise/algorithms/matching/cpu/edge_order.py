"""The strict order of edges inside kernels (`edgewise.operators.edge_order` states it).

The key of an arc is a positive int64 that grows with its weight: a whole number is its own, the
bits of a float are in its order. Where there are no weights it is made of the `tie`. Between equal
keys the ties decide, then the smaller id. Two arcs are compared at the end that they share.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inner
from edgewise.base.compiler import overload
from edgewise.operators.edge_order import tie

__all__ = ["LEAST", "MOST", "key_at", "keyed", "outranks", "tie"]

#: Keys below this are of weights that are not positive; none is above the other.
LEAST, MOST = np.int64(1), np.int64(2**63 - 1)


def keyed(rows: Any) -> Any:
    """An adjacency with the bits of float weights in their place."""
    weights = rows.weights
    if weights is None or weights.dtype.kind != "f":
        return rows
    return rows._replace(weights=weights.view(f"int{8 * weights.itemsize}"))


def key_at(weights, u, v, e):
    """The key of the arc ``e`` from ``u`` to ``v``."""
    raise TypeError("only for compiled code")


@overload(key_at)
def _key_at(weights, u, v, e):
    if isinstance(weights, types.NoneType):
        return lambda weights, u, v, e: np.int64((tie(u, v) >> np.uint64(1)) | np.uint64(1))
    return lambda weights, u, v, e: np.int64(weights[e])


@inner
def outranks(u, key, v, other, w):
    """At ``u``: does the edge to ``v`` outrank the edge to ``w``, given their keys?"""
    if key != other:
        return key > other
    mine, theirs = tie(u, v), tie(u, w)
    return mine > theirs or (mine == theirs and v < w)
