"""Scores of vertex pairs for link prediction [1]: common neighbors, resource allocation [2] and
preferential attachment [3].

The first two are one `intersect` over the pairs, as in `edgewise.algorithms.similarity.pairwise`.
The third is a product of degrees.

[1] D. Liben-Nowell, J. Kleinberg. The link-prediction problem for social networks. JASIST 2007.
[2] T. Zhou, L. Lu, Y.-C. Zhang. Predicting missing links via local information. Eur. Phys. J. B,
    2009.
[3] A.-L. Barabasi et al. Evolution of the social network of scientific collaborations. Physica A,
    2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.similarity.pairwise import similarity_of
from edgewise.graph.edges import edge_ends
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators.intersection import pair_ends

__all__ = ["common_neighbors", "preferential_attachment", "resource_allocation"]


@takes_graph
def common_neighbors(graph: GraphLike, *, pairs: Any = None) -> Any:
    """Return the number of common neighbors of vertex pairs.

    Parameters
    ----------
    graph, pairs
        As for `jaccard`. Weights are ignored.

    Returns
    -------
    array of int
        A number for each pair, or for each edge of ``graph.edges()``.

    See Also
    --------
    jaccard, adamic_adar, resource_allocation : Scores that favor rare neighbors.

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> common_neighbors(complete(5), pairs=([0], [1])).tolist()
    [3]
    """
    return similarity_of(graph, "common_neighbors", pairs, None)


@takes_graph
def resource_allocation(graph: GraphLike, *, pairs: Any = None) -> Any:
    """Return the resource allocation index of vertex pairs.

    It is the sum of 1 / degree over the common neighbors. A directed graph uses the in-degree of
    the common neighbor.

    Parameters
    ----------
    graph, pairs
        As for `jaccard`. Weights are ignored.

    Returns
    -------
    array of float64
        A nonnegative value for each pair, or for each edge of ``graph.edges()``.

    See Also
    --------
    adamic_adar : The sum of 1 / log(degree).

    Examples
    --------
    >>> from edgewise.generators import complete
    >>> resource_allocation(complete(5), pairs=([0], [1])).tolist()
    [0.75]
    """
    return similarity_of(graph, "resource_allocation", pairs, None)


@takes_graph
def preferential_attachment(graph: GraphLike, *, pairs: Any = None) -> Any:
    """Return the preferential attachment score of vertex pairs: the product of their degrees.

    Parameters
    ----------
    graph, pairs
        As for `jaccard`. Weights are ignored. In a directed graph the degrees are out-degrees.

    Returns
    -------
    array of float64
        A nonnegative value for each pair, or for each edge of ``graph.edges()``.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> preferential_attachment(star(4), pairs=([0, 1], [1, 2])).tolist()
    [4.0, 1.0]
    """
    size = graph.without_self_loops().row_lengths().astype(np.float64)
    if pairs is not None:
        us, vs = pair_ends(graph, pairs)
        return size[us] * size[vs]
    ends = edge_ends(graph)
    return ends.in_order(size[ends.us] * size[ends.vs])
