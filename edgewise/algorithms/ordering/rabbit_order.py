"""Rabbit Order [1]: hierarchical communities are contiguous.

Vertices are processed in ascending order of degree. Each joins the neighboring group of largest
modularity gain, together with the vertices that have joined it before. A vertex without a positive
gain becomes the root of a community. So every community is a tree, and vertices are numbered in
depth-first order of the trees. Groups of every size stay contiguous.

Joining is written with operators, in rounds (`joining`). CPU threads have a kernel in which batches
of vertices choose in parallel and join sequentially.

[1] J. Arai, H. Shiokawa, T. Yamamuro, M. Onizuka, S. Iwamura. Rabbit Order: just-in-time parallel
    reordering for fast graph analysis. IPDPS 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ordering.joining import joined_in_rounds
from edgewise.algorithms.ordering.places import both_ways
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, host
from edgewise.operators.engines import fused
from edgewise.operators.sequential import going, sequential
from edgewise.operators.sorting import stable_order

__all__ = ["rabbit_order"]


class Forest(NamedTuple):
    """Who joined whom: ``parent`` (a vertex on the way to the root; itself for a root), the last
    ``child`` that has joined, and the ``sibling`` that had joined before; -1 for none.
    """

    parent: np.ndarray
    child: np.ndarray
    sibling: np.ndarray


@takes_graph
def rabbit_order(graph: LocalGraphLike) -> Any:
    """Return each vertex's position in Rabbit Order (hierarchical communities).

    Parameters
    ----------
    graph : Graph
        In host memory. Edges of a directed graph are followed in both directions. Weights are
        ignored.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. It is the
        same for any number of threads.

    Raises
    ------
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    gorder : A greedy order by common neighbors, on one thread.

    Notes
    -----
    O(m log d) time, where d is the largest degree.

    Examples
    --------
    Two cliques joined by an edge, their members mixed:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 2, 1, 1, 3, 0], [2, 4, 4, 3, 5, 5, 1])
    >>> order = rabbit_order(graph)
    >>> sorted(order[[0, 2, 4]].tolist())
    [0, 1, 2]
    """
    check_host(graph, "rabbit_order")
    graph = both_ways(graph, "rabbit_order")
    n, ids = graph.num_vertices, graph.id_dtype
    queue = stable_order(graph.row_lengths()).astype(ids)
    forest = Forest(*(np.empty(n, ids) for _ in Forest._fields))
    if n and not fused(graph, __package__, "rabbit_order", queue, forest):
        parent, rounds = joined_in_rounds(graph, queue)
        forest.parent[:] = host(parent)
        sequential(_link, (host(queue[stable_order(rounds[queue])]), *forest), steps=n)
    place = np.zeros(n, ids)
    sequential(_number, (host(queue), *forest, place, np.empty(n, ids)), steps=n, phase="rabbit")
    return graph.xp.asarray(place)


def _link(control, in_turn, parent, child, sibling):
    """List the children of every vertex, from vertices in the order in which they joined."""
    for v in range(len(child)):
        child[v], sibling[v] = -1, -1
    for i in range(len(in_turn)):
        v = in_turn[i]
        if parent[v] != v:
            sibling[v], child[parent[v]] = child[parent[v]], v


def _number(control, queue, parent, child, sibling, place, stack):
    """Depth first from every root: v, then those that joined it, the first to join first."""
    at = 0
    for i in range(len(queue)):
        if parent[queue[i]] != queue[i]:
            continue
        if not going(control, at):
            return
        v, top = np.int64(queue[i]), 0
        while True:
            place[v] = at
            at += 1
            u = np.int64(child[v])
            while u >= 0:
                stack[top] = u
                top += 1
                u = np.int64(sibling[u])
            if top == 0:
                break
            top -= 1
            v = np.int64(stack[top])
