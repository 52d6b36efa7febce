"""Orientation: a numbering in which no vertex has many neighbors of smaller number.

Where degrees are skewed, vertices are renumbered by falling degree and every edge is kept once,
from the larger number to the smaller: a hub then keeps only its edges to larger hubs, at most about
sqrt(2 m) of them, which is what triangle counting wants. Elsewhere the graph is good as it is.

The new rows of a compressed graph are compressed as well, if memory is short. Those of a graph with
a memory limit are in a mapped file, and stay plain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch
from edgewise.graph.compressed import packed
from edgewise.graph.csr import CSR
from edgewise.graph.memory_limit import arc_array

__all__ = ["SKEW", "Oriented", "orient"]

#: Renumber if the highest degree is so many times the mean.
SKEW = 16
#: Rows of a compressed graph stay plain if so many times their size is free.
_SHARE = 4


class Oriented(NamedTuple):
    """Rows that hold every edge once, from its larger number to its smaller.

    ``order[new]`` is the old id of a vertex. Where nothing was renumbered, ``order`` is None and
    ``rows`` is the graph itself, with both directions of every edge.
    """

    rows: CSR
    order: np.ndarray | None

    @property
    def ordered(self) -> bool:
        """Are both directions of every edge there, so that only u > v must be looked at?"""
        return self.order is None

    def by_vertex(self, found: Any) -> Any:
        """An array over the new numbers as one over the graph's vertices."""
        if self.order is None:
            return found
        result = np.empty_like(found)  # on the device of ``found``
        result[self.order] = found
        return result


def orient(graph: Any) -> Oriented:
    """Number an undirected graph's vertices so that rows of smaller neighbors are short.

    >>> from edgewise.graph import Graph
    >>> star = orient(Graph.from_edges([20] * 20, range(20)))
    >>> star.order.tolist()[:4], star.rows.indptr.tolist()[:4], star.rows.indices.tolist()[:3]
    ([20, 0, 1, 2], [0, 0, 1, 2], [0, 0, 0])
    """
    if graph.directed:
        raise ValueError("orient needs an undirected graph")
    if graph.engine != "local":
        return graph.oriented()
    if graph.device != "cpu":
        from edgewise.graph.cuda.orient import orient as on_device

        return on_device(graph)
    from edgewise.graph.cpu import orienting

    n, arcs, ids = graph.num_vertices, graph.num_arcs, graph.id_dtype
    most = graph.longest_row
    if most * n <= SKEW * arcs / 2:
        return Oriented(graph, None)
    order, rank = np.empty(n, ids), np.empty(n, ids)
    places, bounds = np.zeros((get_threads(), most + 1), np.int64), np.empty(most + 2, np.int64)
    launch(orienting.rank_by_degree, graph.stored.indptr, places, bounds, order, rank, work=n,
           team=len(places))  # fmt: skip
    counts = np.empty(n, np.int64)
    launch(orienting.count, *graph.stored, order, rank, counts, work=arcs + n)
    indptr = offsets(counts)
    indices = arc_array(graph, indptr[-1], ids)
    launch(orienting.fill, *graph.stored, order, rank, indptr, indices, work=arcs + n)
    rows = CSR(indptr, indices)
    mapped = getattr(graph, "_pages", None) is not None  # then the rows are in a file
    tight = graph.is_compressed and not mapped and _SHARE * rows.nbytes > free_memory()
    return Oriented(packed(rows) if tight else rows, order)
