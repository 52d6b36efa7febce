"""Hubs and authorities (HITS [1]) by power iteration.

A good hub points to good authorities, and a good authority is pointed to by good hubs. Up to scale,
authorities = A' hubs and hubs = A authorities, where A has the weights of the edges. Every
iteration is two passes over the edges. The number of iterations grows with the ratio of the second
singular value of A to the first. It is about ten on social and web graphs, and far too large on
road networks and long paths.

[1] J. Kleinberg. Authoritative sources in a hyperlinked environment. J. ACM 46, 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ranking.scores import Scores, scale
from edgewise.algorithms.weighting import balanced, total
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_all, sweep

__all__ = ["hits"]

# On a large graph, rounds run in float32 while the hubs still change by more than _COARSE in all,
# ten times what that rounds off; then in float64, and only these may end the iteration.
_LARGE, _COARSE = 1 << 20, 1e-6


@takes_graph
def hits(
    graph: GraphLike,
    *,
    max_iter: int = 1000,
    tol: float = 1e-8,
    normalized: bool = True,
    weights: Any = "weight",
) -> Scores:
    """Return the hub and authority scores of each vertex by HITS: principal eigenvectors.

    Parameters
    ----------
    graph : Graph
        An undirected edge counts in both directions; both scores then converge to the same values.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Stop once an iteration changes the hub scores by less than ``tol``, summed over vertices.
        A smaller ``tol`` is more accurate and takes more iterations.
    normalized : bool
        Whether to scale the scores so that each of the two sums to one.
        Otherwise the squares of the authority scores sum to one. A hub's score is then the sum of
        its authorities' scores, as in NetworkX.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights must be finite and not negative.

    Returns
    -------
    Scores
        ``(hubs, authorities)``, two arrays of float64 over vertices; all zero if there are no
        edges.

    Raises
    ------
    ConvergenceError
        If the change is not below ``tol`` after ``max_iter`` iterations. Its ``best`` holds the
        last scores.

    See Also
    --------
    salsa : Hub and authority scores by random walks, without iteration.

    Notes
    -----
    O(n + m) time per iteration.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 3], [2, 4, 2, 2], directed=True)
    >>> hubs, authorities = hits(graph)
    >>> hubs.round(3).tolist()
    [0.414, 0.293, 0.0, 0.293, 0.0]
    >>> authorities.round(3).tolist()
    [0.0, 0.0, 0.707, 0.0, 0.293]
    """
    max_iter, tol = check_count(max_iter, "max_iter"), check_number(tol, "tol")
    normalized, n, xp = check_flag(normalized, "normalized"), graph.num_vertices, graph.xp
    weights, lengths, factor = balanced(graph, weights)
    whole = float(graph.num_arcs) if lengths is None else total(lengths)
    if n == 0 or whole == 0:
        return Scores(graph.full(0.0), graph.full(0.0))
    message = _plain if lengths is None else _weighted
    large = graph.num_arcs >= _LARGE and lengths is None  # weights may leave float32's range
    dtype = xp.float32 if large else xp.float64
    hubs, following, authorities = (graph.full(1.0 / n, dtype) for _ in range(3))
    options: dict[str, Any] = {"reduce": ADD, "weights": weights, "sums": 2}
    # Authorities come from hubs that sum to one; growth is by how much a round multiplies the sum.
    size, growth, error = 1.0, whole, np.inf
    for iteration in range(max_iter):
        state = (hubs, 1.0 / size / whole, 0.0)
        sweep(graph, message, hubs, _scored, state, out=authorities, mode="in", **options)
        state = (hubs, 1.0 / growth, 1.0 / size)
        error, size = sweep(
            graph, message, authorities, _scored, state, out=following, mode="out", **options
        )
        growth, hubs, following = growth * size, following, hubs
        notify(iteration, error=error)
        if dtype == xp.float32:
            if error < max(tol, _COARSE):
                dtype = xp.float64
                hubs, following, authorities = (
                    one.astype(dtype) for one in (hubs, following, authorities)
                )
        elif error < tol:
            break
    if normalized:
        scale(graph, hubs, 1.0 / size)
        scale(graph, authorities, 1.0 / reduce_all(graph, authorities, reduce=ADD))
    else:
        length = reduce_all(graph, authorities, reduce=ADD, function=_square) ** 0.5
        scale(graph, hubs, growth / size / length / factor)
        scale(graph, authorities, 1.0 / length)
    found = Scores(hubs, authorities)
    if not error < tol:
        raise ConvergenceError("hits", max_iter, error, best=found)
    return found


def _plain(value):
    return value


def _weighted(value, weight):
    return value * weight


def _scored(v, total, before, factor, back):
    new = total * factor
    return new, abs(new - before[v] * back), new


def _square(v, scores):
    return scores[v] * scores[v]
