"""Katz centrality [1] by fixed-point iteration, each vertex pulling from its in-neighbors.

A vertex counts the walks that end at it, one of k edges with weight alpha^k: x = alpha A'x + beta.
There is such a number while alpha is below one over the greatest eigenvalue of A. Linear work per
round.

[1] L. Katz. A new status index derived from sociometric analysis. Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ranking.scores import scale
from edgewise.algorithms.weighting import amounts, finite_amounts
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, reduce_neighbors, sweep

__all__ = ["katz_centrality"]


@takes_graph
def katz_centrality(
    graph: Any,
    *,
    alpha: float | None = None,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    normalized: bool = True,
    weights: Any = None,
) -> Any:
    """The Katz centrality of every vertex.

    Parameters
    ----------
    graph : Graph
        Directed edges count for their targets: reverse the graph for out-edges.
    alpha : float, optional
        What a step is worth; below one over the greatest eigenvalue. By default one over one more
        than the greatest (weighted) in-degree, which always is; NetworkX's 0.1 seldom is.
    beta : float, array over vertices, or dict from vertex or label to number
        What every vertex has to begin with.
    max_iter : int
        Give up after so many rounds.
    tol : float
        Stop once a round changes the centralities by less than ``n * tol``, summed over all n
        vertices, as in NetworkX.
    normalized : bool
        Scale them so that their squares sum to one.
    weights : None, "unit" or array over edges
        Not negative, and finite.

    Returns
    -------
    array of float64

    Raises
    ------
    ConvergenceError
        If the change is still greater after ``max_iter`` rounds, or ``alpha`` so great that the
        numbers grow without end; its ``best`` holds what there is.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> katz_centrality(star, alpha=0.1).round(3).tolist()
    [0.564, 0.477, 0.477, 0.477]
    """
    max_iter, tol = check_count(max_iter, "max_iter"), check_number(tol, "tol")
    normalized = check_flag(normalized, "normalized")
    lengths = finite_amounts(graph, weights)
    n = graph.num_vertices
    begin = amounts(graph, beta, "beta")
    if n == 0:
        return begin
    if alpha is None:
        degree = reduce_neighbors(
            graph, None, _weight, graph.full(0.0), reduce=ADD, weights=weights
        )
        alpha = 1 / (1 + float(degree.max()))
    alpha = check_number(alpha, "alpha")
    message = _plain if lengths is None else _weighted
    central, following, error, squares = graph.full(0.0), graph.full(0.0), np.inf, 0.0
    iteration = -1
    for iteration in range(max_iter):
        state = (central, begin, alpha)
        error, squares = sweep(
            graph, message, central, _added, state, reduce=ADD, weights=weights, out=following,
            sums=2,
        )  # fmt: skip
        central, following = following, central
        notify(iteration, error=error)
        if error < n * tol or not np.isfinite(squares):
            break
    if normalized and 0 < squares < np.inf:
        scale(graph, central, squares**-0.5)
    if not error < n * tol or not np.isfinite(squares):
        raise ConvergenceError("katz_centrality", iteration + 1, error, best=central)
    return central


def _plain(value):
    return value


def _weighted(value, weight):
    return value * weight


def _weight(weight):
    return weight


def _added(v, total, central, begin, alpha):
    new = alpha * total + begin[v]
    return new, abs(new - central[v]), new * new
