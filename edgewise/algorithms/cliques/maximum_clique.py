"""A maximum clique: bisection over its size, with the search for maximal cliques [1, 2].

Is there a clique of s vertices or more? The search leaves out vertices and branches with too few
candidates, and stops at the first clique found. The largest core number plus one bounds the size.
The worst case is that of `maximal_cliques`.

[1] D. Eppstein, M. Loeffler, D. Strash. Listing all maximal cliques in sparse graphs in
    near-optimal time. ISAAC 2010.
[2] R. Carraghan, P. Pardalos. An exact algorithm for the maximum clique problem. Operations
    Research Letters 9(6), 1990.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.cliques.bron_kerbosch import Limits, Lists
from edgewise.algorithms.cliques.degeneracy import Ordered, in_order
from edgewise.algorithms.cliques.maximal_cliques import run
from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["maximum_clique"]

_NO_LIMIT = 2**62


@takes_graph
def maximum_clique(graph: LocalGraphLike) -> np.ndarray:
    """Return the vertices of a largest clique.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.

    Returns
    -------
    array of int64
        The vertices in ascending order; empty for a graph without vertices. Of several largest
        cliques, different runs may return different ones.

    See Also
    --------
    maximal_cliques : All cliques that cannot be extended.

    Notes
    -----
    O(n c 3^(c/3) log c) time at most, c the largest core number; usually far less.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> maximum_clique(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).tolist()
    [0, 1, 2]
    """
    check_host(graph, "maximum_clique")
    check_undirected(graph, "maximum_clique")
    if graph.num_vertices == 0:
        return np.empty(0, np.int64)
    ordered = in_order(graph)
    low, high = 1, int(ordered.later.max()) + 1
    best = np.zeros(1, np.int64)  # any vertex is a clique
    while low < high:
        middle = (low + high + 1) // 2
        clique = _found(ordered, middle)
        if clique is None:
            high = middle - 1
        else:
            best, low = clique, len(clique)
    return best


def _found(ordered: Ordered, least: int) -> np.ndarray | None:
    """A maximal clique of so many vertices or more; None if there is none."""
    n, none = ordered.graph.num_vertices, np.empty(0, np.int64)
    found, sizes = np.zeros(n, np.int64), np.zeros(n, np.int64)
    vertices = np.flatnonzero(ordered.later + 1 >= least)
    limits = Limits(least, 0, _NO_LIMIT, np.zeros(2, np.int64))
    run(ordered, vertices, limits, Lists(found, sizes, none, none, none, none))
    if not found.any():
        return None
    first = found.argmax()
    lengths, members = np.empty(1, np.int64), np.empty(sizes[first], np.int64)
    limits = Limits(least, 0, _NO_LIMIT, np.zeros(2, np.int64))
    again, begin = np.zeros((2, n), np.int64), np.zeros((2, n), np.int64)
    run(
        ordered,
        np.array([first]),
        limits,
        Lists(again[0], again[1], begin[0], begin[1], lengths, members),
    )
    return members
