"""Eigenvector centrality [1] by power iteration; each vertex pulls from its in-neighbors.

The centrality x is the principal eigenvector: A'x = lambda x with the largest eigenvalue lambda.
Iterations multiply by A' + s I, where s is the mean weight of an edge. This matrix has the same
eigenvectors, and its iterates do not oscillate between the sides of a bipartite graph. Scaling all
weights by a common factor changes nothing. Linear work per iteration.

[1] P. Bonacich. Power and centrality: a family of measures. American J. Sociology 92, 1986.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ranking.scores import scale
from edgewise.algorithms.weighting import balanced, total
from edgewise.base.checks import check_count, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, sweep

__all__ = ["eigenvector_centrality"]


@takes_graph
def eigenvector_centrality(
    graph: GraphLike, *, max_iter: int = 1000, tol: float = 1e-6, weights: Any = None
) -> Any:
    """Return the eigenvector centrality of each vertex.

    Parameters
    ----------
    graph : Graph
        Directed edges contribute to their targets.
        For out-edges, pass ``graph.transposed``.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Stop once an iteration changes the centralities by less than ``tol``, summed over vertices.
        A smaller ``tol`` is more accurate and takes more iterations. NetworkX stops at ``n * tol``,
        so the same value is stricter here. Long paths and road networks converge slowly and need a
        larger ``max_iter``.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights must be finite and not negative.

    Returns
    -------
    array of float64 over vertices
        The squares sum to one.

    Raises
    ------
    ConvergenceError
        If the change is not below ``tol`` after ``max_iter`` iterations. Its ``best`` holds the
        last centralities.

    See Also
    --------
    katz_centrality : Eigenvector centrality with a constant added to each vertex.

    Notes
    -----
    O(n + m) time per iteration.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> eigenvector_centrality(star).round(3).tolist()
    [0.707, 0.408, 0.408, 0.408]
    """
    max_iter, tol = check_count(max_iter, "max_iter"), check_number(tol, "tol")
    weights, lengths, _ = balanced(graph, weights)
    n = graph.num_vertices
    if n == 0:
        return graph.full(0.0)
    message = _plain if lengths is None else _weighted
    central, following = graph.full(n**-0.5), graph.full(0.0)
    # growth is by how much a round multiplies the length; the mean degree is a first guess.
    whole = graph.num_arcs if lengths is None else total(lengths)
    stay = whole / graph.num_arcs if whole else 1.0
    length, growth, error = 1.0, stay + whole / n, np.inf
    for iteration in range(max_iter):
        state = (central, stay, 1.0 / growth / length, 1.0 / length)
        error, squares = sweep(
            graph, message, central, _grown, state, reduce=ADD, weights=weights, out=following,
            sums=2,
        )  # fmt: skip
        length = squares**0.5
        growth *= length
        central, following = following, central
        notify(iteration, error=error)
        if error < tol:
            return scale(graph, central, 1.0 / length)
    best = scale(graph, central, 1.0 / length)
    raise ConvergenceError("eigenvector_centrality", max_iter, error, best=best)


def _plain(value):
    return value


def _weighted(value, weight):
    return value * weight


def _grown(v, total, central, stay, factor, back):
    new = (total + stay * central[v]) * factor
    return new, abs(new - central[v] * back), new * new
