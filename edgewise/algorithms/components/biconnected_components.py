"""Biconnected components, and the articulation points that they share.

Both follow from the blocks of the graph (`edgewise.algorithms.components.blocks`). Linear work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.blocks import find_blocks
from edgewise.base import atomic
from edgewise.graph.edges import edges_of, per_edge
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import advance, compute

__all__ = ["articulation_points", "biconnected_components"]


@takes_graph
def biconnected_components(graph: LocalGraphLike, *, method: str = "auto") -> Any:
    """Return the biconnected component of each edge, named by its first edge.

    Parameters
    ----------
    graph : Graph
        Undirected, on one device.
    method : {"auto", "search", "trees"}
        Algorithm to use; it affects only the time.
        The default is "search", a depth-first search on one thread, in host memory. On a GPU it is
        "trees", passes over breadth-first trees.

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
    label = graph.xp.full(graph.num_arcs, -1, np.int64)
    least = graph.full(graph.num_arcs, np.int64)
    ends = (blocks.first, blocks.block, least, label)
    advance(graph, None, _number, ends, output=None)
    advance(graph, None, _name, ends, output=None)
    label = per_edge(graph, label)
    return graph.xp.where(label < 0, label, edges_of(graph, label))


@takes_graph
def articulation_points(graph: LocalGraphLike, *, method: str = "auto") -> Any:
    """Return a mask of the articulation points: vertices whose removal disconnects their neighbors.

    Parameters
    ----------
    graph : Graph
        Undirected, on one device.
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
    found, one = graph.full(False), graph.full(graph.num_vertices, blocks.block.dtype)
    compute(graph, None, _block_of_root, (blocks.parent, blocks.block, one))
    compute(graph, None, _part, (blocks.parent, blocks.block, one, found))
    return found


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


def _block_of_root(v, parent, block, one):
    """One of the blocks that a root is in."""
    above = parent[v]
    if above != v and block[above] < 0 and block[v] < one[above]:
        atomic.min(one, above, block[v])


def _part(v, parent, block, one, found):
    """A vertex that is in two blocks is where they meet."""
    above = parent[v]
    if above != v:
        other = one[above] if block[above] < 0 else block[above]
        if block[v] != other:
            found[above] = True
