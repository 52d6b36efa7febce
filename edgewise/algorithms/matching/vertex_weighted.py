"""Vertex-weighted matching, k/(k + 1)-approximate, by short augmenting paths [1, 2].

Vertices are processed from the heaviest to the lightest. For each free vertex, a search finds the
heaviest free vertex at the end of an augmenting path of at most 2k - 1 edges. Then the path is
augmented. Matched vertices stay matched. With k = 1 paths are single edges; with k = 2 they have up
to three.

Vertices are renumbered from the heaviest, so that every row begins with its heaviest neighbor. Two
cursors per row mark its first two free neighbors and only move forward. The path
u - v - mate(v) - w takes the first free neighbor of mate(v) that is not u. Linear work after the
renumbering, on one CPU thread.

[1] F. Dobrian, M. Halappanavar, A. Pothen, A. Al-Herz. A 2/3-approximation algorithm for
    vertex-weighted matching in bipartite graphs. SIAM J. Scientific Computing 41(1), 2019.
[2] A. Al-Herz, A. Pothen. A 2/3-approximation algorithm for vertex-weighted matching.
    Discrete Applied Mathematics 308, 2022.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.result import Matching
from edgewise.algorithms.weighting import total
from edgewise.base.checks import check_count, check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["vertex_weighted"]


@takes_graph
def vertex_weighted(
    graph: LocalGraphLike, vertex_weights: Any, *, max_path_length: int = 3
) -> Matching:
    """Return a 2/3-approximate maximum vertex-weight matching.

    Edge weights are ignored.

    Parameters
    ----------
    graph : Graph
        Undirected.
    vertex_weights : array over vertices
        The weight of each vertex, finite and nonnegative.
    max_path_length : {1, 3}
        The largest number of edges of an augmenting path. 1 guarantees 1/2 of the maximum, 3
        guarantees 2/3.

    Returns
    -------
    Matching
        ``weight`` is the total weight of the matched vertices, not of edges.

    Raises
    ------
    ValueError
        If the graph is directed, or ``vertex_weights`` or ``max_path_length`` is out of range.
    DeviceError
        If the graph is on a GPU.

    Notes
    -----
    O(n + m) time on one CPU thread, after sorting the vertices.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> found = vertex_weighted(path, [1.0, 5.0, 4.0, 2.0])
    >>> found.mate.tolist(), found.weight
    ([1, 0, 3, 2], 12.0)
    >>> vertex_weighted(path, [1.0, 5.0, 4.0, 2.0], max_path_length=1).weight
    9.0
    """
    check_host(graph, "vertex_weighted")
    check_undirected(graph, "vertex_weighted")
    vertex_weights = _check_values(graph, vertex_weights)
    if check_count(max_path_length, "max_path_length") not in (1, 3):
        raise ValueError(f"max_path_length must be 1 or 3, got {max_path_length}")
    n, dtype = graph.num_vertices, graph.id_dtype
    mate = graph.full(-1, dtype)
    if n == 0:
        return Matching(mate, 0.0, 0)
    heaviest = np.argsort(-vertex_weights, kind="stable")
    rank = np.empty(n, dtype)
    rank[heaviest] = np.arange(n)
    ranked = Graph(graph.indptr, graph.indices).permute(rank)
    first, second = ranked.indptr[:-1].copy(), ranked.indptr[:-1].copy()
    state = (ranked.indptr, ranked.indices, first, second, mate, (max_path_length + 1) // 2)
    sequential(_match, state, steps=n, work=graph.num_arcs)
    mate = np.where(mate < 0, mate, heaviest[mate])[rank].astype(dtype)
    chosen = mate >= 0
    return Matching(mate, total(vertex_weights[chosen]), int(chosen.sum()) // 2)


def _check_values(graph: Graph, values: Any) -> Any:
    values = np.asarray(values)
    if values.dtype.kind not in "biuf":
        raise TypeError(f"vertex_weights must be numbers, got dtype {values.dtype}")
    if values.shape != (graph.num_vertices,):
        raise ValueError(
            f"vertex_weights must have one entry per vertex ({graph.num_vertices}), "
            f"got {values.shape}"
        )
    values = values.astype(np.float64)
    wrong = np.flatnonzero(~((values >= 0) & np.isfinite(values)))
    if len(wrong):
        raise ValueError(
            f"vertex_weights must be finite and not negative, got {values[wrong[0]]} "
            f"at vertex {wrong[0]}"
        )
    return values


def _match(control, indptr, indices, first, second, mate, k):
    """Vertices are their ranks: the least is the heaviest."""
    n = np.int64(len(mate))
    for u in range(n):
        if u % 256 == 0 and not going(control, u):
            return
        if mate[u] >= 0:
            continue
        best, through = n, np.int64(-1)  # the free end, and the neighbor of u on the way there
        for e in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[e])
            x = np.int64(mate[v])
            if x < 0 and v != u and v <= best:
                best, through = v, v
            if x < 0 or k == 1:
                continue
            end, i = indptr[x + 1], first[x]
            while i < end and (mate[indices[i]] >= 0 or indices[i] == x):
                i += 1
            first[x] = i
            if i < end and indices[i] == u:
                i = max(i + 1, second[x])
                while i < end and (mate[indices[i]] >= 0 or indices[i] == x):
                    i += 1
                second[x] = i
            if i < end and indices[i] < best:
                best, through = np.int64(indices[i]), v
        if best == n:
            continue
        if through != best:
            x = np.int64(mate[through])
            mate[x], mate[best] = best, x
        mate[u], mate[through] = through, u
