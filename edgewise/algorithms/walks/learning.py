"""Walks for learning: batch by batch, and the pairs of vertices that are near each other in them.

>>> from edgewise.graph import Graph
>>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
>>> [len(skip_gram(walks, window=2).centers) for walks in walk_batches(ring, length=3, count=2)]
[80]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.walks.node2vec_walk import node2vec_walker
from edgewise.base.checks import check_count
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["Pairs", "skip_gram", "walk_batches"]


class Pairs(NamedTuple):
    """Pairs for skip-gram models: the i-th is ``centers[i]`` with ``contexts[i]``."""

    centers: Any
    contexts: Any


@takes_graph
def walk_batches(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    size: int = 65_536,
    p: float = 1.0,
    q: float = 1.0,
    length: int = 80,
    count: int = 10,
    weights: Any = None,
    seed: int = 0,
) -> Iterator[Any]:
    """All walks of `node2vec_walk`, of the first order where p and q are 1, in parts.

    Parameters
    ----------
    graph : Graph
    sources, p, q, length, count, weights, seed
        As for `edgewise.node2vec_walk`.
    size : int
        The most walks of one part; walks do not depend on it.

    Yields
    ------
    array of vertex ids, walks x (length + 1)

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> [walks.shape for walks in walk_batches(ring, size=16, length=5)]
    [(16, 6), (16, 6), (8, 6)]
    """
    size = check_count(size, "size", 1)
    walks = node2vec_walker(graph, p, q, sources, length, count, weights, seed)
    starts = range(0, walks.total, size)
    return (walks.take(low, min(low + size, walks.total)) for low in starts)


def skip_gram(walks: Any, *, window: int = 5) -> Pairs:
    """All pairs of vertices at most ``window`` steps apart in a walk, in both orders.

    Parameters
    ----------
    walks : array of vertex ids, walks x steps
        As `edgewise.random_walk` gives them, on any device; what is negative has no part.
    window : int

    Returns
    -------
    Pairs

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
    return Pairs(np.concatenate([*before, *after]), np.concatenate([*after, *before]))
