"""The arrays that kernels walk: for a choice of edges, the way out of a vertex and the way into it.

An adjacency is ``(indptr, indices, weights, edge_ids)`` as unsigned views; ``weights`` and
``edge_ids`` are None where nobody asks for them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.once import once
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.transfer import row_ids

__all__ = [
    "ALL",
    "Adjacency",
    "adjacency",
    "chosen_weights",
    "row_ids",
    "signed",
    "slice_bounds",
    "toward",
    "unsigned",
]

#: Past the end of every neighbor list.
ALL = 1 << 62


class Adjacency(NamedTuple):
    """Rows of neighbors, with what belongs to each edge."""

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray | None
    edge_ids: np.ndarray | None


def unsigned(array: np.ndarray) -> np.ndarray:
    """An integer array seen as unsigned: kernels then need no check for negative indices."""
    return array.view(np.uint32 if array.dtype.itemsize == 4 else np.uint64)


def signed(dtype: np.dtype) -> Any:
    """The signed type of as many bytes."""
    return np.int32 if dtype.itemsize == 4 else np.int64


def adjacency(
    graph: Graph, edges: str, weights: Any, names: tuple[str, ...], pull: bool
) -> tuple[Adjacency, Adjacency]:
    """The adjacencies along ``edges`` ("out", "in", "both") and against them.

    Without ``pull`` the second is the first: a caller who never pulls needs no transpose. Those
    that are views of the graph's own arrays are kept.
    """
    check_choice(edges, "edges", ("out", "in", "both"))
    weighs, own = "weight" in names, weights is None
    copied = weighs and (edges == "both" if own else not isinstance(weights, str))
    if copied or not hasattr(graph, "__dict__"):
        return _adjacency(graph, edges, weights, names, pull)
    key = ("adjacency", edges, weighs and (own or weights), "edge" in names, pull)
    return once(graph, key, lambda: _adjacency(graph, edges, weights, names, pull))


def _adjacency(
    graph: Graph, edges: str, weights: Any, names: tuple[str, ...], pull: bool
) -> tuple[Adjacency, Adjacency]:
    """`adjacency` anew."""
    chosen = chosen_weights(graph, weights, names)
    with_ids = "edge" in names
    if not graph.directed:
        out = _whole(graph, chosen, None)
        if edges != "in" and not pull:
            return out, out
        # Own weights are the same both ways; others belong to the edge that enters.
        back = chosen if weights is None or chosen is None else frozen(chosen[graph.reverse_edge])
        into = _whole(graph, back, graph.reverse_edge if with_ids else None)
        return (into, out) if edges == "in" else (out, into)
    if edges == "both":
        whole = once(graph, "both directions", lambda: _union(graph))
        ids = whole.edge_ids
        both = Adjacency(
            whole.indptr,
            whole.indices,
            None if chosen is None else frozen(chosen[ids]),
            ids if with_ids else None,
        )
        return both, both
    forward = _whole(graph, chosen, None)
    if edges == "out" and not pull:
        return forward, forward
    reverse = graph.transposed
    along = reverse.weights if weights is None and chosen is not None else None
    if chosen is not None and along is None:
        along = frozen(chosen[reverse.edge_ids])
    backward = _whole(reverse, along, reverse.edge_ids if with_ids else None)
    return (forward, backward) if edges == "out" else (backward, forward)


def toward(graph: Graph, edges: str) -> str:
    """By which edges members hear: of an undirected graph's "both" each once, on its way in."""
    check_choice(edges, "edges", ("out", "in", "both"))
    return "in" if edges == "both" and not graph.directed else edges


def _whole(csr: Any, weights: Any, edge_ids: Any) -> Adjacency:
    return Adjacency(unsigned(csr.indptr), unsigned(csr.indices), weights, edge_ids)


def chosen_weights(
    graph: Graph, weights: Any, names: tuple[str, ...], asked: tuple[str, ...] = ("weight",)
) -> Any:
    """The graph's own weights, none ("unit"), or an array over arcs, checked.

    None, too, where ``names`` has none of those ``asked`` for.
    """
    if not set(asked) & set(names):
        return None
    if weights is None:
        return graph.weights
    if isinstance(weights, str):
        check_choice(weights, "weights", ("unit",))
        return None
    return frozen(as_weights(weights, graph.num_arcs, xp=graph.xp, per="arc"))


def _union(graph: Graph) -> Adjacency:
    """Out-edges and in-edges of a directed graph in one adjacency."""
    reverse, xp = graph.transposed, graph.xp
    indptr = graph.indptr + reverse.indptr
    m = graph.num_arcs
    indices, edge_ids = xp.empty(2 * m, graph.indices.dtype), xp.empty(2 * m, xp.int64)
    at = xp.arange(m) + reverse.indptr[row_ids(graph)]
    indices[at], edge_ids[at] = graph.indices, xp.arange(m)
    at = xp.arange(m) + graph.indptr[row_ids(reverse) + 1]
    indices[at], edge_ids[at] = reverse.indices, reverse.edge_ids
    return Adjacency(unsigned(frozen(indptr)), unsigned(frozen(indices)), None, frozen(edge_ids))


def slice_bounds(neighbors: slice | None) -> tuple[int, int]:
    """The first and last position, counted from the front, of a slice of neighbor lists."""
    if neighbors is None:
        return 0, ALL
    ends = (neighbors.start, neighbors.stop) if isinstance(neighbors, slice) else "?"
    whole = all(one is None or isinstance(one, (int, np.integer)) for one in ends)
    if not whole or neighbors.step not in (None, 1):
        raise TypeError(f"neighbors must be a slice with step 1, got {neighbors!r}")
    first, last = neighbors.start or 0, ALL if neighbors.stop is None else neighbors.stop
    if first < 0 or last < 0:
        raise ValueError(f"neighbors must count from the front, got {neighbors!r}")
    return first, max(first, last)
