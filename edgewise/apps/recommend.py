"""Recommendations for one vertex, as in Twitter's "Who to Follow" [1] ([2], 5.2).

Personalized PageRank finds the circle of trust, the vertices of highest rank around the source. The
circle is one side of a bipartite graph, and the vertices that it follows are the other. Money or
SALSA ranks the second side. The best vertices that the source does not follow yet are recommended.
Ranks are pushed along out-edges from the source, and the circle is a frontier over the graph
itself. So nothing is transposed, copied or pruned.

[1] P. Gupta, A. Goel, J. Lin, A. Sharma, D. Wang, R. Zadeh. WTF: the who to follow service at
    Twitter. WWW 2013.
[2] Y. Wang. Gunrock: a programming model and implementation for graph analytics on graphics
    processing units. PhD thesis, UC Davis, 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms import ALGORITHMS
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_fraction,
    check_number,
    check_one_device,
    check_vertex,
)
from edgewise.base.compiling import clock
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import ADD, advance, compute, filter, frontier

__all__ = ["Recommendations", "recommend"]

_METHODS = ("money", "salsa")
_LEAST, _MOST = 1e-12, 0.999  # of tol, and of alpha


class Recommendations(NamedTuple):
    """The recommended vertices of a source, the best first, and their scores.

    Attributes
    ----------
    labels : list
        The labels of the recommended vertices, or their ids if the graph has no labels.
    vertices : array of int
        The ids of the recommended vertices.
    scores : array of float
        The score of each recommended vertex.
    circle : array of int
        The vertex ids of the circle of trust, by descending rank.
    seconds : dict of float
        The time of each stage in seconds: "pagerank", "circle", "money" or "salsa", and "total".
    """

    labels: list[Any]
    vertices: Any
    scores: Any
    circle: Any
    seconds: dict[str, float]


@takes_graph
def recommend(
    graph: LocalGraphLike,
    source: Any,
    *,
    k: int = 10,
    method: str = "money",
    circle_size: int = 1000,
    alpha: float = 0.85,
    tol: float = 1e-5,
) -> Recommendations:
    """Return recommended vertices for a source.

    They are vertices to which the source has no edge.

    Parameters
    ----------
    graph : Graph
        An edge u -> v means that u follows v. Weights are ignored.
    source : int or str
        A vertex, by id or label.
    k : int
        The number of recommendations. Fewer are returned if the circle follows no other vertices.
    method : {"money", "salsa"}
        The ranking. "money" is personalized and favors vertices similar to the source. "salsa"
        ranks by the number of followers in the circle.
    circle_size : int
        The largest number of vertices in the circle of trust.
    alpha : float
        The probability of following an edge, at most 0.999. Larger values explore farther.
    tol : float
        The largest residual per out-edge, at least 1e-12. Smaller values are more accurate and
        slower.

    Returns
    -------
    Recommendations
        The labels, ids and scores of the recommended vertices, the circle, and the time of each
        stage.

    Raises
    ------
    ValueError
        If ``alpha`` or ``tol`` is out of range.

    Examples
    --------
    Ann follows Bob and Cat, who follow each other and Dan; Bob follows Eve, too:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(
    ...     ["ann", "ann", "bob", "bob", "bob", "cat", "cat"],
    ...     ["bob", "cat", "cat", "dan", "eve", "bob", "dan"], directed=True)
    >>> recommend(graph, "ann").labels
    ['dan', 'eve']
    """
    check_one_device(graph, "recommend")
    source, k = check_vertex(graph, source, "source"), check_count(k, "k", least=1)
    check_choice(method, "method", _METHODS)
    most = check_count(circle_size, "circle_size", least=1)
    alpha, tol = check_fraction(alpha, "alpha"), check_number(tol, "tol", positive=True)
    if alpha > _MOST:
        raise ValueError(f"alpha must be at most {_MOST}, got {alpha!r}")
    if tol < _LEAST:
        raise ValueError(f"tol must be at least {_LEAST}, got {tol!r}")
    times = [clock()]
    rank, reached = _pushed(graph, source, alpha, tol)
    times.append(clock())
    trusted = _best(graph, rank, reached, most)
    friends = trusted.tolist()
    times.append(clock())
    if method == "money":
        score = ALGORITHMS["money"].load()(graph, source, circle=friends).relevance
    else:
        score = ALGORITHMS["salsa"].load()(graph, circle=friends, weights=None).authorities
    score[source] = 0.0
    score[graph.neighbors(source)] = 0.0
    best = _best(graph, score, filter(graph, None, _is_positive, score).ids, k)
    labels = best.tolist() if graph.labels is None else [graph.label(v) for v in best.tolist()]
    times.append(clock())
    stages = ("pagerank", "circle", method)
    seconds = {name: times[i + 1] - times[i] for i, name in enumerate(stages)}
    return Recommendations(
        labels, best, score[best], trusted, {**seconds, "total": times[-1] - times[0]}
    )


def _pushed(graph: Graph, user: int, alpha: float, tol: float) -> tuple[Any, Any]:
    """Ranks as seen from the user, up to their scale, and who has one; by pushes along out-edges.

    What a walker leaves at vertices without out-edges is lost, which changes nothing but the scale:
    see `personalized_pagerank`. Nobody with less than ``tol`` for each edge sends it on.
    """
    xp = graph.xp
    rank, left, sent = graph.full(0.0), graph.full(0.0), graph.full(0.0)
    left[user] = 1.0
    full, touched = frontier(graph, user), [xp.asarray([user])]
    starts = graph.indptr
    while not full.empty():
        compute(graph, full, _push, (rank, left, sent, starts, alpha))
        reached = advance(
            graph, full, _value, left, reduce=ADD, source_values=sent, direction="push"
        )
        full = filter(graph, reached, _is_full, (left, starts, tol))
        touched.append(full.ids)
    return rank, xp.unique(xp.concatenate(touched))


def _best(graph: Graph, score: Any, ids: Any, most: int) -> Any:
    """Those of the highest scores, the best first; among equals the least id."""
    xp = graph.xp
    ids = xp.sort(ids).astype(xp.int64)
    return ids[xp.argsort(-score[ids], kind="stable")[:most]]


def _value(value):
    return value


def _push(v, rank, left, sent, starts, alpha):
    degree = starts[v + 1] - starts[v]
    rank[v] += (1 - alpha) * left[v]
    sent[v] = alpha * left[v] / degree if degree > 0 else 0.0
    left[v] = 0.0


def _is_full(v, left, starts, tol):
    return left[v] > 0 and left[v] >= tol * (starts[v + 1] - starts[v])


def _is_positive(v, score):
    return score[v] > 0
