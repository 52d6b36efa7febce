"""The most similar vertices of every vertex, among those that share a neighbor with it.

A vertex w that shares a neighbor with v is two steps away: v -> u <- w. One keyed reduction over
these paths gives a row of the product of the matrix and its transpose: all w and the common
neighbors. Vertices are processed in parts whose rows fit into a bounded buffer. The k best of each
row are kept, by a parallel tournament. A cheap upper bound first discards most of a long row.
O(sum over u of the squared in-degree) time; O(n + k (number of query vertices)) memory beside the
buffer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.similarity.measures import MEASURES, WORTH, Ground, grounds, score
from edgewise.algorithms.two_steps import parts
from edgewise.base import atomic
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.base.insertion import has_more, insertion, read_pair, write_pair
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host, rows_of
from edgewise.operators import ADD, Frontier, for_each, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["Similar", "top_k"]

#: So many candidates are for one thread.
_PIECE = 512
#: From so many candidates on for each place, on average, those are sorted out that have no chance.
_MANY = 64


class Similar(NamedTuple):
    """The most similar vertices of each query vertex, the best first, and their similarities.

    ``vertices`` and ``scores`` have one row of k entries per query. Rows end with -1 and 0.0.
    """

    vertices: Any
    scores: Any


@takes_graph
def top_k(
    graph: LocalGraphLike,
    *,
    vertices: Any = None,
    k: int = 10,
    metric: str = "jaccard",
    weights: Any = None,
) -> Similar:
    """Return the k most similar vertices of each vertex, and their scores.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Neighbors are the targets of a vertex's edges, without itself.
    vertices : array of int or str, optional
        The query vertices, by id or label. By default all vertices.
    k : int
        The number of similar vertices per query, at most n - 1.
    metric : {"jaccard", "overlap", "cosine", "adamic_adar", ...}
        Also "resource_allocation" and "common_neighbors"; see the functions of these names.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        As for `jaccard`. Only the first three metrics take weights.

    Returns
    -------
    Similar
        ``vertices`` (int64) and ``scores`` (float64), one row per query in the given order. Only
        vertices that share a neighbor are listed. Ties go to the smaller id.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> found = top_k(graph, vertices=[0, 3], k=2)
    >>> found.vertices.tolist(), found.scores.round(3).tolist()
    ([[3, 1], [0, 1]], [[0.5, 0.333], [0.5, 0.5]])
    """
    check_one_device(graph, "similarity.top_k")
    check_choice(metric, "metric", MEASURES)
    k = min(check_count(k, "k", 1), max(graph.num_vertices - 1, 0))
    n, xp = graph.num_vertices, graph.xp
    asked = np.arange(n) if vertices is None else check_vertices(graph, host(vertices), "vertices")
    ground = grounds(graph, metric, weights)
    members, places = np.unique(asked, return_inverse=True)
    found = Similar(xp.full(len(members) * k, -1, np.int64), xp.zeros(len(members) * k))
    for low, high in parts(ground.rows, ground.rows.transposed, members):
        _look(ground, metric, members[low:high], low, k, found)
    best, scores = (part.reshape(len(members), k) for part in found)
    if vertices is None:
        return Similar(best, scores)
    places = xp.asarray(places.ravel())
    return Similar(best[places], scores[places])


def _look(ground: Ground, measure: str, part: np.ndarray, first: int, k: int, found: Any) -> None:
    """Find the best candidates of a part of the members; the results begin with row ``first``."""
    rows, xp = ground.rows, ground.rows.xp
    message: Any = _one
    weights: Any = "weight"
    if measure in WORTH:
        message, weights = _first, WORTH[measure](rows.column_lengths())[rows.indices]
    elif ground.weighted:
        message = _product if measure == "cosine" else _lesser
    members = Frontier._trusted(rows.num_vertices, ids=xp.asarray(part))
    pairs = reduce_neighbors(rows, members, message, None, reduce=ADD, via=rows.transposed,
                             key="source", mode="out", weights=weights, dtype=float)  # fmt: skip
    starts = xp.append(pairs.indptr[members.ids], len(pairs.keys))  # nobody else has any
    owners, size = rows_of(starts, len(pairs.keys), np.int64, xp), ground.size
    scores = score(xp, measure, pairs.totals, size[members.ids][owners], size[pairs.keys])
    lists, here = _Lists(starts, pairs.keys, scores), slice(first * k, (first + len(part)) * k)
    if len(pairs.keys) > _MANY * k * len(part):
        lists = _promising(rows, lists, owners, members.ids, k)
    _choose(rows, lists, members.ids, k, Similar(found.vertices[here], found.scores[here]))


class _Lists(NamedTuple):
    """Lists of candidates one after the other: where each begins; in each, equal ones ascend."""

    starts: Any
    keys: Any
    scores: Any


def _promising(rows: Any, lists: _Lists, owners: Any, members: Any, k: int) -> _Lists:
    """Those candidates that may be among the k best.

    Of every list k parts are made, each k-th candidate from one of the first on. The best of each
    part are k candidates, so whoever is worse than all of these is not among the k best.
    """
    xp, count = rows.xp, len(lists.keys)
    best, promising = xp.zeros(len(members) * k), xp.empty(count, bool)
    for_each(count, _raise_best, (lists, owners, members, best, k), device=rows.device)
    least = best.reshape(len(members), k).min(axis=1)
    state = (lists, owners, members, least, promising)
    for_each(count, _mark_promising, state, device=rows.device)
    kept = xp.flatnonzero(promising)
    return _Lists(xp.searchsorted(kept, lists.starts), lists.keys[kept], lists.scores[kept])


def _raise_best(i, lists, owners, members, best, k):
    part, found = owners[i] * k + i % k, lists.scores[i]
    if found > best[part] and lists.keys[i] != members[owners[i]]:
        atomic.max(best, part, found)


def _mark_promising(i, lists, owners, members, least, promising):
    mine, found = owners[i], lists.scores[i]
    promising[i] = found > 0.0 and found >= least[mine] and lists.keys[i] != members[mine]


def _choose(rows: Any, lists: _Lists, members: Any, k: int, into: Similar) -> None:
    """The k best of each member's list; long lists piece by piece, then what these have kept."""
    xp, size, count = rows.xp, max(_PIECE, 8 * k), -1
    while count != len(members):
        firsts = offsets(xp.maximum(-(-xp.diff(lists.starts) // size), 1))
        count, kept = int(firsts[-1]), into
        if count > len(members):
            kept = Similar(xp.full(count * k, -1, np.int64), xp.zeros(count * k))
        owners = rows_of(firsts, count, np.int64, xp)
        state = (owners, firsts, size, lists, members, kept, k)
        for_each(count, _keep_best, state, device=rows.device, work=len(lists.keys))
        lists = _Lists(firsts * k, *kept)


def _keep_best(piece, owners, firsts, size, lists, members, kept, k):
    """Insert a piece's candidates, but for the member itself, into a row of k, the best first."""
    mine, begin, least = owners[piece], piece * k, 0.0
    last, low = begin + k - 1, lists.starts[mine] + (piece - firsts[mine]) * size
    for e in range(low, min(low + size, lists.starts[mine + 1])):
        found = lists.scores[e]
        if found > least and lists.keys[e] != members[mine]:
            _insert((kept.scores, kept.vertices), begin, last, (found, lists.keys[e]))
            least = kept.scores[last]


_insert = insertion(has_more, read_pair, write_pair, inner).insert


def _one():
    return 1.0


def _first(weight):
    return weight


def _product(weight, onward):
    return weight * 1.0 * onward


def _lesser(weight, onward):
    return min(weight, onward)
