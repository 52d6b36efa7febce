"""What matchings and edge covers come back as, and what they ask of weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import edge_weights, refuse, total
from edgewise.base.checks import check_undirected
from edgewise.base.once import once
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, filter, reduce_all, reduce_neighbors
from edgewise.operators.engines import by_rows_or
from edgewise.operators.helpers import find_edge

__all__ = ["BoundedMatching", "Matching", "Selection", "finite_weights", "mate_weights", "matched"]


class Matching(NamedTuple):
    """Mates, and what they are worth.

    ``mate[v]`` is the vertex that v is matched with, -1 if it is free; ``weight`` is the total
    weight of the matched edges and ``cardinality`` their number.
    """

    mate: Any
    weight: float
    cardinality: int

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"mate": "vertices"}


class BoundedMatching(NamedTuple):
    """A `Matching`, and ``bound``: no matching weighs more, but for rounding."""

    mate: Any
    weight: float
    cardinality: int
    bound: float

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"mate": "vertices"}


class Selection(NamedTuple):
    """Chosen edges, as a b-matching or an edge cover has them, and what they are worth.

    ``edges`` are the places of the chosen edges in the order of ``graph.edges()``, ascending;
    ``weight`` is their total weight and ``cardinality`` their number.
    """

    edges: Any
    weight: float
    cardinality: int

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"edges": "edges"}


def finite_weights(graph: AnyGraph, weights: Any, name: str) -> Any:
    """The weights of an undirected graph, None where all are one; an error that names a bad edge.

    The graph's own weights are looked through once.
    """
    check_undirected(graph, name)
    found = edge_weights(graph, weights)
    if found is None or (found.dtype.kind != "f" and weights is None):
        return found
    if weights is None:
        once(graph, "finite weights", lambda: _check_finite(graph, found))
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
        graph, members, _worth, mate, reduce=MAX, edges="out", weights=weights, dtype=np.float64
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
