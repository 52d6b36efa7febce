"""Edge and node connectivity by flows of few paths [1].

The connectivity of two vertices is the number of disjoint paths between them, the value of a flow
with unit capacities. Each flow ends when it reaches the smallest value so far. For disjoint
vertices, every vertex is split into two that an arc of capacity 1 joins. The edge connectivity of
an undirected graph is the value of its `global_minimum_cut`. That of a directed graph is the
smallest flow from each vertex to the next. For node connectivity, flows between a vertex v of
small degree and the vertices that are not adjacent to it are enough, together with flows between
the neighbors of v.

[1] A. Esfahanian, S. Hakimi. On computing the connectivities of graphs and digraphs. Networks
    14(2), 1984.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.biconnected_components import articulation_points
from edgewise.algorithms.components.is_connected import is_connected, is_strongly_connected
from edgewise.algorithms.flows.global_minimum_cut import global_minimum_cut
from edgewise.algorithms.flows.network import split_network, unit_network
from edgewise.algorithms.flows.unit_flows import smallest_flow
from edgewise.base.checks import check_vertex
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, row_ids

__all__ = ["checked_ends", "degrees", "edge_connectivity", "node_connectivity", "weak_pairs"]


@takes_graph
def edge_connectivity(
    graph: LocalGraphLike, *, source: int | str | None = None, target: int | str | None = None
) -> int:
    """Return the edge connectivity: the fewest edges whose removal disconnects the graph.

    Parameters
    ----------
    graph : Graph
        In host memory. A directed graph is connected if it is strongly connected.
    source, target : int or str, optional
        Two vertices, by id or label. With them, return the fewest edges whose removal leaves no
        path from source to target: the number of edge-disjoint paths between them.

    Returns
    -------
    int
        0 if the graph is not connected, or has fewer than two vertices.

    See Also
    --------
    global_minimum_cut : With weights, and with the two sides.
    node_connectivity : The same for vertices.
    edge_disjoint_paths : The paths.

    Notes
    -----
    O(n m k) time at most for connectivity k; close to linear for most undirected graphs.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> edge_connectivity(grid_2d(4, 5)), edge_connectivity(grid_2d(4, 5), source=6, target=12)
    (2, 4)
    """
    check_host(graph, "edge_connectivity")
    ends = checked_ends(graph, source, target)
    if ends is not None:
        network = unit_network(graph)
        return smallest_flow(network, [ends[0]], [ends[1]], graph.num_vertices)
    n = graph.num_vertices
    if n < 2:
        return 0
    if not graph.directed:
        return int(global_minimum_cut(graph, weights=None).value)
    bound = _least_degree(graph) if is_strongly_connected(graph) else 0
    if bound < 2:
        return bound
    return smallest_flow(unit_network(graph), np.arange(n), np.roll(np.arange(n), -1), bound, 1)


@takes_graph
def node_connectivity(
    graph: LocalGraphLike, *, source: int | str | None = None, target: int | str | None = None
) -> int:
    """Return the node connectivity: the fewest vertices whose removal disconnects the graph.

    Parameters
    ----------
    graph : Graph
        In host memory. A directed graph is connected if it is strongly connected.
    source, target : int or str, optional
        Two vertices, by id or label. With them, return the number of paths from source to target
        that share no other vertex.

    Returns
    -------
    int
        0 if the graph is not connected, or has fewer than two vertices. n - 1 for a complete graph,
        which no removal disconnects.

    See Also
    --------
    edge_connectivity : The same for edges.
    minimum_node_cut : The vertices.
    node_disjoint_paths : The paths.

    Notes
    -----
    O(n m k) time at most for connectivity k.

    Examples
    --------
    >>> from edgewise.generators import grid_2d, petersen
    >>> node_connectivity(petersen()), node_connectivity(grid_2d(4, 5), source=6, target=12)
    (3, 4)
    """
    check_host(graph, "node_connectivity")
    n, ends = graph.num_vertices, checked_ends(graph, source, target)
    if ends is not None:
        return smallest_flow(split_network(graph), [n + ends[0]], [ends[1]], n)
    if n < 2 or not (is_strongly_connected if graph.directed else is_connected)(graph):
        return 0
    bound, floor = _least_degree(graph), 1
    if not graph.directed and bound > 1:
        if articulation_points(graph).any():
            return 1
        floor = 2
    if bound <= floor:
        return bound
    sources, targets = weak_pairs(graph)
    return smallest_flow(split_network(graph), n + sources, targets, bound, floor)


def checked_ends(graph: Graph, source: Any, target: Any) -> tuple[int, int] | None:
    """Both ends checked, or None if none is given."""
    if source is None and target is None:
        return None
    if source is None or target is None:
        raise ValueError("source and target must both be given, or none of them")
    ends = check_vertex(graph, source), check_vertex(graph, target, "target")
    if ends[0] == ends[1]:
        raise ValueError(f"target must differ from source, got {graph.label(ends[1])!r} for both")
    return ends


def degrees(graph: Graph) -> tuple[Any, Any]:
    """The out-degree and in-degree of each vertex, without self-loops."""
    u, v = row_ids(graph), graph.indices
    plain, n = u != v, graph.num_vertices
    return np.bincount(u[plain], minlength=n), np.bincount(v[plain], minlength=n)


def _least_degree(graph: Graph) -> int:
    return int(min(degree.min() for degree in degrees(graph)))


def weak_pairs(graph: Graph) -> tuple[Any, Any]:
    """Pairs of vertices of which one has the fewest disjoint paths, none of them adjacent."""
    n, center = graph.num_vertices, int(np.argmin(np.add(*degrees(graph))))
    after = graph.neighbors(center).astype(np.int64)
    before = row_ids(graph)[graph.indices == center].astype(np.int64) if graph.directed else after
    others = np.arange(n)
    away, back = np.setdiff1d(others, [*after, center]), np.setdiff1d(others, [*before, center])
    sources, targets = [np.full(len(away), center)], [away]
    if graph.directed:
        sources, targets = [*sources, back], [*targets, np.full(len(back), center)]
    before, after = (near[near != center] for near in (before, after))
    for v in before.tolist():
        far = np.setdiff1d(after, [*graph.neighbors(v), v])
        far = far if graph.directed else far[far > v]
        sources, targets = [*sources, np.full(len(far), v)], [*targets, far]
    return np.concatenate(sources), np.concatenate(targets)
