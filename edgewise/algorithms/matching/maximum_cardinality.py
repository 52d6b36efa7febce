"""Maximum cardinality matching of any undirected graph, with a certificate (Edmonds [1]).

A greedy matching comes first: vertices with one free neighbor are matched with it, then others with
the free neighbor of the fewest [2]. Then rounds of searches with blossoms augment it, see
`edgewise.algorithms.matching.blossoms`. The last round finds no augmenting path. Its odd vertices
are a barrier: without them, the graph falls into so many components of odd size that no matching
leaves fewer vertices free (Tutte and Berge). O(m) work per round, mostly a few rounds, on one CPU
thread.

[1] J. Edmonds. Paths, trees, and flowers. Canadian J. Mathematics 17, 1965.
[2] R. Karp, M. Sipser. Maximum matching in sparse random graphs. FOCS 1981.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.blossoms import blossom_round, new_forest
from edgewise.algorithms.matching.result import shown_result
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["CertifiedMatching", "maximum_cardinality"]


class CertifiedMatching(NamedTuple):
    """A maximum cardinality matching, and a set of vertices that proves it.

    Attributes
    ----------
    mate : array of int over vertices
        The vertex that each vertex is matched with, or -1 if it is unmatched.
    weight : float
        The number of matched edges.
    cardinality : int
        The number of matched edges.
    barrier : array of bool over vertices
        A boolean mask of a Tutte-Berge set. The graph without it has as many more components of odd
        size than the set has vertices as the matching leaves vertices unmatched.
    """

    mate: Any
    weight: float
    cardinality: int
    barrier: Any

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"mate": "vertices", "barrier": "vertices"}

    def __repr__(self) -> str:
        return shown_result(self, self.mate)


@takes_graph
def maximum_cardinality(graph: LocalGraphLike) -> CertifiedMatching:
    """Return a maximum cardinality matching of any undirected graph, with a certificate.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory; weights and self-loops are ignored.

    Returns
    -------
    CertifiedMatching
        ``(mate, weight, cardinality, barrier)``. The weight is the cardinality. ``barrier`` is a
        boolean mask over vertices that proves that no matching is larger.

    See Also
    --------
    hopcroft_karp : For bipartite graphs.
    vertex_weighted : Weights of vertices instead.

    Notes
    -----
    O(n m) time at most; close to linear on most graphs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2, 2, 2], [1, 2, 0, 3, 4])
    >>> found = maximum_cardinality(graph)
    >>> found.cardinality, found.mate.tolist(), found.barrier.tolist()
    (2, [1, 0, 4, -1, 2], [False, False, True, False, False])
    """
    check_host(graph, "maximum_cardinality")
    check_undirected(graph, "maximum_cardinality")
    mate, n = _greedy(graph), graph.num_vertices
    forest, turn = new_forest(mate), 0
    while True:
        state = (graph.indptr, graph.indices, forest)
        sequential(blossom_round, state, steps=n, work=2 * graph.num_arcs, phase="blossoms")
        notify(turn, phase="blossoms", augmented=int(forest.counts[0]))
        turn += 1
        if forest.counts[0] == 0:
            break
    cardinality = int((mate >= 0).sum()) // 2
    barrier = forest.label == 2
    return CertifiedMatching(mate.astype(graph.id_dtype), float(cardinality), cardinality,
                             barrier)  # fmt: skip


def _greedy(graph: Graph) -> Any:
    """The mates of a greedy matching, -1 for none."""
    n = graph.num_vertices
    mate, left, stack = np.full(n, -1, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    state = (graph.indptr, graph.indices, mate, left, stack)
    sequential(_match, state, steps=n, work=2 * graph.num_arcs, phase="greedy")
    return mate


def _match(control, indptr, indices, mate, left, stack):
    """``left`` has the number of free neighbors of each free vertex."""
    n, top = len(mate), 0
    for v in range(n):
        left[v] = 0
        for e in range(indptr[v], indptr[v + 1]):
            left[v] += indices[e] != v
        if left[v] == 1:
            stack[top] = v
            top += 1
    for v in range(n):
        if v % 256 == 0 and not going(control, v):
            return
        top = _match_leaves(indptr, indices, mate, left, stack, top)
        if mate[v] < 0 and left[v] > 0:
            top = _match_one(indptr, indices, mate, left, stack, top, v)
    _match_leaves(indptr, indices, mate, left, stack, top)


@inner
def _match_leaves(indptr, indices, mate, left, stack, top):
    while top > 0:
        top -= 1
        v = stack[top]
        if mate[v] < 0 and left[v] > 0:
            top = _match_one(indptr, indices, mate, left, stack, top, v)
    return top


@inner
def _match_one(indptr, indices, mate, left, stack, top, v):
    """Match a vertex with its free neighbor of the fewest free neighbors."""
    other, fewest = np.int64(-1), np.int64(0)
    for e in range(indptr[v], indptr[v + 1]):
        u = np.int64(indices[e])
        if u != v and mate[u] < 0 and (other < 0 or left[u] < fewest):
            other, fewest = u, left[u]
    mate[v], mate[other] = other, v
    for w in (v, other):
        for e in range(indptr[w], indptr[w + 1]):
            u = np.int64(indices[e])
            left[u] -= 1
            if left[u] == 1 and mate[u] < 0 and top < len(stack):
                stack[top] = u
                top += 1
    return top
