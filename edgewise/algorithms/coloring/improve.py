"""Fewer colors for a given coloring: iterated greedy [1] and Kempe exchanges [2].

Iterated greedy: a greedy pass that takes one color class after another never needs more colors, and
some orders of the classes need fewer. Kempe: the vertices of the smallest class move to other
classes. Where none is free, two colors are exchanged along a chain to free one.

O(n + m) time per iteration of iterated greedy. A Kempe chain that grows too long is given up.

[1] J. Culberson. Iterated greedy graph coloring and the difficulty landscape. 1992.
[2] A. Kempe. On the geographical problem of the four colours. American J. Mathematics 1879.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.clique_bound import clique_bound
from edgewise.algorithms.coloring.colored import as_coloring
from edgewise.algorithms.coloring.first_fit import color_listed
from edgewise.algorithms.coloring.kempe import empty_class
from edgewise.algorithms.coloring.verify_coloring import checked_coloring
from edgewise.base.checks import check_choice, check_count
from edgewise.base.random import check_seed, uniform
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sorting import stable_order

__all__ = ["improve"]

#: Chances of the order of classes: reversed, by falling size, or else random.
_REVERSED, _BY_SIZE = 0.5, 0.7


@takes_graph
def improve(
    graph: LocalGraphLike,
    colors: Any,
    *,
    method: str = "iterated_greedy",
    max_iter: int = 20,
    seed: int = 0,
) -> Any:
    """Return a coloring with at most as many colors as the given one.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops are ignored.
    colors : array of int over vertices
        A coloring in which no two neighbors share a color.
    method : {"iterated_greedy", "kempe"}
        ``"iterated_greedy"`` repeats a greedy pass over reordered color classes. ``"kempe"`` tries
        to move all vertices of the smallest class to other classes, by Kempe exchanges.
    max_iter : int
        The number of greedy passes, or of attempts to empty a class. Both methods stop earlier if
        the number of colors reaches ``Coloring.lower_bound``.
    seed : int
        The seed of the random choices.

    Returns
    -------
    Coloring

    Raises
    ------
    ValueError
        If the graph is directed, or two neighbors share a color; the message names them.
    DeviceError
        If the graph is on a GPU.

    Notes
    -----
    O(n + m) time per iteration of iterated greedy, on one CPU thread.

    References
    ----------
    J. Culberson. Iterated greedy graph coloring and the difficulty landscape. 1992.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> improve(path(4), [0, 1, 2, 0]).num_colors
    2
    >>> improve(path(4), [0, 1, 2, 0], method="kempe").num_colors
    2
    """
    check_choice(method, "method", ("iterated_greedy", "kempe"))
    max_iter, seed = check_count(max_iter, "max_iter"), int(check_seed(seed))
    color = checked_coloring(graph, colors, "improve")
    bound = clique_bound(graph)
    step = _pass_over_classes if method == "iterated_greedy" else empty_class
    for turn in range(max_iter):
        if color.max(initial=-1) < bound:
            break
        color = step(graph, color, seed, turn)
    return as_coloring(color, graph, bound)


def _pass_over_classes(graph: Graph, color: Any, seed: int, turn: int) -> Any:
    """A greedy pass over the classes in another order."""
    sizes = np.bincount(color)
    drawn = uniform(seed, turn)
    if drawn < _REVERSED:
        rank = np.arange(len(sizes))[::-1]
    elif drawn < _BY_SIZE:
        rank = np.argsort(np.argsort(-sizes, kind="stable"))
    else:
        rank = np.argsort(np.argsort(uniform(seed, turn, np.arange(len(sizes)))))
    return color_listed(graph, stable_order(rank[color]).astype(graph.id_dtype))
