"""Current-flow centralities [1]: edges are resistors, and a unit current flows between vertices.

The Laplacian of a connected component without the row and column of one vertex, its ground, has an
inverse M. The potential of v for a current from s to t is M[v, s] - M[v, t].

- Closeness: resistances from v sum to n M[v, v] - 2 sum(M[v]) + trace(M). The entries of the
  diagonal are found by solving for blocks of unit vectors.
- Betweenness: for an edge (a, b), the row M[a] - M[b] holds the currents through it, for sources at
  each vertex. The sum of absolute differences over all pairs is a weighted sum of the sorted row.

SciPy's sparse LU factorization solves. Disconnected graphs are solved by component.

[1] U. Brandes, D. Fleischer. Centrality measures based on current flow. STACS 2005.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import check_flag, check_undirected
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["current_flow_betweenness_centrality", "current_flow_closeness_centrality"]

#: So many numbers at once are solved for.
_BLOCK = 1 << 22


@takes_graph
def current_flow_closeness_centrality(graph: LocalGraphLike, *, weights: Any = None) -> np.ndarray:
    """Return the current-flow closeness centrality of each vertex (information centrality).

    It is the inverse of the sum of the effective resistances to all others of its component.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight 0 are ignored.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are conductances, finite and nonnegative.

    Returns
    -------
    array of float64 over vertices
        0 for vertices without neighbors.

    See Also
    --------
    closeness_centrality : By shortest paths.

    Notes
    -----
    n solutions of a factored sparse system: about O(n m) on common graphs. O(n) memory besides the
    factors.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> current_flow_closeness_centrality(path(3)).round(3).tolist()
    [0.333, 0.5, 0.333]
    """
    check_host(graph, "current_flow_closeness_centrality")
    check_undirected(graph, "current_flow_closeness_centrality")
    factor = balanced(graph, weights)[2]
    score = np.zeros(graph.num_vertices)
    for piece in pieces(graph, weights):
        n = len(piece.vertices)
        row_sums = piece.potentials(np.ones((n, 1)))[:, 0]
        own = np.zeros(n)
        for low in range(0, n - 1, piece.block):
            high = min(low + piece.block, n - 1)
            sources = np.zeros((n, high - low))
            sources[np.arange(low, high), np.arange(high - low)] = 1
            own[low:high] = piece.potentials(sources)[np.arange(low, high), np.arange(high - low)]
            notify(low, phase="current_flow_closeness", done=high, total=n)
        score[piece.vertices] = 1 / (n * own - 2 * row_sums + own.sum())
    return score / factor


@takes_graph
def current_flow_betweenness_centrality(
    graph: LocalGraphLike, *, normalized: bool = True, weights: Any = None
) -> np.ndarray:
    """Return the current-flow betweenness centrality of each vertex (random-walk betweenness).

    The betweenness of v sums the current through v over all pairs of other vertices, between which
    a unit current flows. Pairs in different components add nothing.

    Parameters
    ----------
    graph, weights
        As for `current_flow_closeness_centrality`.
    normalized : bool
        Whether to divide by the number of pairs of other vertices.

    Returns
    -------
    array of float64 over vertices

    See Also
    --------
    betweenness_centrality : By shortest paths.

    Notes
    -----
    A solution and a sort per edge: O(m n log n) time at least, and O(n) memory besides the factors.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> current_flow_betweenness_centrality(path(4), normalized=False).round(3).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    check_host(graph, "current_flow_betweenness_centrality")
    check_undirected(graph, "current_flow_betweenness_centrality")
    normalized = check_flag(normalized, "normalized")
    score, others = np.zeros(graph.num_vertices), graph.num_vertices - 1
    for piece in pieces(graph, weights):
        n, amounts = len(piece.vertices), edge_currents(piece)
        through = np.bincount(piece.us, amounts, n) + np.bincount(piece.vs, amounts, n)
        # Every pair of other vertices sends its current into v and out of it; v's own n - 1 pairs
        # do so only once.
        score[piece.vertices] = np.maximum(through - (n - 1), 0) / 2
    return score / max(others * (others - 1) / 2, 1) if normalized else score


def edge_currents(piece: Piece) -> np.ndarray:
    """The sum of the currents through each edge of a component, over all pairs of its vertices."""
    n, m = len(piece.vertices), len(piece.us)
    ranks, found = 2 * np.arange(n)[:, None] + 1 - n, np.empty(m)
    for low in range(0, m, piece.block):
        us, vs = piece.us[low : low + piece.block], piece.vs[low : low + piece.block]
        sources = np.zeros((n, len(us)))
        sources[us, np.arange(len(us))] = 1
        sources[vs, np.arange(len(us))] = -1
        currents = np.sort(piece.potentials(sources), axis=0)
        found[low : low + len(us)] = (ranks * currents).sum(axis=0)
        notify(low, phase="current_flow_betweenness", done=low + len(us), total=m)
    return found * piece.conductance


class Piece(NamedTuple):
    """A connected component: its vertices, its edges by their places, and its factors."""

    vertices: np.ndarray
    us: np.ndarray
    vs: np.ndarray
    conductance: np.ndarray
    factors: Any

    @property
    def block(self) -> int:
        """For how many currents to solve at once."""
        return max(1, _BLOCK // len(self.vertices))

    def potentials(self, sources: np.ndarray) -> np.ndarray:
        """The potentials for columns of currents, those of the last vertex being 0."""
        found = np.zeros(sources.shape)
        found[:-1] = self.factors.solve(np.asfortranarray(sources[:-1]))
        return found


def pieces(graph: Graph, weights: Any) -> Iterator[Piece]:
    """The components of at least two vertices, by edges of positive conductance."""
    import scipy.sparse as sparse
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import splu

    found, n = balanced(graph, weights)[1], graph.num_vertices
    sources, targets, _ = graph.arcs()
    amounts = np.ones(graph.num_arcs) if found is None else found.astype(np.float64)
    kept = (sources != targets) & (amounts > 0)
    ends = sources[kept], targets[kept]
    matrix = sparse.csr_matrix((amounts[kept], ends), shape=(n, n))
    labels = connected_components(matrix, directed=False)[1] if n else np.zeros(0, np.int64)
    order = np.argsort(labels, kind="stable")
    for vertices in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(vertices) > 1:
            part = matrix[vertices][:, vertices]
            laplacian = (sparse.diags(part @ np.ones(len(vertices))) - part).tocsc()
            factors = splu(laplacian[:-1, :-1], permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                           options={"SymmetricMode": True})  # fmt: skip
            upper = sparse.triu(part).tocoo()
            yield Piece(vertices, upper.row, upper.col, upper.data, factors)
