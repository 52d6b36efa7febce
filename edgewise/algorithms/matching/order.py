"""The strict order of edges (`edgewise.operators.edge_order`), for functions given to operators.

`outranks` compares two edges that share a vertex, `comes_first` any two; `BEST` reduces the edges
of a vertex to the one that ranks highest. All compile for every engine.
"""

from __future__ import annotations

import numpy as np

from edgewise.operators import Monoid
from edgewise.operators.edge_order import tie
from edgewise.operators.helpers import inlined, inner

__all__ = ["BEST", "better", "comes_first", "outranks", "rank"]


@inner
def outranks(v, weight, u, other, w):
    """At ``v``: does the edge to ``u``, of ``weight``, outrank the edge to ``w``, of ``other``?"""
    if weight != other:
        return weight > other
    mine = tie(np.uint64(v), np.uint64(u))
    theirs = tie(np.uint64(v), np.uint64(w))
    return mine > theirs or (mine == theirs and u < w)


@inlined
def better(old, new):
    """Of two edges at one vertex, tuples (weight, vertex, neighbor, ...), the one that outranks."""
    if new[0] != old[0]:
        return new if new[0] > old[0] else old
    if new[2] == old[2] or not outranks(new[1], new[0], new[2], old[0], old[2]):
        return old
    return new


#: The edge that ranks highest, of positive weight; (0, -1, -1) if there is none.
BEST = Monoid((0, -1, -1), better, idempotent=True)


@inner
def rank(u, v):
    """A weight for u - v where all weigh the same: positive, in the order that ties decide."""
    return np.int64((tie(np.uint64(u), np.uint64(v)) >> np.uint64(1)) | np.uint64(1))


@inner
def comes_first(u, v, x, y):
    """Of two edges of equal weight: does u - v outrank x - y? Each is given smaller end first."""
    mine = tie(np.uint64(u), np.uint64(v))
    theirs = tie(np.uint64(x), np.uint64(y))
    if mine != theirs:
        return mine > theirs
    return u < x or (u == x and v < y)
