"""Distance-2 coloring: vertices at distance 1 or 2 have different colors.

The greedy method gives each vertex in an order the smallest color that is free. It keeps a set of
colors per neighborhood (`nets`), so its time is close to linear in the edges where a walk over all
paths of two edges takes the sum of the squared degrees. One CPU thread. The speculative method
works in rounds on every engine (`color_windows`).

[1] A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? Graph coloring for computing
    derivatives. SIAM Review 47(4), 2005.
[2] M. Tas, K. Kaya, E. Saule. Greed is good: parallel algorithms for bipartite-graph partial
    coloring on multicore architectures. ICPP 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.color_windows import color_by_rounds
from edgewise.algorithms.coloring.colored import as_coloring
from edgewise.algorithms.coloring.net_orders import graph_order
from edgewise.algorithms.coloring.nets import first_fit, graph_nets, longest_net
from edgewise.base.checks import check_undirected
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators.sequential import method_for

__all__ = ["distance_2"]


@takes_graph
def distance_2(
    graph: GraphLike,
    *,
    order: str | np.ndarray | None = None,
    method: str = "auto",
    seed: int = 0,
) -> Any:
    """Return a coloring in which vertices at distance 1 or 2 have different colors.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    order : str or array of int over vertices, optional
        The order in which the greedy method colors vertices, as for `greedy`: "smallest_last" (the
        default), "largest_first", "incidence_degree", "dynamic_largest_first", "natural",
        "random", or the position of each vertex. The orders use the degrees of the graph.
    method : {"auto", "greedy", "speculative"}
        "greedy" needs a graph in host memory. "speculative" works in rounds and colors many
        vertices in each. "auto" is greedy in host memory, and speculative on a GPU or a grid.
    seed : int
        The seed of the random order, and of the choices of the speculative method. The same seed
        gives the same colors for any number of threads.

    Returns
    -------
    Coloring
        The color of each vertex, numbered from 0. On a GPU and on a grid, it is an array of that
        engine.

    Raises
    ------
    ValueError
        If the graph is directed, the order is unknown or not a permutation, or an order is given
        for the speculative method.

    See Also
    --------
    partial_distance_2 : The same for the columns or rows of a matrix.
    aggregates : Groups around vertices at distance 3 or more.

    Notes
    -----
    Every distance-2 coloring has at least one color more than the largest degree. The greedy method
    takes close to O(n + m) time, and at most O(sum of squared degrees). A round of the speculative
    method is linear in the edges of the vertices without a color.

    References
    ----------
    M. Tas, K. Kaya, E. Saule. Greed is good: parallel algorithms for bipartite-graph partial
    coloring on multicore architectures. ICPP 2017.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> distance_2(path, order="natural").tolist()
    [0, 1, 2, 0, 1]
    """
    check_undirected(graph, "distance_2")
    check_seed(seed)
    if method_for(graph, method, "greedy", "speculative") == "greedy":
        nets = graph_nets(graph)
        listed = graph_order(graph, "smallest_last" if order is None else order, seed)
        return as_coloring(first_fit(nets, listed), graph, longest_net(nets))
    if order is not None:
        raise ValueError(f"order belongs to the greedy method, which is not used here: {order!r}")
    return as_coloring(color_by_rounds(graph, seed), graph, _largest_neighborhood)


def _largest_neighborhood(graph: Graph) -> int:
    return longest_net(graph_nets(graph))
