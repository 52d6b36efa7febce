"""Shingle order [1]: vertices with similar neighborhoods side by side, by min-hash.

A shingle of a vertex is the smallest value among its neighbors and itself under a random
permutation. The probability that two vertices share a shingle is the Jaccard similarity of their
neighborhoods. So sorting by shingle places vertices with similar neighbors side by side. A second
shingle breaks ties of the first, and so on. One reduction over the edges and one sort for each. The
paper excludes the vertex itself; including it places more neighbors side by side.

[1] F. Chierichetti, R. Kumar, S. Lattanzi, M. Mitzenmacher, A. Panconesi, P. Raghavan. On
    compressing social networks. KDD 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.random import bits, check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, reduce_neighbors
from edgewise.operators.sorting import places_by

__all__ = ["shingle"]


@takes_graph
def shingle(graph: GraphLike, *, shingles: int = 2, seed: int = 0) -> Any:
    """Return each vertex's position by the min-hash shingles of its neighborhood.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions.
    shingles : int
        The number of shingles to sort by, from 1 to 64. The paper uses two. More break more ties.
    seed : int
        The seed of the random permutations.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. It is the
        same for any number of threads.

    Notes
    -----
    O(m log d) time on common graphs, where d is the largest degree.

    Examples
    --------
    Leaves of two stars, mixed:

    >>> from edgewise.graph import Graph
    >>> stars = Graph.from_edges([0, 1, 0, 1, 0, 1], [2, 3, 4, 5, 6, 7])
    >>> order = shingle(stars)
    >>> sorted(order[[2, 4, 6]].tolist()), sorted(order[[3, 5, 7]].tolist())
    ([1, 2, 3], [5, 6, 7])
    """
    count, seed = check_count(shingles, "shingles", least=1, most=64), int(check_seed(seed))
    ids = graph.vertex_ids()
    return places_by(graph, (_shingles(graph, ids, seed, turn) for turn in reversed(range(count))))


def _shingles(graph: AnyGraph, ids: Any, seed: int, turn: int) -> Any:
    """One shingle of every vertex."""
    drawn = (bits(seed, ids, turn) >> np.uint64(1)).astype(np.int64)
    ways = "both" if graph.directed else "in"
    return np.minimum(reduce_neighbors(graph, None, _number, drawn, reduce=MIN, mode=ways), drawn)


def _number(value):
    return value
