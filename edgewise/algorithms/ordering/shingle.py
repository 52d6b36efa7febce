"""Vertices with alike neighborhoods side by side, by min-hash [1].

The shingle of a vertex is the least number among its neighbors and itself, where the numbers are a
random permutation. Two vertices have the same one with the probability of their neighborhoods'
Jaccard similarity, so sorting by shingle brings those together whose neighbors are the same; a
second one orders those that share the first, and so on. One reduction over the edges and one sort
for each. The paper leaves the vertex itself out; with it, neighbors are more often side by side.

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
    """Order by shingles of the neighborhoods.

    Parameters
    ----------
    graph : Graph
        Edges of a directed graph are read both ways.
    shingles : int
        How many of them vertices are sorted by, from 1 to 64; two, as in the paper.
    seed : int
        Draws the permutations.

    Returns
    -------
    array of int over vertices
        Positions, as `graph.permute` takes them; the same for any number of threads.

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
    return np.minimum(reduce_neighbors(graph, None, _number, drawn, reduce=MIN, edges=ways), drawn)


def _number(value):
    return value
