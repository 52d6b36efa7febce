"""The strict order of edges (`edgewise.operators.pairing`), for functions given to operators.

`outranks` compares two edges that share a vertex, `comes_first` any two; `find` gives the place of
an edge in its row. All compile for every engine.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.random import mix
from edgewise.operators import pairing

__all__ = ["comes_first", "find", "outranks", "tie"]

# `tie` over a compiled `mix`: engines translate compiled functions, and only those.
_scope = {**pairing.tie.__globals__, "mix": inner(mix)}
tie = inner(FunctionType(pairing.tie.__code__, _scope, "tie"))


@inner
def outranks(v, weight, u, other, w):
    """At ``v``: does the edge to ``u``, of ``weight``, outrank the edge to ``w``, of ``other``?"""
    if weight != other:
        return weight > other
    mine = tie(np.uint64(v), np.uint64(u))
    theirs = tie(np.uint64(v), np.uint64(w))
    return mine > theirs or (mine == theirs and u < w)


@inner
def comes_first(u, v, x, y):
    """Of two edges of equal weight: does u - v outrank x - y? Each is given smaller end first."""
    mine = tie(np.uint64(u), np.uint64(v))
    theirs = tie(np.uint64(x), np.uint64(y))
    if mine != theirs:
        return mine > theirs
    return u < x or (u == x and v < y)


@inner
def find(row, column, indptr, indices):
    """The place of a column in a row, the first if it is there more than once; -1 if it is not."""
    low, high = indptr[row], indptr[row + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    return low if low < indptr[row + 1] and indices[low] == column else -1
