"""Kneser graphs: sets of k of n elements, adjacent if disjoint.

The chromatic number is n - 2k + 2 [1], though the graph has no triangle for n < 3k. The neighbors
of a set are the sets of k of the n - k other elements. Sets are numbered in lexicographic order, so
that the number of a set is a sum of binomial coefficients.

[1] L. Lovasz. Kneser's conjecture, chromatic number, and homotopy. J. Combin. Theory A, 1978.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from edgewise.base.checks import check_count
from edgewise.generators.draws import id_type
from edgewise.graph import Graph

__all__ = ["kneser"]

_MOST_EDGES = 2**31


def kneser(n: int, k: int) -> Graph:
    """Return the Kneser graph of the sets of ``k`` of ``n`` elements, adjacent if disjoint.

    Vertices are numbered in lexicographic order of the sets, as ``itertools.combinations`` lists
    them. The chromatic number is ``n - 2k + 2`` if n is at least 2k. Otherwise there are no edges.

    Parameters
    ----------
    n : int
        The number of elements.
    k : int
        The size of the sets, from 1 to n.

    Returns
    -------
    Graph
        An undirected graph with n choose k vertices.

    Raises
    ------
    ValueError
        If the graph has more than 2**31 edges.

    See Also
    --------
    mycielski : Another graph with known chromatic number.
    petersen : The Kneser graph for n = 5 and k = 2, with another numbering.

    Notes
    -----
    O(k m) time for m edges.

    Examples
    --------
    >>> graph = kneser(5, 2)
    >>> graph.num_vertices, graph.num_edges
    (10, 15)
    """
    k = check_count(k, "k", least=1)
    n = check_count(n, "n", least=k)
    size, each = comb(n, k), comb(n - k, k)
    if size * max(each, 1) // 2 > _MOST_EDGES:
        raise ValueError(f"n and k must give at most 2**31 edges, got {n} and {k}")
    # The number of c_0 < c_1 < ... is size - 1 - sum over i of comb(n - 1 - c_i, k - i).
    weight = np.array([[comb(n - 1 - c, k - i) for c in range(n)] for i in range(k)], np.int64)
    member = np.zeros((size, n), bool)
    sets = np.array(list(combinations(range(n), k)), np.intp).reshape(size, k)
    np.put_along_axis(member, sets, True, axis=1)
    rest = np.nonzero(~member)[1].reshape(size, n - k).T  # the i-th smallest elements in row i
    vertices = np.arange(size, dtype=id_type(size))
    sources, targets = [vertices[:0]], [vertices[:0]]
    for chosen in combinations(range(n - k), k):
        other = size - 1 - sum(weight[i][rest[c]] for i, c in enumerate(chosen))
        later = other > vertices
        sources.append(vertices[later])
        targets.append(other[later].astype(vertices.dtype))
    return Graph.from_edges(np.concatenate(sources), np.concatenate(targets), num_vertices=size)
