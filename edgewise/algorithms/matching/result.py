"""The results of matchings and edge covers, and the checks of their weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partition import shown
from edgewise.algorithms.weighting import edge_weights, refuse, total
from edgewise.base.checks import check_undirected
from edgewise.base.once import once
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, filter, reduce_all, reduce_neighbors
from edgewise.operators.engines import by_rows_or
from edgewise.operators.helpers import find_edge

__all__ = ["BoundedMatching", "Matching", "Selection", "finite_weights", "matched", "mate_weights",
           "shown_result"]  # fmt: skip


class Matching(NamedTuple):
    """A matching: the mate of each vertex, the total weight, and the number of edges.

    Attributes
    ----------
    mate : array of int over vertices
        The vertex that each vertex is matched with, or -1 if it is unmatched.
    weight : float
        The total weight of the matched edges.
    cardinality : int
        The number of matched edges.
    """

    mate: Any
    weight: float
    cardinality: int

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"mate": "vertices"}

    def __repr__(self) -> str:
        return shown_result(self, self.mate)


class BoundedMatching(NamedTuple):
    """A matching with an upper bound on the weight of any matching of the graph.

    Attributes
    ----------
    mate : array of int over vertices
        The vertex that each vertex is matched with, or -1 if it is unmatched.
    weight : float
        The total weight of the matched edges.
    cardinality : int
        The number of matched edges.
    upper_bound : float
        No matching of the graph is heavier, up to rounding.
    """

    mate: Any
    weight: float
    cardinality: int
    upper_bound: float

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"mate": "vertices"}

    def __repr__(self) -> str:
        return shown_result(self, self.mate)


class Selection(NamedTuple):
    """The edges of a b-matching or an edge cover, their total weight, and their number.

    Attributes
    ----------
    edges : array of int
        The indices of the chosen edges in ``graph.edges()``, in ascending order.
    weight : float
        The total weight of the chosen edges.
    cardinality : int
        The number of chosen edges.
    """

    edges: Any
    weight: float
    cardinality: int

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"edges": "edges"}

    def __repr__(self) -> str:
        return shown_result(self, self.edges)


def shown_result(found: Any, array: Any) -> str:
    """The name, the numbers, and below them the array's start.

    >>> Matching(np.array([1, 0, -1]), 2.5, 1)
    Matching(weight=2.5, cardinality=1)
    [ 1  0 -1]
    """
    numbers = ", ".join(f"{name}={value!r}" for name, value in found._asdict().items()
                        if not np.ndim(value))  # fmt: skip
    return f"{type(found).__name__}({numbers})\n{shown(array)}"


def finite_weights(graph: AnyGraph, weights: Any, name: str) -> Any:
    """The weights of an undirected graph, None where all are one; an error that names a bad edge.

    A column of the graph is looked through once.
    """
    check_undirected(graph, name)
    found = edge_weights(graph, weights)
    if found is None or (found.dtype.kind != "f" and isinstance(weights, str)):
        return found
    if isinstance(weights, str):
        once(graph, f"finite weights, {weights}", lambda: _check_finite(graph, found))
        return found
    _check_finite(graph, found)
    return found


def _check_finite(graph: AnyGraph, weights: Any) -> None:
    if weights.dtype.kind == "f" and not np.isfinite(total(weights)):
        wrong = ~graph.xp.isfinite(weights)
        if wrong.any():
            refuse(graph, weights, wrong, "be finite", "-")


def matched(graph: AnyGraph, mate: Any, weights: Any) -> Matching:
    """The result for ``mate``; ``weights`` as the caller was given them."""
    cardinality = int((mate >= 0).sum()) // 2
    found = edge_weights(graph, weights)
    if found is None:
        return Matching(mate, float(cardinality), cardinality)
    weight = by_rows_or(graph, _weight_by_rows, _weight_by_mates)(graph, mate, found, weights)
    return Matching(mate, weight, cardinality)


def _weight_by_rows(graph: AnyGraph, mate: Any, found: Any, weights: Any) -> Any:
    """The weight of all matched edges, each looked up in a row."""
    if getattr(graph, "is_compressed", False):  # it would be unpacked for a few of its arcs
        return _weight_by_mates(graph, mate, found, weights)
    rows = (mate, graph.indptr, graph.indices, found)
    return reduce_all(graph, rows, reduce=ADD, function=_paid)


def _weight_by_mates(graph: AnyGraph, mate: Any, found: Any, weights: Any) -> Any:
    """The same by what the mate of each pair's smaller end sends."""
    ids = graph.vertex_ids()
    first = filter(graph, None, _comes_first, (mate, ids))
    worth = mate_weights(graph, mate, weights, first)
    return reduce_all(graph, worth, reduce=ADD, frontier=first)


def mate_weights(graph: AnyGraph, mate: Any, weights: Any, members: Any = None) -> Any:
    """The weight of every member's matched edge, in float64; -inf where there is none."""
    return reduce_neighbors(
        graph, members, _worth, mate, reduce=MAX, mode="out", weights=weights, dtype=np.float64
    )


def _worth(weight, source, own):
    return np.float64(weight) if source == own else -np.inf


def _comes_first(v, mate, ids):
    return mate[v] > ids[v]


def _paid(v, mate, indptr, indices, weights):
    """The weight of the edge between v and its mate, 0 at its greater end."""
    other = np.int64(mate[v])
    if other <= v:
        return 0.0
    at = find_edge(indptr, indices, v, other)
    best = np.float64(weights[at])
    while at + 1 < indptr[v + 1] and indices[at + 1] == other:  # the heaviest of parallel edges
        at += 1
        best = max(best, np.float64(weights[at]))
    return best
