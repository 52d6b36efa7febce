"""The strict order of edges inside CUDA kernels (`edgewise.operators.edge_order` states it).

An edge of a vertex v is a pair: its worth and the neighbor, which is -1 where there is no edge.
Without weights the worth is the edge's `tie`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.random import mix, twin
from edgewise.operators.adjacency import signed
from edgewise.operators.cuda.inner import has_bit
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.edge_order import plain_tie

__all__ = ["Order", "edge_order"]

tie = twin(plain_tie, mix=mix)


class Order(NamedTuple):
    """The order for given types, as device functions."""

    totals: Totals  # how edges of v are joined to the one that ranks highest, by join(a, b, v)
    along: Any  # along(v, e, high, step, rows, taken, fresh): the best of those that are open


@cache
def edge_order(indices: np.dtype, weights: np.dtype | None) -> Order:
    """The order for arrays of these types; integers are compared as int64."""
    neighbor: Any = np.dtype(signed(indices))
    worths: Any = np.dtype(np.uint64)  # of `tie`
    if weights is not None:
        worths = np.dtype(np.int64) if weights.kind != "f" else weights
    ids, kind, zero = neighbor.type, worths.type, worths.type(0)
    if weights is not None:
        worth = device(lambda v, u, weights, e: kind(weights[e]))
    else:
        worth = device(lambda v, u, weights, e: tie(v, np.uint64(u)))

    @device
    def outranks(v, u, other):
        """Does v - other come before v - u, of equal weight?"""
        mine, others = tie(np.uint64(v), np.uint64(u)), tie(np.uint64(v), np.uint64(other))
        return others > mine or (others == mine and other < u)

    @device
    def best(mine, other, v):
        w, other_w = mine[0], other[0]
        if other_w > w or (other_w == w and other_w > zero and outranks(v, mine[1], other[1])):
            return other
        return mine

    @device
    def is_open(v, u, taken, fresh):
        closed = False if fresh else has_bit(taken, u)
        return not closed and np.uint64(u) != v

    @device
    def pick(mine, w, u, open, v):
        """The better of what there is and of an edge that may be open; branches are rare."""
        return best(mine, (w if open else zero, ids(u)), v)

    @device
    def along(v, e, high, step, rows, taken, fresh):
        found, indices, weights = (zero, ids(-1)), rows[1], rows[2]
        two = step + step
        three, four = two + step, two + two
        while e + three < high:  # loads of four edges are under way together
            a, b = indices[e], indices[e + step]
            c, d = indices[e + two], indices[e + three]
            aw, bw = worth(v, a, weights, e), worth(v, b, weights, e + step)
            cw, dw = worth(v, c, weights, e + two), worth(v, d, weights, e + three)
            ao, bo = is_open(v, a, taken, fresh), is_open(v, b, taken, fresh)
            co, do = is_open(v, c, taken, fresh), is_open(v, d, taken, fresh)
            found = pick(found, aw, a, ao, v)
            found = pick(found, bw, b, bo, v)
            found = pick(found, cw, c, co, v)
            found = pick(found, dw, d, do, v)
            e += four
        while e < high:
            a = indices[e]
            found = pick(found, worth(v, a, weights, e), a, is_open(v, a, taken, fresh), v)
            e += step
        return found

    return Order(Totals(None, (worths, neighbor), join=best), along)
