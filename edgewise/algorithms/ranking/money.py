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

from edgewise.algorithms.ranking.circles import members_of
from edgewise.base.checks import check_count, check_fraction, check_vertex
from edgewise.base.observe import notify
from edgewise.graph.foreign import takes_graph
from edgewise.operators import ADD, advance, compute, reduce_neighbors

__all__ = ["Money", "money"]


_LEAST = 1e-3  # of alpha


class Money(NamedTuple):
    """How similar every vertex is to the source, and how relevant for it; 0 elsewhere."""

    similarity: Any
    relevance: Any


@takes_graph
def money(
    graph: Any, source: Any, *, circle: Any = None, alpha: float = 0.15, max_iter: int | None = None
) -> Money:
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
    nothing, at_source = graph.full(0.0), graph.full(0.0)
    at_source[source] = 1.0
    similarity, relevance, sent = at_source.copy(), graph.full(0.0), graph.full(0.0)
    followers, followed = graph.full(0.0), graph.full(0.0)
    reached = _to_followed(graph, members, _one, nothing, followers)
    reduce_neighbors(graph, members, _one, nothing, reduce=ADD, edges="out", out=followed)
    for iteration in range(rounds):
        # relevance(y) is the sum of similarity(x) / followed(x) over the edges x -> y
        compute(graph, reached, _clear, relevance)
        compute(graph, members, _share, (sent, similarity, followed))
        _to_followed(graph, members, _value, sent, relevance)
        # similarity(x) is the sum of relevance(y) / followers(y), and alpha at the source
        compute(graph, reached, _share, (sent, relevance, followers))
        reduce_neighbors(graph, members, _value, sent, reduce=ADD, edges="out", out=similarity)
        compute(graph, members, _return, (similarity, at_source, alpha))
        notify(iteration)
    return Money(similarity, relevance)


def _to_followed(graph: Any, members: Any, message: Any, sent: Any, totals: Any) -> Any:
    """Add up what members send along their edges, into zeros; who is reached, None for all.

    Where everybody sends, all gather what is for them; a few push, which needs no transposed graph.
    """
    if members is not None:
        return advance(graph, members, message, totals, sources=sent, reduce=ADD, direction="push")
    reduce_neighbors(graph, None, message, sent, reduce=ADD, edges="in", out=totals)
    return None


def _one():
    return 1.0


def _value(value):
    return value


def _clear(v, array):
    array[v] = 0.0


def _share(v, sent, score, degree):
    sent[v] = score[v] / degree[v] if degree[v] > 0 else 0.0


def _return(v, similarity, at_source, alpha):
    similarity[v] = (1 - alpha) * similarity[v] + alpha * at_source[v]
