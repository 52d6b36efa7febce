"""Communities by removing edges of high betweenness (Girvan and Newman [1]).

The edge with the largest betweenness is removed repeatedly. Whenever a component falls apart,
there is one community more. The betweenness of a component changes only when it loses an edge, so
only that component is computed again (`dividing`). Ties go to the first edge. O(n m) time for each
removed edge of a component of n vertices and m edges.

[1] M. Girvan, M. Newman. Community structure in social and biological networks. PNAS 99(12), 2002.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.communities.dendrograms import Dendrogram, smallest_members
from edgewise.algorithms.communities.dividing import Division
from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.base.checks import check_count, check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["girvan_newman"]


@takes_graph
def girvan_newman(graph: LocalGraphLike, *, max_communities: int | None = None) -> Communities:
    """Return communities found by the Girvan-Newman method: removing edges of high betweenness.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights do not count for shortest paths.
    max_communities : int, optional
        Stop when there are so many communities. By default, edges are removed until none is left.

    Returns
    -------
    Communities
        Of all partitions on the way, the one with the highest modularity (unweighted).
        ``dendrogram`` of the result has all of them: ``dendrogram.cut(k)`` returns k communities.

    See Also
    --------
    edge_betweenness_centrality : The betweenness of each edge.
    leiden : Far faster, and of higher modularity.

    Notes
    -----
    O(n m) time for each removed edge, where n and m are the size of its component: O(n m²) in all.
    Give ``max_communities`` for graphs of more than a few thousand edges. Of edges with
    equal betweenness, up to rounding, the first is removed. The result does not depend on the
    number of threads.

    References
    ----------
    M. Girvan, M. Newman. Community structure in social and biological networks. PNAS 99(12), 2002.

    Examples
    --------
    >>> from edgewise.generators import karate_club
    >>> found = girvan_newman(karate_club())
    >>> found.sizes().tolist(), round(found.modularity, 4)
    ([10, 6, 5, 12, 1], 0.4013)
    >>> found.dendrogram.cut(2).sizes().tolist()
    [15, 19]
    """
    check_host(graph, "girvan_newman")
    check_undirected(graph, "girvan_newman")
    n = graph.num_vertices
    most = n if max_communities is None else check_count(max_communities, "max_communities", 1)
    division = Division(graph)
    division.divide(min(most, n))
    tree = _dendrogram(graph, division)
    return as_communities(graph, tree.best().labels, None, dendrogram=tree)


def _dendrogram(graph: Graph, division: Division) -> Dendrogram:
    """The splits in reverse, as merges."""
    labels = smallest_members(division.part)
    splits, within = division.splits(), np.unique(labels, return_inverse=True)[1]
    node = np.empty(division.num_parts, np.int64)
    node[division.part] = within
    merges = np.empty((len(splits.parts), 2), np.int64)
    for i, (one, other) in enumerate(splits.parts[::-1].tolist()):
        merges[i] = node[one], node[other]
        node[one] = division.num_parts + i
    # A split of masses a and b with c edges between them loses c / m - 2 a b / (2 m)².
    total = 2.0 * max(graph.num_edges, 1)
    losses = 2.0 * splits.between / total - 2.0 * splits.masses.prod(axis=1) / total**2
    inside = total - 2.0 * splits.between.sum() if graph.num_edges else 0.0
    shares = np.bincount(division.part, graph.degrees()) / total
    quality = inside / total - (shares**2).sum() + np.cumsum(np.append(0.0, losses[::-1]))
    heights = np.arange(1.0, len(merges) + 1)
    return Dendrogram(labels.astype(graph.id_dtype), merges, heights, quality)
