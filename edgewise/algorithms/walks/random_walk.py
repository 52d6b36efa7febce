"""Random walks: steps along edges, in proportion to weights.

walks[w, t] is the vertex of walk w after t steps, or -1 after the walk has ended. A step is one
hash and, with weights, one lookup in an alias table; it reads at most three places in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.walks.alias import landed, throw
from edgewise.algorithms.walks.walking import walker
from edgewise.base import random
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each

__all__ = ["plain_move", "plain_steps", "random_walk"]


@takes_graph
def random_walk(
    graph: GraphLike,
    sources: Any = None,
    *,
    length: int = 80,
    num_walks: int = 1,
    weights: Any = "weight",
    seed: int = 0,
) -> Any:
    """Return random walks, one per row; each step depends on the current vertex alone.

    Parameters
    ----------
    graph : Graph
        Walks follow its edges.
    sources : int or str, or several, optional
        Vertices to start from, by id or label; all vertices by default. Repeated ones count again.
    length : int
        Number of steps of each walk.
    num_walks : int
        Number of walks from each source; walk w starts at ``sources[w % len(sources)]``.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Steps are drawn in proportion to weights. Weights must be finite and not negative.
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
    node2vec_walk : Walks whose steps also depend on the last vertex.

    Notes
    -----
    O(1) time per step.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> cycle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    >>> random_walk(cycle, [0, 2], length=4).tolist()
    [[0, 1, 2, 0, 1], [2, 0, 1, 2, 0]]
    """
    given = (sources, length, num_walks, weights, seed)
    return walker(graph, plain_steps, plain_move, *given).take()


def plain_move(graph: AnyGraph, rows: Any, tables: Any, seed: Any) -> Any:
    """Return the move of these walks on a grid, where each rank has the rows of its vertices."""

    def move(t: int, numbers: Any, at: Any, before: Any) -> Any:
        out = rows.xp.empty(len(numbers), rows.indices.dtype)
        state = (t, numbers, at, rows.indptr, rows.indices, tables, seed, out)
        for_each(len(numbers), _step, state, device=graph.device)
        return out

    return move


def _step(i, t, numbers, at, indptr, indices, tables, seed, out):
    """The next vertex of one walk, as `plain_steps` draws it; -1 if there is none."""
    begin, degree = indptr[at[i]], indptr[at[i] + 1] - indptr[at[i]]
    out[i] = -1
    if degree > 0:
        out[i] = landed(throw(random.bits(seed, numbers[i], t), begin, degree), indices, tables)


def plain_steps(batch, part, arcs, tables):
    """Advance a batch of walks: all draw an edge, then all follow it. Memory accesses overlap."""
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
