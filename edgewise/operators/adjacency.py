"""The arrays that kernels walk: for a choice of edges, the way out of a vertex and the way into it.

An adjacency is ``(indptr, indices, weights, edge_ids)`` as unsigned views; ``weights`` and
``edge_ids`` are None where nobody asks for them. The rows of a compressed graph are `Blocks`, and
its weights may be `Coded`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.once import once
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.transfer import row_ids
from edgewise.graph.weight_columns import is_own, stored_column

__all__ = [
    "ALL",
    "Adjacency",
    "adjacency",
    "chosen_weights",
    "row_ids",
    "second_step",
    "signed",
    "slice_bounds",
    "toward",
    "unsigned",
    "weights_read",
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
    graph: Graph, mode: str, weights: Any, names: tuple[str, ...], pull: bool
) -> tuple[Adjacency, Adjacency]:
    """The adjacencies along ``mode`` ("out", "in", "both") and against them.

    Without ``pull`` the second is the first: a caller who never pulls needs no transpose. Those
    that are views of the graph's own arrays are kept.
    """
    check_choice(mode, "mode", ("out", "in", "both"))
    weights = weights_read(graph, weights, names)
    copied = weights is not None and (mode == "both" or not isinstance(weights, str))
    if copied or not hasattr(graph, "__dict__"):
        return _adjacency(graph, mode, weights, names, pull)
    key = ("adjacency", mode, weights, "edge" in names, pull)
    return once(graph, key, lambda: _adjacency(graph, mode, weights, names, pull))


def _adjacency(
    graph: Graph, mode: str, weights: Any, names: tuple[str, ...], pull: bool
) -> tuple[Adjacency, Adjacency]:
    """`adjacency` anew."""
    chosen = chosen_weights(graph, weights, names)
    with_ids = "edge" in names
    if not graph.directed:
        out = _whole(graph, chosen, None)
        if mode != "in" and not pull:
            return out, out
        # A column is the same both ways; entries of an array belong to the edge that enters.
        alike = chosen is None or isinstance(weights, str)
        back = chosen if alike else frozen(chosen[graph.reverse_arc])
        into = _whole(graph, back, graph.reverse_arc if with_ids else None)
        return (into, out) if mode == "in" else (out, into)
    if mode == "both":
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
    if mode == "out" and not pull:
        return forward, forward
    reverse = graph.transposed
    along = chosen
    if chosen is not None:
        along = reverse.stored_weights if is_own(weights) else frozen(chosen[reverse.arc_ids])
    backward = _whole(reverse, along, reverse.arc_ids if with_ids else None)
    return (forward, backward) if mode == "out" else (backward, forward)


def weights_read(graph: Graph, weights: Any, names: tuple[str, ...]) -> Any:
    """The weights as given; None where all are one, or where ``names`` has no weight."""
    if "weight" not in names:
        return None
    named = isinstance(weights, str)
    return None if named and stored_column(graph, weights) is None else weights


def toward(graph: Graph, mode: str) -> str:
    """By which edges members hear: of an undirected graph's "both" each once, on its way in."""
    check_choice(mode, "mode", ("out", "in", "both"))
    return "in" if mode == "both" and not graph.directed else mode


def second_step(via: Any, names: tuple[str, ...]) -> Adjacency:
    """The rows of the second of two steps; their weights if ``names`` has ``onward``."""
    return _whole(via, via.weights if "onward" in names else None, None)


def _whole(csr: Any, weights: Any, edge_ids: Any) -> Adjacency:
    indptr, indices = csr.stored
    return Adjacency(unsigned(indptr), unsigned(indices), weights, edge_ids)


def chosen_weights(
    graph: Graph, weights: Any, names: tuple[str, ...], asked: tuple[str, ...] = ("weight",)
) -> Any:
    """The weights over arcs, checked: a column of the graph, an array, or None for unit weights.

    None, too, where ``names`` has none of those ``asked`` for.
    """
    if weights is None or not set(asked) & set(names):
        return None
    if isinstance(weights, str):
        return stored_column(graph, weights)
    return frozen(as_weights(weights, graph.num_arcs, xp=graph.xp, per="arc"))


def _union(graph: Graph) -> Adjacency:
    """Out-edges and in-edges of a directed graph in one adjacency."""
    check_arcs(graph, 'mode="both" on a directed graph')
    reverse, xp = graph.transposed, graph.xp
    indptr = graph.indptr + reverse.indptr
    m = graph.num_arcs
    indices, edge_ids = xp.empty(2 * m, graph.id_dtype), xp.empty(2 * m, xp.int64)
    at = xp.arange(m) + reverse.indptr[row_ids(graph)]
    indices[at], edge_ids[at] = graph.indices, xp.arange(m)
    at = xp.arange(m) + graph.indptr[row_ids(reverse) + 1]
    indices[at], edge_ids[at] = reverse.indices, reverse.arc_ids
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
