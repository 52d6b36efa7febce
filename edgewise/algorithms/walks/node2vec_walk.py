"""Second-order random walks of node2vec [1], by rejection sampling [2].

After a step from u to v, the weight of the next vertex x is multiplied by a factor. The factor is
1/p if x is u, 1 if u has an edge to x, and 1/q otherwise. A neighbor is proposed by weight alone
and accepted with a probability proportional to the factor, so nothing is stored for pairs. Most
proposals are accepted without reading u's row. Returning has its own share if 1/p is the largest
factor. After a few rejections the row is summed: a step costs at most O(degree log degree) for any
p and q.

[1] A. Grover, J. Leskovec. node2vec: scalable feature learning for networks. KDD 2016.
[2] K. Yang, M. Zhang, K. Chen, X. Ma, Y. Bai, Y. Jiang. KnightKing: a fast distributed graph random
    walk engine. SOSP 2019.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.walks.alias import landed, throw
from edgewise.algorithms.walks.biased_moves import PATIENCE, Bias, biased_move
from edgewise.algorithms.walks.random_walk import plain_move, plain_steps
from edgewise.algorithms.walks.walking import Walker, check_bias, walker
from edgewise.base import random
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import find_edge, inner

__all__ = ["node2vec_walk", "node2vec_walker"]


@takes_graph
def node2vec_walk(
    graph: GraphLike,
    sources: Any = None,
    *,
    p: float = 1.0,
    q: float = 1.0,
    length: int = 80,
    num_walks: int = 1,
    weights: Any = "weight",
    seed: int = 0,
) -> Any:
    """Return node2vec walks, one per row; each step depends on the current and the last vertex.

    Parameters
    ----------
    graph : Graph
        Walks follow its edges.
    sources : int or str, or several, optional
        Vertices to start from, by id or label; all vertices by default. Repeated ones count again.
    p : float
        Return parameter. A larger ``p`` makes it less likely to go back to the last vertex.
    q : float
        In-out parameter. A larger ``q`` keeps the walk closer to the neighbors of the last vertex.
    length : int
        Number of steps of each walk.
    num_walks : int
        Number of walks from each source; walk w starts at ``sources[w % len(sources)]``.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Steps are drawn in proportion to weights, times the factors of p and q. Weights must be
        finite and not negative.
    seed : int
        Seed of the walks. The same seed gives the same walks on every device, for any number of
        threads.

    Returns
    -------
    array of vertex ids, of shape (walks, length + 1)
        Each row starts with its source; -1 follows a vertex without out-edges. On a grid each rank
        keeps a range of the walks; ``gather()`` returns all of them.

    See Also
    --------
    walk_batches : The same walks in batches.

    Examples
    --------
    A walk that hardly ever goes back, on a ring:

    >>> from edgewise import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> walk = node2vec_walk(ring, 0, p=1e9, length=6)[0]
    >>> len(set(walk.tolist())), bool((walk[2:] != walk[:-2]).all())
    (4, True)
    """
    return node2vec_walker(graph, p, q, sources, length, num_walks, weights, seed).take()


def node2vec_walker(graph: AnyGraph, p: Any, q: Any, *given: Any) -> Walker:
    """Return the walker of a call; if p and q are 1, that of first-order walks."""
    p, q = check_bias(p, "p"), check_bias(q, "q")
    if p == q == 1:
        return walker(graph, plain_steps, plain_move, *given)
    largest = max(1.0, 1 / q)
    back = min(1 / p, largest) / largest  # chances to keep what is proposed
    apart, near = 1 / q / largest, 1 / largest
    shrink = 1 / max(1 / p / largest - 1, 1e-300)  # of the share that going back has of its own
    own = 1 / p > largest
    bias = Bias(p, q, back, apart, near, shrink, own)
    return walker(graph, _steps, biased_move, *given, bias)


def _steps(batch, part, arcs, tables, bias):
    """A batch of walks, step by step."""
    walks, across, along = part.vertices, part.across, part.along
    indptr, indices, mutual = arcs.indptr, arcs.indices, arcs.mutual
    step, low, seed = tables.step, part.first, part.seed
    first, last = batch * part.batch, min((batch + 1) * part.batch, part.size)
    sure = min(bias.back, min(bias.apart, bias.near))
    for w in range(first, last):
        walks[w * across] = part.sources[(low + w) % len(part.sources)]
    for t in range(1, part.length + 1):
        for w in range(first, last):
            v = np.int64(walks[w * across + (t - 1) * along])
            u = np.int64(walks[w * across + max(t - 2, 0) * along])
            following, tries, total, begin, degree = np.int64(-1), 0, 0.0, np.int64(0), np.int64(0)
            if v >= 0:
                begin, degree = indptr[v], indptr[v + 1] - indptr[v]
            if degree > 0:
                total = tables.totals[v] if step > 0 else np.float64(degree)
            to_u = 0.0
            if bias.own and t > 1 and total > 0:
                to_u = 1.0 if mutual and step == 0 else _weight(arcs, tables, v, u)
            while total > 0:
                if to_u > 0:  # what going back has beyond the others
                    coin = random.uniform(seed, low + w, t, 3 * tries + 1)
                    if coin * (total + to_u / bias.shrink) >= total:
                        following = u
                        break
                word = random.bits(seed, low + w, t, 3 * tries)
                following = landed(throw(word, begin, degree), indices, tables)
                height = random.uniform(seed, low + w, t, 3 * tries + 2)
                if t == 1 or height < sure:
                    break
                if following == u:
                    if height < bias.back:
                        break
                elif height < (bias.near if _joined(arcs, u, following) else bias.apart):
                    break
                tries += 1
                if tries == PATIENCE:
                    share = 1.0 - random.uniform(seed, low + w, t, -1)
                    following = _exact(u, v, share, arcs, tables, bias)
                    break
            walks[w * across + t * along] = following


@inner
def _weight(arcs, tables, v, u):
    """The weight of the edge from v to u, 0 if there is none."""
    e = find_edge(arcs.indptr, arcs.indices, v, u)
    return tables.weights[e * tables.step] if e >= 0 else 0.0


@inner
def _joined(arcs, u, x):
    """Has u an edge to x? Of an undirected graph's two rows the shorter one is searched."""
    indptr = arcs.indptr
    if arcs.mutual and indptr[x + 1] - indptr[x] < indptr[u + 1] - indptr[u]:
        u, x = x, u
    return find_edge(indptr, arcs.indices, u, x) >= 0


@inner
def _exact(u, v, share, arcs, tables, bias):
    """The neighbor at which the row's running sum reaches a share of its total."""
    indptr, indices, weights, step = arcs.indptr, arcs.indices, tables.weights, tables.step
    running, wanted, found = 0.0, 0.0, np.int64(-1)
    for turn in range(2):
        for e in range(indptr[v], indptr[v + 1]):
            x, factor = np.int64(indices[e]), bias.q
            if weights[e * step] > 0 and (turn == 0 or running < wanted):
                if x == u:
                    factor = bias.p
                elif find_edge(indptr, indices, u, x) >= 0:
                    factor = 1.0
                running += weights[e * step] / factor
                found = x
        if turn == 0:
            running, wanted = 0.0, share * running
    return found
