"""Walks for machine learning: in batches, and as pairs of nearby vertices.

>>> from edgewise.graph import Graph
>>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
>>> [len(skip_gram(walks, window=2).centers) for walks in walk_batches(ring, length=3, num_walks=2)]
[80]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.walks.node2vec_walk import node2vec_walker
from edgewise.base.checks import check_count
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["SkipGramPairs", "skip_gram", "walk_batches"]


class SkipGramPairs(NamedTuple):
    """Pairs for skip-gram models: pair i is ``centers[i]`` with ``contexts[i]``."""

    centers: Any
    contexts: Any


@takes_graph
def walk_batches(
    graph: GraphLike,
    sources: Any = None,
    *,
    batch_size: int = 65_536,
    p: float = 1.0,
    q: float = 1.0,
    length: int = 80,
    num_walks: int = 10,
    weights: Any = "weight",
    seed: int = 0,
) -> Iterator[Any]:
    """Return an iterator over batches of node2vec walks.

    With p and q of 1, the walks are those of `random_walk`.

    Parameters
    ----------
    graph : Graph
        Walks follow its edges.
    sources, p, q, length, num_walks, weights, seed
        As for `edgewise.node2vec_walk`.
    batch_size : int
        Maximum number of walks in a batch. The walks do not depend on it.

    Yields
    ------
    array of vertex ids, of shape (walks, length + 1)
        On a grid each rank keeps a range of the walks of a batch.

    See Also
    --------
    skip_gram : The pairs of nearby vertices of a batch.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> [walks.shape for walks in walk_batches(ring, batch_size=16, length=5)]
    [(16, 6), (16, 6), (8, 6)]
    """
    batch_size = check_count(batch_size, "batch_size", 1)
    walks = node2vec_walker(graph, p, q, sources, length, num_walks, weights, seed)
    starts = range(0, walks.total, batch_size)
    return (walks.take(low, min(low + batch_size, walks.total)) for low in starts)


def skip_gram(walks: Any, *, window: int = 5) -> SkipGramPairs:
    """Return all pairs of vertices at most ``window`` steps apart in a walk, in both orders.

    Parameters
    ----------
    walks : array of vertex ids, of shape (walks, steps)
        The result of `edgewise.random_walk`, on any device; negative entries are skipped.
    window : int
        Maximum number of steps between the two vertices. A larger window gives more pairs.

    Returns
    -------
    SkipGramPairs
        ``(centers, contexts)``, two arrays of vertex ids of equal length.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = skip_gram(np.array([[7, 8, 9, -1]]), window=1)
    >>> pairs.centers.tolist(), pairs.contexts.tolist()
    ([7, 8, 8, 9], [8, 9, 7, 8])
    """
    window = check_count(window, "window", 1)
    if getattr(walks, "ndim", 0) != 2 or walks.dtype.kind not in "iu":
        raise TypeError(f"walks must be an array of vertex ids, walks x steps, got {walks!r:.80}")
    before, after = [walks[:, :0].reshape(-1)], [walks[:, :0].reshape(-1)]
    for apart in range(1, min(window, walks.shape[1] - 1) + 1):
        one, other = walks[:, :-apart], walks[:, apart:]
        there = (one >= 0) & (other >= 0)
        before.append(one[there])
        after.append(other[there])
    return SkipGramPairs(np.concatenate([*before, *after]), np.concatenate([*after, *before]))
