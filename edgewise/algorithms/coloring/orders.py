"""Vertex orders by name, as positions: those of ColPack [1].

[1] A. Gebremedhin, D. Nguyen, M. Patwary, A. Pothen. ColPack: software for graph coloring and
    related problems in scientific computing. ACM TOMS 2013.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ordering.bucket_order import BUCKET_ORDERS, remove_all
from edgewise.algorithms.ordering.places import check_places
from edgewise.algorithms.ordering.random_order import random_order
from edgewise.base.checks import check_choice
from edgewise.base.random import check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sorting import places_by, to_places

__all__ = ["ORDERS", "positions_for"]

#: The names that ``order`` takes.
ORDERS = ("natural", "largest_first", "random", *BUCKET_ORDERS)


def positions_for(graph: AnyGraph, order: Any, seed: int = 0) -> Any:
    """Return the position of each vertex in an order, where the graph has its arrays.

    ``order`` is one of `ORDERS`, or an array of positions, which is checked. The graph is
    undirected. Its loops are ignored. Orders of `BUCKET_ORDERS` are found on one CPU thread, and
    not for graphs on a grid. The others exist on every engine.

    >>> from edgewise.generators import star
    >>> [positions_for(star(3), order).tolist() for order in ("natural", "smallest_last")]
    [[0, 1, 2, 3], [1, 3, 2, 0]]
    """
    check_seed(seed)
    if not isinstance(order, str):
        return check_places(graph, order)
    check_choice(order, "order", ORDERS)
    if order == "natural":
        return check_places(graph, None)
    if order == "random":
        return random_order(graph, seed=seed)
    if order == "largest_first":
        return places_by(graph, [graph.degrees() - 2 * graph.row_lengths()])  # without loops
    return to_places(graph, graph.xp.asarray(remove_all(graph, order).vertices))
