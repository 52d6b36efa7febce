"""What programs do with a partition: the graph of the parts, and one subgraph per part with a halo.

The halo of a part are the vertices of other parts within a few steps. A program that has the values
of the halo can update its own vertices without any other part.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.imbalance import check_parts
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, host

__all__ = ["PartGraph", "quotient", "subgraphs"]


class PartGraph(NamedTuple):
    """The subgraph of a part and its halo.

    Attributes
    ----------
    graph : Graph
        The subgraph induced by the vertices.
    vertices : array of int
        The ids in the whole graph: the vertices of the part first, then the halo.
    num_own : int
        The number of vertices of the part.
    """

    graph: Graph
    vertices: np.ndarray
    num_own: int


@takes_graph
def subgraphs(
    graph: LocalGraphLike, parts: Any, *, halo: int = 1, k: int | None = None
) -> list[PartGraph]:
    """Return one subgraph per part, with the vertices of other parts within a few steps.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory. In a directed graph, predecessors and successors
        both belong to the halo.
    parts : array of int over vertices
        The part of each vertex, from 0.
    halo : int
        The number of steps from the part to the farthest vertices of the halo; 0 means no halo.
    k : int, optional
        The number of parts. By default ``parts.k`` of a `Parts`, or else the largest part number
        plus 1.

    Returns
    -------
    list of PartGraph
        ``(graph, vertices, num_own)`` for each part. Vertex i of the subgraph is ``vertices[i]``
        of the whole graph. The first ``num_own`` vertices are the part's own, in ascending order;
        the halo follows, nearest vertices first. The subgraph has all edges between its vertices.

    See Also
    --------
    quotient : The graph of the parts.

    Notes
    -----
    O(n + m) time per step, if halos are small. A layer of a graph neural network needs a halo of
    one step; ``graph.arcs()`` of a subgraph gives the edge index of PyTorch Geometric.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> for piece in subgraphs(path(6), [0, 0, 0, 1, 1, 1]):
    ...     print(piece.vertices.tolist(), piece.num_own, piece.graph.num_edges)
    [0, 1, 2, 3] 3 3
    [3, 4, 5, 2] 3 3
    """
    check_host(graph, "subgraphs")
    halo = check_count(halo, "halo")
    k = check_parts(graph, parts, k)[1]
    both = (graph, graph.transposed) if graph.directed else (graph,)
    seen = np.full(graph.num_vertices, -1, np.int64)  # the last part that has a vertex
    found = []
    for part, own in enumerate(Parts(np.asarray(parts, np.int64), k).groups()):
        seen[own] = part
        rings = [own]
        for _ in range(halo):
            around = np.unique(np.concatenate([_targets(one, rings[-1]) for one in both]))
            rings.append(around[seen[around] != part])
            seen[rings[-1]] = part
        vertices = np.concatenate(rings)
        found.append(PartGraph(graph.subgraph(vertices), vertices, len(own)))
    return found


@takes_graph
def quotient(graph: LocalGraphLike, parts: Any, *, k: int | None = None) -> Graph:
    """Return the quotient graph: one vertex per part, and edges weighted by the cut between them.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, on CPU or GPU.
    parts : array of int over vertices
        The part of each vertex, from 0.
    k : int, optional
        The number of parts. By default ``parts.k`` of a `Parts`, or else the largest part number
        plus 1.

    Returns
    -------
    Graph
        A graph with k vertices, in host memory. The weight of an edge is the total weight of the
        edges between two parts, or their number if the graph has no weights. It has no self-loops,
        and an empty part has no edges.

    See Also
    --------
    place_tasks : Maps the parts to the ranks of a machine.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> [one.tolist() for one in quotient(grid_2d(3, 4), [0, 0, 1, 2] * 3).edges()]
    [[0, 1], [1, 2], [3, 3]]
    """
    check_one_device(graph, "quotient")
    key, k = check_parts(graph, parts, k)
    small, mapping = graph.contract(key, self_loops="drop")
    numbers = np.zeros(small.num_vertices, np.int64)
    numbers[host(mapping)] = host(parts)
    sources, targets, weights = small.to("cpu").edges()
    return Graph.from_edges(
        numbers[sources], numbers[targets], weights, num_vertices=k, directed=graph.directed
    )


def _targets(graph: Graph, vertices: np.ndarray) -> np.ndarray:
    """The neighbors of some vertices, row after row."""
    starts, lengths = graph.indptr[vertices], np.diff(graph.indptr)[vertices]
    before = offsets(lengths)[:-1]
    return graph.indices[np.repeat(starts - before, lengths) + np.arange(lengths.sum())]
