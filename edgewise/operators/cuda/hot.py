"""Values in the order of how often they are read, for sweeps that are repeated on a skewed graph.

A gather fetches a sector of 32 bytes for every value, and on skewed graphs a few vertices are read
most of the time: next to each other they stay in the caches nearest to the threads. The renumbered
neighbors are kept with the graph, 4 bytes per arc (8 with int64 ids), once it is swept a few times.

Pays for: row ``pagerank, one iteration`` on rmat22 of ``python -m benchmarks gpu``.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.cuda.device import free_memory, simulated
from edgewise.graph import Graph
from edgewise.operators.adjacency import signed

__all__ = ["hot_first"]

#: From so many arcs on, if the highest degree is so many times the mean, at this sweep.
LEAST, SKEW, TURN = 1 << 20, 64, 3


def hot_first(graph: Graph, mode: str, indices: Any) -> tuple[Any, Any] | None:
    """Vertices, the most read first, and the rows' neighbors by place in that order.

    ``indices`` are the neighbors by id, along ``mode``. None if it is not worth it, or not yet.
    """
    kept = graph.__dict__.setdefault("_hot", {})
    key = mode if graph.directed else "all"
    found = kept.get(key, 0)
    if not isinstance(found, int):
        return found
    kept[key] = found + 1
    if found + 1 < TURN or len(indices) < LEAST:
        return None
    xp, n = graph.xp, graph.num_vertices
    needed = indices.nbytes + 32 * n
    if not simulated() and 2 * needed > free_memory():
        return None
    reads = xp.bincount(indices.view(signed(indices.dtype)), minlength=n)
    if int(reads.max()) * n < SKEW * len(indices):
        kept[key] = -(1 << 62)  # not this graph
        return None
    order = xp.argsort(-reads)
    place = xp.empty(n, indices.dtype)
    place[order] = xp.arange(n, dtype=indices.dtype)
    kept[key] = order, place[indices]
    return kept[key]
