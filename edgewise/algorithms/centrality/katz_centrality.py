"""Katz centrality [1] by fixed-point iteration; each vertex pulls from its in-neighbors.

The centrality counts the walks that end at a vertex; one of k edges has weight alpha^k. It solves x
= alpha A'x + beta. A solution exists if alpha is less than the inverse of the largest eigenvalue of
A. Linear work per iteration.

[1] L. Katz. A new status index derived from sociometric analysis. Psychometrika 18, 1953.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ranking.scores import scale
from edgewise.algorithms.weighting import amounts, balanced, total
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.base.ranges import factor_for
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_neighbors, sweep

__all__ = ["katz_centrality"]


@takes_graph
def katz_centrality(
    graph: GraphLike,
    *,
    alpha: float | None = None,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    normalized: bool = True,
    weights: Any = None,
) -> Any:
    """Return the Katz centrality of each vertex.

    Parameters
    ----------
    graph : Graph
        Directed edges contribute to their targets.
        For out-edges, pass ``graph.transposed``.
    alpha : float, optional
        Attenuation factor per edge; must be less than the inverse of the largest eigenvalue.
        A larger ``alpha`` gives long walks more weight. The default is 1 / (1 + the largest
        (weighted) in-degree), which is always small enough. NetworkX's default of 0.1 is often too
        large.
    beta : float, array over vertices, or dict from vertex or label to number
        Constant added to the centrality of each vertex.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Stop once an iteration changes the centralities by at most ``tol``, summed over vertices.
        The change is measured for centralities whose squares sum to one. NetworkX stops at ``n *
        tol`` before normalization. The same ``tol`` is never less strict here.
    normalized : bool
        Whether to scale the centralities so that their squares sum to one.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights must be finite and not negative.

    Returns
    -------
    array of float64 over vertices

    Raises
    ------
    ConvergenceError
        If the change is above ``tol`` after ``max_iter`` iterations, or the values diverge. If
        ``alpha`` is too large, the message states its bound. The error's ``best`` holds the last
        centralities.

    See Also
    --------
    eigenvector_centrality : The limit of Katz centrality for the largest possible ``alpha``.

    Notes
    -----
    O(n + m) time per iteration.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> katz_centrality(star, alpha=0.1).round(3).tolist()
    [0.564, 0.477, 0.477, 0.477]
    """
    max_iter, tol = check_count(max_iter, "max_iter"), check_number(tol, "tol")
    normalized = check_flag(normalized, "normalized")
    weights, lengths, factor = balanced(graph, weights)
    n = graph.num_vertices
    begin = amounts(graph, beta, "beta")
    if n == 0:
        return begin
    if alpha is None:
        degree = reduce_neighbors(
            graph, None, _weight, graph.full(0.0), reduce=ADD, weights=weights
        )
        alpha = 1 / (1 + float(degree.max()) / factor)
    alpha = check_number(alpha, "alpha")
    unit = factor_for(float(begin.max()))  # of beta: the equations are linear in it
    begin = begin * unit if unit != 1.0 else begin
    step, most = alpha / factor, total(begin)
    message = _plain if lengths is None else _weighted
    central, following, errors, squares = graph.full(0.0), graph.full(0.0), [np.inf], 0.0
    length = 1.0
    for iteration in range(max_iter):
        error, squares = sweep(
            graph, message, central, _added, (central, begin, step), reduce=ADD, weights=weights,
            out=following, sums=2,
        )  # fmt: skip
        errors.append(error)
        central, following = following, central
        notify(iteration, error=error)
        length = min(squares**0.5, most)
        if error <= tol * length or not np.isfinite(squares):
            break
    done = errors[-1] <= tol * length and np.isfinite(squares)
    if normalized and 0 < squares < np.inf:
        scale(graph, central, squares**-0.5)
    elif unit != 1.0:
        scale(graph, central, 1.0 / unit)
    if not done:
        hint = _too_great(alpha, errors)
        error = errors[-1] / (length or 1.0)
        raise ConvergenceError("katz_centrality", len(errors) - 1, error, central, hint)
    return central


def _too_great(alpha: float, errors: list[float]) -> str:
    """What to say about an alpha by which changes grow: by alpha * lambda_max in a round."""
    changes = [error for error in errors if 0 < error < np.inf][-3:]
    growth = (changes[-1] / changes[0]) ** 0.5 if len(changes) == 3 else 0.0
    if growth < 1.0:
        return ""
    return (
        f"alpha must be below 1 / lambda_max, which is about {alpha / growth:.3g}, got {alpha:.3g}"
    )


def _plain(value):
    return value


def _weighted(value, weight):
    return value * weight


def _weight(weight):
    return weight


def _added(v, total, central, begin, alpha):
    new = alpha * total + begin[v]
    return new, abs(new - central[v]), new * new
