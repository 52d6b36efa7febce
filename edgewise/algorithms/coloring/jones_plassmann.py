"""Jones-Plassmann coloring [1]: greedy coloring in an order that many vertices can follow at once.

A vertex takes the smallest free color once all its neighbors of higher priority have theirs. The
priorities decide how long the chains of dependent vertices are, and how many colors are needed.

[1] M. Jones, P. Plassmann. A parallel graph coloring heuristic. SIAM J. Sci. Comput. 1993.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.coloring.colored import as_coloring
from edgewise.algorithms.coloring.first_fit import first_fit
from edgewise.algorithms.coloring.priorities import PRIORITIES, by_priority
from edgewise.base.checks import check_choice, check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["jones_plassmann"]


@takes_graph
def jones_plassmann(
    graph: GraphLike, *, priority: str = "approximate_degeneracy", seed: int = 0
) -> Any:
    """Return a coloring in which no two neighbors share a color, by Jones and Plassmann.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    priority : str
        The vertices that are colored first; a hash of ``seed`` breaks ties:

        - ``"approximate_degeneracy"``: vertices whose degree is at most 9/8 of the average are
          removed, in rounds. The last ones removed come first. It usually needs the fewest colors.
        - ``"largest_log_first"``: vertices with a larger base-2 logarithm of the degree, rounded
          down, come first. It gives the shortest chains of dependent vertices.
        - ``"largest_first"``: vertices of larger degree come first.
        - ``"random"``: only the hash counts.
    seed : int
        The seed of the hash.

    Returns
    -------
    Coloring
        The color of each vertex, numbered from 0. It is the same on every engine and for any number
        of threads. On a GPU and on a grid, it is an array of that engine.

    Raises
    ------
    ValueError
        If the graph is directed, or ``priority`` is unknown.

    See Also
    --------
    greedy : Greedy coloring in other orders.
    speculative : Fewer rounds on graphs with long chains of dependent vertices.

    Notes
    -----
    O(n + m) work. The number of rounds is the length of the longest path of falling priority. With
    up to eight CPU threads, one thread colors all vertices in the order of priority instead. This
    is faster and gives the same colors.

    References
    ----------
    W. Hasenplaugh, T. Kaler, T. Schardl, C. Leiserson. Ordering heuristics for parallel graph
    coloring. SPAA 2014.
    M. Besta, A. Carigiet, K. Janda et al. High-performance parallel graph coloring with strong
    guarantees on work, depth, and quality. SC 2020.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> wheel = Graph.from_edges([0, 0, 0, 0, 1, 2, 3, 4], [1, 2, 3, 4, 2, 3, 4, 1])
    >>> jones_plassmann(wheel, priority="largest_first").num_colors
    3
    """
    check_undirected(graph, "jones_plassmann")
    check_choice(priority, "priority", PRIORITIES)
    return as_coloring(first_fit(graph, by_priority(graph, priority, seed)), graph)
