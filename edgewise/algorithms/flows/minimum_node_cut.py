"""Minimum node cuts: the pair of vertices with the fewest disjoint paths, then its cut [1].

The pairs are those of `node_connectivity`. In the network of the weakest pair, every vertex is
split into two that an arc of capacity 1 joins. A minimum cut of it is a set of such arcs and of
arcs between vertices. Each of the latter is replaced by one of its ends, so that the number of
vertices is the value of the cut. A graph with an articulation point needs no flow.

[1] A. Esfahanian, S. Hakimi. On computing the connectivities of graphs and digraphs. Networks
    14(2), 1984.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.biconnected_components import articulation_points
from edgewise.algorithms.components.is_connected import is_connected, is_strongly_connected
from edgewise.algorithms.flows.connectivity import checked_ends, degrees, weak_pairs
from edgewise.algorithms.flows.dinic import augment
from edgewise.algorithms.flows.network import split_network
from edgewise.algorithms.flows.unit_flows import weakest_pair
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, row_ids

__all__ = ["minimum_node_cut"]

#: A flow is never left unfinished.
_NEVER = 2**62


@takes_graph
def minimum_node_cut(
    graph: LocalGraphLike, *, source: int | str | None = None, target: int | str | None = None
) -> Any:
    """Return a mask of the fewest vertices whose removal disconnects the graph.

    Parameters
    ----------
    graph : Graph
        In host memory. A directed graph is connected if it is strongly connected.
    source, target : int or str, optional
        Two vertices, by id or label, that no edge joins. With them, return the fewest other
        vertices whose removal leaves no path from source to target.

    Returns
    -------
    array of bool
        A mask over vertices; several sets may be equally small. It is empty if the graph is not
        connected, or has fewer than two vertices. No removal disconnects a complete graph: for it,
        the mask has all vertices but one.

    Raises
    ------
    ValueError
        If an edge leads from source to target.

    See Also
    --------
    node_connectivity : The number of vertices alone.
    global_minimum_cut : The same for edges.

    Notes
    -----
    O(n m k) time at most for connectivity k.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> minimum_node_cut(grid_2d(3, 3)).nonzero()[0].tolist()
    [1, 3]
    >>> minimum_node_cut(grid_2d(3, 3), source=0, target=8).sum()
    np.int64(2)
    """
    check_host(graph, "minimum_node_cut")
    n, ends = graph.num_vertices, checked_ends(graph, source, target)
    if ends is not None:
        if graph.has_edge(*ends):
            names = " and ".join(repr(graph.label(v)) for v in ends)
            raise ValueError(f"source and target must not be adjacent, got {names}")
        return _cut(graph, *ends)
    cut = np.zeros(n, bool)
    if n < 2 or not (is_strongly_connected if graph.directed else is_connected)(graph):
        return cut
    if not graph.directed:
        points = articulation_points(graph)
        if points.any():
            cut[points.argmax()] = True
            return cut
    near, bound = _fewest_neighbors(graph)
    sources, targets = weak_pairs(graph)
    floor = 1 if graph.directed else 2
    _, pair = weakest_pair(split_network(graph), n + sources, targets, bound, floor)
    if pair >= 0:
        return _cut(graph, int(sources[pair]), int(targets[pair]))
    cut[near] = True  # of a vertex whose neighbors are a smallest cut
    return cut


def _fewest_neighbors(graph: Graph) -> tuple[Any, int]:
    """The neighbors of a vertex that has the fewest, and how many they are."""
    out, into = degrees(graph)
    if out.min() <= into.min():
        v = int(out.argmin())
        near = graph.neighbors(v)
    else:
        v = int(into.argmin())
        near = row_ids(graph)[graph.indices == v]
    near = near[near != v]
    return near, len(near)


def _cut(graph: Graph, source: int, target: int) -> Any:
    """A mask of the fewest vertices between two that are not adjacent."""
    n, network = graph.num_vertices, split_network(graph, source, target)
    residual = network.capacity.copy()
    _, side = augment(network.graph, residual, network.source, target, patience=_NEVER)
    tails, heads = row_ids(network.graph), network.graph.indices
    across = (network.capacity > 0) & side[tails] & ~side[heads]
    tails, heads = tails[across] % n, heads[across]
    cut = np.zeros(n, bool)
    cut[np.where(tails == source, heads, tails)] = True
    return cut
