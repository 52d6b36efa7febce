"""Twitter's Money: recommendations for a user from a circle of users ([1], Alg. 8 of [2]).

The circle is one side of a bipartite graph, and the vertices that it follows are the other. A
random walk alternates between the sides along the edges. In each round it returns to the source
with probability 1 - alpha. Visits within the circle measure similarity to the source; visits on the
other side measure relevance for it. There are 1 / (1 - alpha) rounds of two passes over the edges.
Only the out-edges of the circle are read, so no transposed graph is needed.

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


_MOST = 0.999  # of alpha


class Money(NamedTuple):
    """Scores over vertices: ``similarity`` in the circle, ``relevance`` among those it follows."""

    similarity: Any
    relevance: Any


@takes_graph
def money(
    graph: GraphLike, source: int | str, *, circle: Any = None, alpha: float = 0.85,
    max_iter: int | None = None,
) -> Money:  # fmt: skip
    """Return the personalized SALSA scores for a source (Twitter's Money).

    Parameters
    ----------
    graph : Graph
        An edge u -> v means that u follows v; an undirected edge counts in both directions.
    source : int or str
        A vertex, by id or label.
    circle : array or list of vertices, optional
        Vertices whose out-edges count, in addition to the source's; all vertices by default.
    alpha : float
        Probability of following an edge instead of returning to the source, from 0 to 0.999. A
        smaller ``alpha`` keeps the walk closer to the source and takes fewer rounds.
    max_iter : int, optional
        Number of rounds; 1 / (1 - alpha), rounded up, by default.

    Returns
    -------
    Money
        ``(similarity, relevance)``, two arrays of float64 over vertices. ``similarity`` is positive
        within the circle, and ``relevance`` among the vertices that the circle follows.

    See Also
    --------
    salsa : Hub and authority scores of the whole graph.
    personalized_pagerank : PageRank with jumps to given vertices.

    Notes
    -----
    O(n + m) time per round.

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
    if alpha > _MOST:
        raise ValueError(f"alpha must be at most {_MOST}, got {alpha!r}")
    usual = round(1 / (1 - alpha), 9)  # 5 for 0.8, not a little more
    rounds = ceil(usual) if max_iter is None else check_count(max_iter, "max_iter")
    rounds = min(rounds, ceil(40 * usual))  # more would change nothing: alpha^(40 / (1 - alpha))
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
            for_rows(graph, None, _value, _keep, forth, reduce=ADD, values=sent, mode="in")
        else:  # a few push, which needs no transposed graph
            compute(graph, reached, _clear, relevance)
            advance(
                graph, members, _value, relevance, source_values=sent, reduce=ADD, direction="push"
            )
            compute(graph, reached, _share, (returned, relevance, followers))
        # similarity(x) is the sum of relevance(y) / followers(y), times alpha; 1 - alpha returns
        for_rows(graph, members, _value, _return, back, reduce=ADD, values=returned, mode="out")
        notify(iteration)
    return Money(similarity, relevance)


def _degrees(graph: AnyGraph, members: Any) -> tuple[Any, Any, Any]:
    """Return the vertices that members follow (None for all), and in- and out-degrees."""
    if members is None:
        return (
            None,
            graph.column_lengths().astype(np.float64),
            graph.row_lengths().astype(np.float64),
        )
    nothing, followers, followed = graph.full(0.0), graph.full(0.0), graph.full(0.0)
    reached = advance(
        graph, members, _one, followers, source_values=nothing, reduce=ADD, direction="push"
    )
    reduce_neighbors(graph, members, _one, nothing, reduce=ADD, mode="out", out=followed)
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
    similarity[v] = alpha * total + (1 - alpha) * at_source[v]
    _share(v, sent, similarity, followed)
