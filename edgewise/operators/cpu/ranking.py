"""The strict order of edges inside kernels (`edgewise.operators.pairing` states it).

The key of an arc is a positive int64 that grows with its weight: a whole number is its own, the
bits of a float are in its order. Where there are no weights it is made of the `tie`. Between equal
keys the ties decide, then the smaller id. Two arcs are compared at the end that they share.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

import edgewise.base.cpu.random  # noqa: F401  (makes callable what `tie` calls)
from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.operators import pairing

__all__ = ["LEAST", "MOST", "arc_finder", "key_at", "keyed", "outranks", "tie"]

#: Keys below this are of weights that are not positive; none is above the other.
LEAST, MOST = np.int64(1), np.int64(2**63 - 1)

tie = register_jitable(pairing.tie)


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


def arc_finder(may):
    """``find(u, low, high, rows, tried, past, game)``: the best arc of ``u`` in ``low..high``.

    That is, of those for which ``may(u, v, key, rows, game)``, and which rank below the one that
    ``u`` has tried before (``tried`` is its key, it led to ``past``; MOST and ``u`` if none): what
    ranks above that was out of reach then, and has been ever since. ``high`` if there is none.
    """

    @inlined
    def find(u, low, high, rows, tried, past, game):
        _, indices, weights, _ = rows
        best, at = LEAST, high
        best_tie, unknown = np.uint64(0), np.uint64(0)
        for e in range(low, high):
            key = key_at(weights, u, np.uint64(indices[e]), e)
            if key < best or key > tried:
                continue
            v = np.uint64(indices[e])
            if v == u:
                continue
            own_tie = unknown
            if key == best and at != high:
                w, own_tie = np.uint64(indices[at]), tie(u, v)
                if best_tie == unknown:
                    best_tie = tie(u, w)
                if own_tie < best_tie or (own_tie == best_tie and v > w):
                    continue
            if key == tried and past != u and not outranks(u, key, past, key, v):
                continue
            if may(u, v, key, rows, game):
                best, best_tie, at = key, own_tie, e
        return at

    return find
