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
        Which vertices are colored first; a hash of ``seed`` decides among equals:

        - ``"approximate_degeneracy"``: vertices whose degree is at most the average are removed, in
          rounds. Those removed last come first. Mostly the fewest colors.
        - ``"largest_log_first"``: degrees of more binary digits come first. The shortest chains of
          dependent vertices.
        - ``"largest_first"``: larger degrees come first.
        - ``"random"``: the hash alone.
    seed : int
        The seed of the hash.

    Returns
    -------
    Coloring
        The color of each vertex, from 0 on: the same on every engine and for any number of
        threads. On a GPU and on a grid it is that engine's own array.

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
    O(n + m) work, and as many rounds as the longest chain of neighbors with falling priority. Up to
    eight CPU threads, one of them colors all vertices in the order of priority instead, which is
    faster and gives the same colors.

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
