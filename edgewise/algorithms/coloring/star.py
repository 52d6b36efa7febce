"""Star coloring: a proper coloring in which every path of four vertices has three colors.

The vertices of any two colors then induce a set of stars, so that a sparse symmetric matrix can be
read off from its compressed columns (see `hessian_coloring`). The greedy algorithm [1] keeps the
hub of every two-colored star (`forbidding`).

[1] A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.colored import Coloring, as_coloring
from edgewise.algorithms.coloring.net_orders import graph_order
from edgewise.algorithms.coloring.nets import sorted_rows
from edgewise.algorithms.coloring.patterns import symmetric_rows
from edgewise.algorithms.coloring.products_bound import forest_bound
from edgewise.algorithms.coloring.star_sets import star_colors
from edgewise.algorithms.coloring.tree_sets import acyclic_colors
from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import check_host

__all__ = ["acyclic", "star"]


@takes_graph
def star(
    graph: LocalGraphLike, *, order: str | np.ndarray = "smallest_last", seed: int = 0
) -> Coloring:
    """Return a star coloring: every path of four vertices has at least three colors.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.
    order : str or array of int over vertices
        The order in which vertices are colored: "natural", "largest_first", "smallest_last",
        "incidence_degree", "dynamic_largest_first", "random", or the position of each vertex.
    seed : int
        The seed of the random order.

    Returns
    -------
    Coloring
        The color of each vertex: an array with `num_colors` and `class_sizes`.

    Raises
    ------
    ValueError
        If the graph is directed, or the order is unknown or not a permutation.
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    acyclic : A weaker condition, for recovery by substitution.
    hessian_coloring : Compresses a sparse Hessian by this coloring.

    Notes
    -----
    On one CPU thread. The work is at most the sum of the squared degrees. An edge costs as many
    steps as its ends have different colors around them, so hubs are cheap.

    References
    ----------
    A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> star(path, order="natural").tolist()
    [0, 1, 0, 2]
    """
    return _colored(graph, "star", star_colors, order, seed)


@takes_graph
def acyclic(
    graph: LocalGraphLike, *, order: str | np.ndarray = "smallest_last", seed: int = 0
) -> Coloring:
    """Return an acyclic coloring: a proper coloring in which every cycle has three colors.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.
    order : str or array of int over vertices
        The order in which vertices are colored: "natural", "largest_first", "smallest_last",
        "incidence_degree", "dynamic_largest_first", "random", or the position of each vertex.
    seed : int
        The seed of the random order.

    Returns
    -------
    Coloring
        The color of each vertex: an array with `num_colors` and `class_sizes`.

    Raises
    ------
    ValueError
        If the graph is directed, or the order is unknown or not a permutation.
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    star : A stronger condition, for direct recovery.
    hessian_coloring : Compresses a sparse Hessian by this coloring.

    Notes
    -----
    On one CPU thread. The work is at most the sum of the squared degrees. An edge costs as many
    steps as its ends have different colors around them, so hubs are cheap.

    References
    ----------
    A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> acyclic(square, order="natural").tolist()
    [0, 1, 0, 2]
    """
    return _colored(graph, "acyclic", acyclic_colors, order, seed)


def _colored(graph: AnyGraph, name: str, color: Any, order: Any, seed: int) -> Coloring:
    check_host(graph, name)
    check_undirected(graph, name)
    listed = graph_order(graph, order, seed)
    rows = sorted_rows(graph)
    return as_coloring(color(*rows, *symmetric_rows(*rows), listed).colors, graph, forest_bound)
