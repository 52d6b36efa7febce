"""Overlapping communities by k-clique percolation (Palla et al. [1]).

Two k-cliques are adjacent if they share k - 1 vertices. A community is the union of k-cliques that
lead to one another. So two maximal cliques are in one community if they share k - 1 vertices.

A union-find structure joins maximal cliques. Vertices are ranked by the number of their cliques,
the rare ones first. Cliques of s and t members that share k - 1 share one of the first s - k + 2
and t - k + 2 as well [2], and only these are indexed. Pairs that are joined already cost one step.
For k = 3, edges that share a triangle are joined instead (`triangle_percolation`).

[1] G. Palla, I. Derenyi, I. Farkas, T. Vicsek. Uncovering the overlapping community structure of
    complex networks in nature and society. Nature 435, 2005.
[2] S. Chaudhuri, V. Ganti, R. Kaushik. A primitive operator for similarity joins in data cleaning.
    ICDE 2006.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.cliques.maximal_cliques import maximal_cliques
from edgewise.algorithms.communities.overlapping import OverlappingCommunities, from_memberships
from edgewise.algorithms.communities.triangle_percolation import find_root, joined_triangles
from edgewise.base.checks import check_count, check_undirected
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["k_clique_communities"]


@takes_graph
def k_clique_communities(graph: LocalGraphLike, *, k: int = 3) -> OverlappingCommunities:
    """Return the overlapping communities of k-clique percolation.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.
    k : int
        The number of vertices of a clique, at least 2. Larger values give smaller communities. 2
        gives the connected components of two vertices and more.

    Returns
    -------
    OverlappingCommunities
        Lists of vertices. A vertex may be in several communities, with equal shares, or in none.

    Raises
    ------
    MemoryError
        If the maximal cliques do not fit the free memory.

    See Also
    --------
    maximal_cliques : The cliques that are joined.
    slpa : Overlapping communities in close to linear time.

    Notes
    -----
    O(m √m) time for k = 3. Otherwise the time to list the maximal cliques, which is exponential in
    the largest core number at most, plus the pairs of cliques that share one of their rarest
    vertices: minutes on graphs with hubs in many cliques.

    References
    ----------
    G. Palla, I. Derenyi, I. Farkas, T. Vicsek. Uncovering the overlapping community structure of
    complex networks in nature and society. Nature 435, 2005.

    Examples
    --------
    Two triangles that share a vertex:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 2, 3], [1, 2, 2, 3, 4, 4])
    >>> [one.tolist() for one in k_clique_communities(graph).lists()]
    [[0, 1, 2], [2, 3, 4]]
    >>> k_clique_communities(graph, k=2).sizes().tolist()
    [5]
    """
    check_host(graph, "k_clique_communities")
    check_undirected(graph, "k_clique_communities")
    n = graph.num_vertices
    k = max(min(check_count(k, "k", 2, 10**100), n + 1), 2)
    if k == 3:
        return from_memberships(*joined_triangles(graph), None, n)
    cliques = maximal_cliques(graph, min_size=k)
    root = _percolated(cliques.indptr, cliques.members, k, n)
    pairs = np.unique(np.repeat(root, np.diff(cliques.indptr)) * n + cliques.members)
    return from_memberships(*np.divmod(pairs, n or 1), None, n)


class Sets(NamedTuple):
    """Sets of ranks, ascending, and for each rank the sets that have it among their first."""

    indptr: np.ndarray
    ranks: np.ndarray
    first: np.ndarray  # where the sets of each rank begin
    listed: np.ndarray


def _percolated(indptr: np.ndarray, members: np.ndarray, k: int, n: int) -> np.ndarray:
    """A number for each clique, equal if they are in one community."""
    sizes, count = np.diff(indptr), len(indptr) - 1
    number = np.repeat(np.arange(count), sizes)
    rank = np.empty(n, np.int64)
    rank[np.argsort(np.bincount(members, minlength=n), kind="stable")] = np.arange(n)
    order = np.argsort(number * n + rank[members])
    ranks = rank[members][order]
    place = np.arange(len(ranks)) - indptr[:-1][number]
    early = place < (sizes - k + 2)[number]
    listed = number[early][np.argsort(ranks[early], kind="stable")]
    first = offsets(np.bincount(ranks[early], minlength=n))
    root = np.arange(count)
    sets = Sets(indptr, ranks, first, listed)
    sequential(_join, (sets, k - 1, root, np.full(n, -1)), steps=n, work=16 * len(ranks),
               phase="percolate")  # fmt: skip
    while (root[root] != root).any():
        root = root[root]
    return root


def _join(control, sets, least, root, mark):
    """Join the sets that have at least so many ranks in common."""
    done = 0
    for rank in range(len(mark)):
        low, high = sets.first[rank], sets.first[rank + 1]
        for i in range(low, high):
            one, marked = sets.listed[i], False
            home = find_root(root, one)
            done += i - low
            if done > 4096:
                done = 0
                if not going(control, rank):
                    return
            for j in range(low, i):
                other = sets.listed[j]
                if find_root(root, other) == home:
                    continue
                if not marked:
                    marked = True
                    for e in range(sets.indptr[one], sets.indptr[one + 1]):
                        mark[sets.ranks[e]] = one
                if _shares(sets, mark, one, other, least):
                    away = find_root(root, other)
                    root[max(home, away)] = min(home, away)
                    home = min(home, away)


@inner
def _shares(sets, mark, one, other, least):
    """Has a set at least so many ranks that are marked by another?"""
    low, high, found = sets.indptr[other], sets.indptr[other + 1], 0
    for e in range(low, high):
        found += mark[sets.ranks[e]] == one
        if found >= least:
            return True
        if found + high - e - 1 < least:
            return False
    return False
