"""Two graphs on a grid: blocks are compared and merged where vertices are in the same places.

`beside` is for any two graphs on one grid, whose edges travel to new places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import ArcArray
from edgewise.graph import Graph
from edgewise.graph.transfer import host, like

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["beside", "composed", "shared_arcs"]


def shared_arcs(graph: GridGraph, other: GridGraph) -> ArcArray:
    """Return a mask over the arcs of a graph: which of them the other one has, too."""
    xp, (mine, theirs) = graph.block.xp, map(_keys, (graph, other))
    at = xp.searchsorted(theirs, mine).clip(0, max(len(theirs) - 1, 0))
    return ArcArray(graph, theirs[at] == mine if len(theirs) else xp.zeros(len(mine), bool))


def composed(graph: GridGraph, other: GridGraph, duplicates: str) -> GridGraph:
    """Return the graph with the edges of both; of an edge of both, weights are combined.

    ``duplicates`` is as for `Graph.from_edges`, where the edges of ``graph`` come first.
    """
    parts, given = (graph, other), [one.block.weights for one in (graph, other)]
    known = [one for one in given if one is not None]
    rows, columns = (
        np.concatenate([host(find(one)) for one in parts])
        for find in (type(graph).row_of_arcs, lambda one: one.block.indices)
    )
    weights = None if not known else np.concatenate([
        np.ones(part.block.num_arcs, known[0].dtype) if one is None else host(one)
        for part, one in zip(parts, given, strict=True)
    ])  # fmt: skip
    if duplicates == "raise" and (shared := shared_arcs(graph, other)).any():
        source, target, _, _ = graph._first_arc(shared, shared)
        raise ValueError(f"edge ({source}, {target}) is in both graphs, and combine='raise'")
    block = Graph.from_edges(rows, columns, weights, directed=True, duplicates=duplicates,
                             num_vertices=graph.numbering.size)  # fmt: skip
    block = like(block, block.indptr, block.indices, block.weights, directed=False)
    return type(graph)(graph.grid, graph.layout, block.to(graph.device), directed=graph.directed,
                       labels=graph.labels)  # fmt: skip


def beside(graph: GridGraph, other: GridGraph) -> GridGraph:
    """Return the disjoint union of two graphs on one grid: the other one's vertices come last."""
    from edgewise.distributed.shares import place
    from edgewise.distributed.transform import listed

    if getattr(other, "grid", None) is not graph.grid:
        raise ValueError(f"other must be a graph on the grid of graph, got {other!r}")
    if graph.labels is not None or other.labels is not None:
        raise ValueError("other and graph must have no labels on a grid")
    n, layout = graph.num_vertices, graph.layout
    known = [one.block.weights for one in (graph, other) if one.block.weights is not None]
    parts = []
    for one, first in ((graph, 0), (other, n)):
        us, vs, weights = listed(one)
        chosen = slice(None) if graph.directed else us <= vs
        if weights is None and known:
            weights = np.ones(len(us), known[0].dtype)
        us, vs = (one[chosen].astype(np.int64) + first for one in (us, vs))
        parts.append((us, vs, None if weights is None else weights[chosen]))
    joined: list[Any] = [
        None if two[0] is None else np.concatenate(two) for two in zip(*parts, strict=True)
    ]
    us, vs, weights = joined
    made = place(graph.grid, us, vs, weights, n + other.num_vertices, None,
                 directed=graph.directed, duplicates="sum", self_loops="keep",
                 distribution=layout.distribution, seed=layout.seed)  # fmt: skip
    return made.to(graph.device)


def _keys(graph: GridGraph) -> Any:
    """A number for each arc of this rank, ascending."""
    return graph.row_of_arcs().astype(np.int64) * graph.numbering.size + graph.block.indices
