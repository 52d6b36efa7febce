"""Biconnected components, and the articulation points that they share.

Both follow from the blocks of the graph (`edgewise.algorithms.components.blocks`). Linear work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.blocks import Blocks, find_blocks
from edgewise.base import atomic
from edgewise.graph import Graph
from edgewise.graph.edges import arc_ends, edge_numbers, edges_of, per_edge
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, advance, deliver, look_up, reduce_neighbors
from edgewise.operators.engines import by_rows_or

__all__ = ["articulation_points", "biconnected_components"]

_FAR = 1 << 62


@takes_graph
def biconnected_components(graph: GraphLike, *, method: str = "auto") -> Any:
    """Return the biconnected component of each edge, named by its first edge.

    Parameters
    ----------
    graph : Graph
        Undirected.
    method : {"auto", "search", "trees"}
        Algorithm to use; it affects only the time.
        The default is "search", a depth-first search on one thread, in host memory. On a GPU and on
        a grid it is "trees", passes over breadth-first trees.

    Returns
    -------
    array of int64 over edges
        In the order of ``graph.edges()``. Two edges have the same label if and only if a simple
        cycle contains both. The label is the index of the component's first edge. Self-loops have
        the label -1.

    See Also
    --------
    articulation_points : The vertices that several biconnected components share.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> u, v, _ = graph.edges()
    >>> list(zip(u.tolist(), v.tolist(), biconnected_components(graph).tolist()))
    [(0, 1, 0), (0, 2, 0), (1, 2, 0), (2, 3, 3)]
    """
    blocks = find_blocks(graph, method, "biconnected_components")
    return by_rows_or(graph, _labels_by_rows, _labels_by_messages)(graph, blocks)


@takes_graph
def articulation_points(graph: GraphLike, *, method: str = "auto") -> Any:
    """Return a mask of the articulation points: vertices whose removal disconnects their neighbors.

    Parameters
    ----------
    graph : Graph
        Undirected.
    method : {"auto", "search", "trees"}
        Algorithm to use, as in `biconnected_components`; it affects only the time.

    Returns
    -------
    array of bool over vertices

    See Also
    --------
    bridges : The edges whose removal disconnects their ends.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> articulation_points(graph).tolist()
    [False, False, True, False]
    """
    blocks = find_blocks(graph, method, "articulation_points")
    parent, block, ids = blocks.parent, blocks.block, graph.vertex_ids(graph.id_dtype)
    theirs = look_up(graph, block, parent)
    below_root = graph.xp.where((theirs < 0) & (parent != ids), parent, -1)
    one = graph.full(graph.num_vertices, block.dtype)  # one of the blocks that a root is in
    deliver(graph, one, below_root, block, reduce=MIN)
    other = graph.xp.where(theirs < 0, look_up(graph, one, parent), theirs)
    meeting = graph.xp.where((parent != ids) & (block != other), parent, -1)
    apart = graph.full(1, block.dtype)  # a vertex that is in two blocks is where they meet
    deliver(graph, apart, meeting, graph.full(0, block.dtype), reduce=MIN)
    return apart == 0


def _labels_by_rows(graph: Graph, blocks: Blocks) -> Any:
    """The first edge of each edge's block, over edges: each edge looks at its two ends."""
    label = graph.xp.full(graph.num_arcs, -1, np.int64)
    least = graph.full(graph.num_arcs, np.int64)
    ends = (blocks.first, blocks.block, least, label)
    advance(graph, None, _number, ends, output=None)
    advance(graph, None, _name, ends, output=None)
    label = per_edge(graph, label)
    return graph.xp.where(label < 0, label, edges_of(graph, label))


def _labels_by_messages(graph: AnyGraph, blocks: Blocks) -> Any:
    """The same by messages: a vertex hears the first of the edges that it stands for."""
    first, block, numbers = blocks.first, blocks.block, edge_numbers(graph)
    mine = reduce_neighbors(graph, None, _earliest, first, reduce=MIN, mode="out",
                            weights=numbers, dtype=np.int64)  # fmt: skip
    least = graph.full(graph.num_edges, np.int64)
    deliver(graph, least, block, mine, reduce=MIN)
    ids = graph.vertex_ids(block.dtype)
    label = look_up(graph, least, graph.xp.where(block < 0, ids, block))
    sources, targets = arc_ends(graph)
    later = first[sources] > first[targets]
    label = graph.xp.where(later, label[sources], label[targets])
    return per_edge(graph, graph.xp.where(sources == targets, -1, label))


def _number(source, target, edge, first, block, least, label):
    if source < target:
        stands = source if first[source] > first[target] else target
        if edge < least[block[stands]]:
            atomic.min(least, block[stands], edge)
    return False


def _name(source, target, edge, first, block, least, label):
    if source != target:
        stands = source if first[source] > first[target] else target
        label[edge] = least[block[stands]]
    return False


def _earliest(value, own, weight):
    """The number of an edge, if this end stands for it."""
    return weight if own > value else np.int64(_FAR)
