"""Twitter's Money: whom a circle of users would recommend to one of them ([1], Alg. 8 of [2]).

Those in the circle are one side of a bipartite graph, and whom they follow the other. A walker goes
forth and back between the sides along the edges, and returns to the source with probability alpha
each time: where it comes by in the circle are users similar to the source, and where on the other
side, those relevant to it. As many rounds as 1 / alpha are made, of two passes over the edges. Only
the out-edges of a circle are looked at: no transposed graph is needed, nor in-degrees of others.

[1] A. Goel. The "who-to-follow" system at Twitter: algorithms, impact, and further research.
    WWW 2014 industry track.
[2] Y. Wang. Gunrock: a programming model and implementation for graph analytics on graphics
    processing units. PhD thesis, UC Davis, 2016.
"""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ranking.circles import members_of
from edgewise.base.checks import check_count, check_fraction, check_vertex
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, for_rows, reduce_neighbors
from edgewise.operators.helpers import inlined

__all__ = ["Money", "money"]


_LEAST = 1e-3  # of alpha


class Money(NamedTuple):
    """How similar every vertex is to the source, and how relevant for it; 0 elsewhere."""

    similarity: Any
    relevance: Any


@takes_graph
def money(
    graph: GraphLike, source: Any, *, circle: Any = None, alpha: float = 0.15,
    max_iter: int | None = None,
) -> Money:  # fmt: skip
    """How similar vertices are to one, and how relevant for it, by whom they follow.

    Parameters
    ----------
    graph : Graph
        An edge u -> v says that u follows v; an undirected one says both.
    source : int or str
        A vertex, by id or label.
    circle : array or list of vertices, optional
        Whose edges count, beside the source's; all vertices if not given.
    alpha : float
        Probability of returning to the source, from 0.001 to 1.
    max_iter : int, optional
        How many rounds; by default 1 / alpha, rounded up.

    Returns
    -------
    Money
        ``(similarity, relevance)``, arrays of float64: one over the circle, the other over those
        whom the circle follows.

    Examples
    --------
    Two follow 2 and 3, and one of them follows 4 as well:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 1, 1], [2, 3, 2, 3, 4], directed=True)
    >>> similarity, relevance = money(graph, 0)
    >>> similarity.round(2).tolist(), relevance.round(2).tolist()
    ([0.5, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.42, 0.42, 0.17])
    """
    source, alpha = check_vertex(graph, source), check_fraction(alpha, "alpha")
    if alpha < _LEAST:
        raise ValueError(f"alpha must be at least {_LEAST}, got {alpha!r}")
    rounds = ceil(1 / alpha) if max_iter is None else check_count(max_iter, "max_iter")
    rounds = min(rounds, ceil(40 / alpha))  # more would change nothing: (1 - alpha)^(40 / alpha)
    members = members_of(graph, circle, source)
    at_source, relevance = graph.full(0.0), graph.full(0.0)
    at_source[source] = 1.0
    similarity, sent, returned = at_source.copy(), graph.full(0.0), graph.full(0.0)
    reached, followers, followed = _degrees(graph, members)
    compute(graph, members, _share, (sent, similarity, followed))
    forth, back = (relevance, returned, followers), (similarity, sent, followed, at_source, alpha)
    for iteration in range(rounds):
        # relevance(y) is the sum of similarity(x) / followed(x) over the edges x -> y
        if members is None:  # all gather what is for them
            for_rows(graph, None, _value, _keep, forth, reduce=ADD, values=sent, edges="in")
        else:  # a few push, which needs no transposed graph
            compute(graph, reached, _clear, relevance)
            advance(graph, members, _value, relevance, sources=sent, reduce=ADD, direction="push")
            compute(graph, reached, _share, (returned, relevance, followers))
        # similarity(x) is the sum of relevance(y) / followers(y), and alpha at the source
        for_rows(graph, members, _value, _return, back, reduce=ADD, values=returned, edges="out")
        notify(iteration)
    return Money(similarity, relevance)


def _degrees(graph: AnyGraph, members: Any) -> tuple[Any, Any, Any]:
    """Whom members follow, None for all; by how many each is followed, and how many it follows."""
    if members is None:
        return None, graph.in_degrees().astype(np.float64), graph.degrees().astype(np.float64)
    nothing, followers, followed = graph.full(0.0), graph.full(0.0), graph.full(0.0)
    reached = advance(
        graph, members, _one, followers, sources=nothing, reduce=ADD, direction="push"
    )
    reduce_neighbors(graph, members, _one, nothing, reduce=ADD, edges="out", out=followed)
    return reached, followers, followed


def _one():
    return 1.0


def _value(value):
    return value


def _clear(v, array):
    array[v] = 0.0


@inlined
def _share(v, sent, score, degree):
    sent[v] = score[v] / degree[v] if degree[v] > 0 else 0.0


def _keep(v, total, relevance, returned, followers):
    relevance[v] = total
    _share(v, returned, relevance, followers)


def _return(v, total, similarity, sent, followed, at_source, alpha):
    similarity[v] = (1 - alpha) * total + alpha * at_source[v]
    _share(v, sent, similarity, followed)
