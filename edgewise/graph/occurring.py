"""A graph whose vertices are the integers that occur as ends of its edges, in ascending order.

Ids are first taken as positions, counted from the least: then an id that does not occur is a row
without arcs, and taking these rows out keeps all the others sorted. Where ids lie far apart they
are sorted instead. Both give the same graph. Ids 0..n-1 without a gap need no labels; ids that
start elsewhere are a `Labels.range`, which takes no memory; gaps make labels of 8 bytes per vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.graph import Graph
from edgewise.graph.labels import Labels

__all__ = ["from_occurring"]


def from_occurring(
    sources: np.ndarray, targets: np.ndarray, weights: np.ndarray | None = None, **options: Any
) -> Graph:
    """A graph from edges; every integer that occurs is a vertex, and nothing else is.

    Parameters
    ----------
    sources, targets : arrays of int
        The ends, none negative.
    weights, **options
        As in `Graph.from_edges`.

    Examples
    --------
    >>> graph = from_occurring(np.array([3, 9]), np.array([9, 4]))
    >>> graph.num_vertices, graph.labels, graph.neighbors(0).tolist()
    (3, Labels([3, 4, 9], 3 in all), [2])
    """
    if len(sources) == 0:
        return Graph.from_edges(sources, targets, weights, num_vertices=0, **options)
    low = int(min(sources.min(), targets.min()))
    high = int(max(sources.max(), targets.max()))
    span = high - low + 1
    if span > max(2**20, 8 * len(sources)):
        graph = Graph.from_edges(sources, targets, weights, labels=True, **options)
        plain = graph.labels is not None and graph.labels.range_start == 0
        return graph.with_labels(None) if plain else graph
    kind = np.int32 if span < 2**31 else np.int64
    ends = tuple(
        (part - low if low else part).astype(kind, copy=False) for part in (sources, targets)
    )
    graph = Graph.from_edges(ends[0], ends[1], weights, labels=False, num_vertices=span, **options)
    present = graph.row_lengths() > 0
    if not present.all():
        # an arc's target has it in another row, and an edge that was left out stands in none
        left_out = options.get("self_loops") == "drop" or options.get("symmetrize") is not None
        for part in ends if left_out else ends[1:] if graph.directed else ():
            present[part] = True
        if not present.all():
            return _compacted(graph, present, low)
    return graph.with_labels(Labels.range(low, span)) if low else graph


def _compacted(graph: Graph, present: np.ndarray, low: int) -> Graph:
    """The graph without the vertices that are not present, which have no arcs."""
    kept = np.flatnonzero(present)
    ranks = np.cumsum(present, dtype=graph.id_dtype)
    ranks -= 1
    indptr = np.append(graph.indptr[kept], graph.num_arcs)
    result = Graph(
        indptr,
        ranks[graph.indices],
        graph.weights,
        directed=graph.directed,
        labels=Labels.ascending(kept + low),
    )
    result._keep(num_self_loops=graph.num_self_loops)
    return result
