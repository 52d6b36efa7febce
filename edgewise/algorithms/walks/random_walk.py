"""Random walks: from neighbor to neighbor, in proportion to weights.

walks[w, t] is the vertex of walk w after t steps, -1 from where it could not go on. A step is one
hash and, with weights, one look at an alias table; memory is read at three places at most.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.walks.alias import landed, throw
from edgewise.algorithms.walks.walking import walker
from edgewise.base import random
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["plain_steps", "random_walk"]


@takes_graph
def random_walk(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    length: int = 80,
    count: int = 1,
    weights: Any = None,
    seed: int = 0,
) -> Any:
    """Walk at random, from every vertex or from the given ones.

    Parameters
    ----------
    graph : Graph
        Walks go along its edges.
    sources : int or str, or several, optional
        Where walks start: ids or labels, each as often as it is named; by default every vertex.
    length : int
        How many steps each takes.
    count : int
        How many walks start at each source; walk w starts at ``sources[w % len(sources)]``.
    weights : None, "unit" or array over edges
        The chances of the edges of a vertex are in proportion to these; finite, not negative.
    seed : int
        The same seed gives the same walks, on every device and for any number of threads.

    Returns
    -------
    array of vertex ids, walks x (length + 1)
        A row for each walk, with its source first; -1 after a vertex without a way out.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> cycle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    >>> random_walk(cycle, [0, 2], length=4).tolist()
    [[0, 1, 2, 0, 1], [2, 0, 1, 2, 0]]
    """
    given = (sources, length, count, weights, seed)
    return walker(graph, "random_walk", plain_steps, *given).take()


def plain_steps(batch, part, arcs, tables):
    """A batch of walks: all draw an edge, then all follow it, and wait for memory together."""
    walks, drawn, indptr = part.vertices, part.drawn, arcs.indptr
    across, along = part.across, part.along
    first, last = batch * part.batch, min((batch + 1) * part.batch, part.size)
    for w in range(first, last):
        walks[w * across] = part.sources[(part.first + w) % len(part.sources)]
    for t in range(1, part.length + 1):
        for w in range(first, last):
            v, chosen = walks[w * across + (t - 1) * along], np.int64(-1)
            if v >= 0:
                begin, degree = indptr[v], indptr[v + 1] - indptr[v]
                if degree > 0:
                    chosen = throw(random.bits(part.seed, part.first + w, t), begin, degree)
            drawn[w] = chosen
        for w in range(first, last):
            at = w * across + t * along
            if drawn[w] == -1:
                walks[at] = -1
            else:
                walks[at] = landed(drawn[w], arcs.indices, tables)
