"""A vertex separator from a partition into two parts: a minimum vertex cover of the cut edges [1].

The cut edges form a bipartite graph. By Koenig's theorem, its smallest vertex cover has as many
vertices as its largest matching has edges. It consists of the left vertices that alternating paths
from free left vertices do not reach, and the right ones that they do.

[1] A. Pothen, C. Fan. Computing the block triangular form of a sparse matrix. ACM TOMS 16, 1990.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.hopcroft_karp import hopcroft_karp
from edgewise.algorithms.partitioning.imbalance import check_parts
from edgewise.algorithms.traversal.bfs import bfs
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["separator"]


@takes_graph
def separator(graph: LocalGraphLike, parts: Any) -> np.ndarray:
    """Return a smallest vertex separator among the ends of the edges between two parts.

    Parameters
    ----------
    graph : Graph
        In host memory. Directions of edges are ignored.
    parts : array of int over vertices
        The part of each vertex, 0 or 1.

    Returns
    -------
    array of bool over vertices
        True for the vertices of the separator. Without them, no edge joins the two parts. No
        smaller set of vertices covers all cut edges.

    See Also
    --------
    edgewise.ordering.nested_dissection : An order that finds its own separators.

    Notes
    -----
    O(n + m + c sqrt(c)) time for c cut edges.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> separator(grid_2d(3, 4), [0, 0, 1, 1] * 3).nonzero()[0].tolist()
    [1, 5, 9]
    """
    check_host(graph, "separator")
    key, k = check_parts(graph, parts)
    if k > 2:
        raise ValueError(f"parts must be 0 or 1, got {k} parts")
    found = np.zeros(graph.num_vertices, bool)
    sources, targets, _ = graph.arcs()
    cut = key[sources] != key[targets]
    if not cut.any():
        return found
    ends = np.stack([sources[cut], targets[cut]])
    ends = np.where(key[ends[0]] == 0, ends, ends[::-1])  # from part 0 to part 1
    vertices, (left, right) = _numbered(ends)
    n, side = len(vertices), key[vertices] == 0
    bipartite = Graph.from_edges(left, right, num_vertices=n, duplicates="first")
    mate = hopcroft_karp(bipartite, sides=side).mate
    reached = _alternating(*bipartite.edges()[:2], mate, side)
    found[vertices[np.where(side, ~reached, reached)]] = True
    return found


def _numbered(ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vertices that occur, and the ends by their positions among them."""
    vertices, numbers = np.unique(ends, return_inverse=True)
    return vertices, numbers.reshape(ends.shape)


def _alternating(u: np.ndarray, v: np.ndarray, mate: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Which vertices alternating paths from free left vertices reach, these included."""
    left, right = np.where(side[u], u, v), np.where(side[u], v, u)
    matched = mate[left] == right
    free, n = np.flatnonzero(side & (mate < 0)), len(side)
    sources = np.concatenate([left[~matched], right[matched], np.full(len(free), n)])
    targets = np.concatenate([right[~matched], left[matched], free])
    paths = Graph.from_edges(sources, targets, num_vertices=n + 1, directed=True)
    return bfs(paths, n).parent[:n] >= 0
