"""Whom to follow: recommendations for one user of a network, as Twitter made them [1] ([2], 5.2).

Personalized PageRank finds the user's circle of trust, the thousand whom a walker that always
returns to the user meets most. They are one side of a bipartite graph, and whom they follow the
other; Money, or SALSA, ranks that side, and the best whom the user does not follow yet are
recommended. Ranks are pushed along out-edges from the user, as far as they matter, and the circle
is a frontier over the graph itself: nothing is transposed, copied or pruned.

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

__all__ = ["WhoToFollow", "who_to_follow"]

_METHODS = ("money", "salsa")
_LEAST, _MOST = 1e-12, 0.999  # of tol, and of alpha


class WhoToFollow(NamedTuple):
    """The best first: labels (ids where the graph has none), positions and scores.

    ``circle`` has the positions of the circle of trust, by rank. ``seconds`` says how long
    each stage took: "pagerank", "circle", "money" or "salsa", and "total".
    """

    labels: list[Any]
    vertices: Any
    scores: Any
    circle: Any
    seconds: dict[str, float]


@takes_graph
def who_to_follow(
    graph: LocalGraphLike,
    user: Any,
    *,
    count: int = 10,
    method: str = "money",
    circle: int = 1000,
    alpha: float = 0.85,
    tol: float = 1e-5,
) -> WhoToFollow:
    """Recommend vertices that one vertex has no edge to yet.

    Parameters
    ----------
    graph : Graph
        An edge u -> v says that u follows v; weights do not matter.
    user : int or str
        A vertex, by id or label.
    count : int
        How many to recommend; there are fewer if the circle follows nobody else.
    method : {"money", "salsa"}
        "money" ranks by a walk that returns to the user, so that those who are like the user count
        more; "salsa" by how many of the circle follow somebody.
    circle : int
        How many are in the circle of trust, at most.
    alpha : float
        Probability that the walk to the circle goes on, at most 0.999.
    tol : float
        How much of the walk may be left where it is, for each edge that leaves; at least 1e-12.

    Returns
    -------
    WhoToFollow
        ``(labels, vertices, scores, circle, seconds)``.

    Examples
    --------
    Ann follows Bob and Cat, who follow each other and Dan; Bob follows Eve, too:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(
    ...     ["ann", "ann", "bob", "bob", "bob", "cat", "cat"],
    ...     ["bob", "cat", "cat", "dan", "eve", "bob", "dan"], directed=True)
    >>> who_to_follow(graph, "ann").labels
    ['dan', 'eve']
    """
    check_one_device(graph, "who_to_follow")
    user, count = check_vertex(graph, user, "user"), check_count(count, "count", least=1)
    check_choice(method, "method", _METHODS)
    most = check_count(circle, "circle", least=1)
    alpha, tol = check_fraction(alpha, "alpha"), check_number(tol, "tol", positive=True)
    if alpha > _MOST:
        raise ValueError(f"alpha must be at most {_MOST}, got {alpha!r}")
    if tol < _LEAST:
        raise ValueError(f"tol must be at least {_LEAST}, got {tol!r}")
    times = [clock()]
    rank, reached = _pushed(graph, user, alpha, tol)
    times.append(clock())
    trusted = _best(graph, rank, reached, most)
    friends = trusted.tolist()
    times.append(clock())
    if method == "money":
        score = ALGORITHMS["money"].load()(graph, user, circle=friends).relevance
    else:
        score = ALGORITHMS["salsa"].load()(graph, circle=friends, weights="unit").authorities
    score[user] = 0.0
    score[graph.neighbors(user)] = 0.0
    best = _best(graph, score, filter(graph, None, _is_positive, score).ids, count)
    labels = best.tolist() if graph.labels is None else [graph.label(v) for v in best.tolist()]
    times.append(clock())
    stages = ("pagerank", "circle", method)
    seconds = {name: times[i + 1] - times[i] for i, name in enumerate(stages)}
    return WhoToFollow(
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
        reached = advance(graph, full, _value, left, reduce=ADD, sources=sent, direction="push")
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
