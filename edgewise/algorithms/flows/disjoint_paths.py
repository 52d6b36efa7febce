"""Edge-disjoint and node-disjoint paths: a maximum flow with unit capacities, path by path.

For node-disjoint paths, every vertex is split into two that an arc of capacity 1 joins. A walk
along arcs with flow leads from the source to the target; cycles are cut out of it.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from edgewise.algorithms.flows.dinic import augment
from edgewise.algorithms.flows.network import Network, split_network, unit_network
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.checks import check_count, check_vertex
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, row_ids

__all__ = ["edge_disjoint_paths", "node_disjoint_paths"]

#: A flow is never left unfinished.
_NEVER = 2**62


@takes_graph
def edge_disjoint_paths(
    graph: LocalGraphLike, source: int | str, target: int | str, *, k: int | None = None
) -> PathList:
    """Return as many edge-disjoint paths as possible from a source to a target.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges. Weights are ignored.
    source, target : int or str
        Two different vertices, by id or label.
    k : int, optional
        The largest number of paths; by default, as many as there are.

    Returns
    -------
    PathList
        Paths of which no two share an edge, and of which none visits a vertex twice. ``complete``
        is False if there are more than ``k``.

    See Also
    --------
    edge_connectivity : The number of paths alone.
    node_disjoint_paths : Paths without a common vertex.

    Notes
    -----
    O(m √m) time at most.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> edge_disjoint_paths(grid_2d(2, 3), 0, 5).lists()
    [[0, 1, 2, 5], [0, 3, 4, 5]]
    """
    check_host(graph, "edge_disjoint_paths")
    ends, count = _checked(graph, source, target, k)
    return _paths(graph, unit_network(graph, *ends), count)


@takes_graph
def node_disjoint_paths(
    graph: LocalGraphLike, source: int | str, target: int | str, *, k: int | None = None
) -> PathList:
    """Return as many node-disjoint paths as possible from a source to a target.

    Parameters
    ----------
    graph, source, target, k
        As for `edge_disjoint_paths`.

    Returns
    -------
    PathList
        Paths of which no two share a vertex except source and target. ``complete`` is False if
        there are more than ``k``.

    See Also
    --------
    node_connectivity : The number of paths alone.
    edge_disjoint_paths : Paths without a common edge.

    Notes
    -----
    O(m √n) time at most.

    Examples
    --------
    >>> from edgewise.generators import petersen
    >>> node_disjoint_paths(petersen(), 0, 7).num_paths
    3
    """
    check_host(graph, "node_disjoint_paths")
    ends, count = _checked(graph, source, target, k)
    return _paths(graph, split_network(graph, *ends), count)


def _checked(graph: Graph, source: Any, target: Any, k: Any) -> tuple[tuple[int, int], int]:
    """Both ends, and the largest number of paths."""
    ends = check_vertex(graph, source), check_vertex(graph, target, "target")
    if ends[0] == ends[1]:
        raise ValueError(f"target must differ from source, got {graph.label(ends[1])!r} for both")
    n = graph.num_vertices
    return ends, n if k is None else min(check_count(k, "k", 1), n)


def _paths(graph: Graph, network: Network, most: int) -> PathList:
    """The first paths of a flow with at least one more, if there are so many."""
    both, residual, n = network.graph, network.capacity.copy(), graph.num_vertices
    value, _ = augment(both, residual, network.source, network.target, limit=most + 1,
                       sides=False, patience=_NEVER)  # fmt: skip
    used = np.flatnonzero(residual < network.capacity)
    tails, heads = (ends[used].tolist() for ends in (row_ids(both), both.indices))
    nexts: dict[int, list[int]] = {}
    for u, v in zip(reversed(tails), reversed(heads), strict=True):
        nexts.setdefault(u, []).append(v)
    paths = []
    for _ in range(min(value, most)):
        path, place = [network.source], {network.source: 0}
        while path[-1] != network.target:
            v = nexts[path[-1]].pop()
            if v in place:  # a cycle: the walk goes on from where it began
                for gone in path[place[v] + 1 :]:
                    del place[gone]
                del path[place[v] + 1 :]
            else:
                place[v] = len(path)
                path.append(v)
        paths.append([v % n for v in path if v < n or v == network.source])
    sizes = np.array([len(path) for path in paths], np.int64)
    vertices = np.fromiter(chain.from_iterable(paths), np.int64)
    return PathList(offsets(sizes), vertices, value <= most)
