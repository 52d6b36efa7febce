"""Functions that functions given to operators call: `inner` compiles one for every engine.

As with ``numba.njit``, the functions that call it need nothing. It may not allocate arrays; for
that it counts no references, which hot loops feel. `inlined` is always made part of its callers.
`vectorized` is for sums of floats along rows: their order is left to the compiler.
`find_edge(indptr, indices, u, v)` is one of them: the id of the edge from u to v, or -1;
`first_edge(indptr, indices, u, v)` another: that of u's first edge to v or beyond.
`lower_bound(values, low, high, wanted)` is the first place of the ascending ``values[low:high]``
whose value is not below ``wanted``; `first_from` is the same, soon found if it is near ``low``.
`sort_few(values, low, high)` sorts a few, and `insert(values, low, at, value)` puts a value in its
place among those before ``at``, which ascend.

>>> import numpy as np
>>> from edgewise import Graph
>>> from edgewise.operators import ADD, reduce_neighbors
>>> square = inner(lambda x: x * x)
>>> path = Graph.from_edges([0, 1], [1, 2])
>>> reduce_neighbors(path, None, lambda value: square(value), np.arange(3), reduce=ADD).tolist()
[1, 4, 1]
"""

from __future__ import annotations

from edgewise.base.cache import inlined, inner, vectorized
from edgewise.base.cpu.bisection import first_from, lower_bound
from edgewise.base.cpu.insertion import insert, sort_few
from edgewise.graph.cpu.row_search import find_edge, first_edge

__all__ = [
    "find_edge",
    "first_edge",
    "first_from",
    "inlined",
    "inner",
    "insert",
    "lower_bound",
    "sort_few",
    "vectorized",
]
