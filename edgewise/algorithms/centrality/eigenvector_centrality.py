"""Eigenvector centrality [1] by power iteration, each vertex pulling from its in-neighbors.

A vertex is as central as its in-neighbors are together: x = A'x over the greatest eigenvalue.
Rounds multiply by A' + s I, where s is the mean weight of an edge: that has the same eigenvectors
and does not swing between the sides of a bipartite graph. A common factor of the weights changes
nothing. Linear work per round.

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
    """The eigenvector centrality of every vertex; their squares sum to one.

    Parameters
    ----------
    graph : Graph
        Directed edges count for their targets: reverse the graph for out-edges.
    max_iter : int
        Give up after so many rounds.
    tol : float
        Stop once a round changes the centralities by less than ``n * tol``, summed over all n
        vertices, as in NetworkX. They are close to the eigenvector only where rounds shrink the
        change quickly: give a smaller ``tol`` on long paths and roads.
    weights : None, "unit" or array over edges
        Not negative, and finite.

    Returns
    -------
    array of float64

    Raises
    ------
    ConvergenceError
        If the change is still greater after ``max_iter`` rounds; its ``best`` holds what there is.

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
        if error < n * tol:
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
