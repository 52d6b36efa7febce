"""Formulas of the similarity measures: the term of a common neighbor, and the normalization.

A measure is both / whole. ``both`` is a sum over the common neighbors w of u and v. ``whole``
depends on the sizes of u and v. With weights a(u, w):

    measure              a common neighbor adds     size of u      whole
    jaccard              min(a(u, w), a(v, w))      sum a(u, w)    size u + size v - both
    overlap              min(a(u, w), a(v, w))      sum a(u, w)    min(size u, size v)
    cosine               a(u, w) a(v, w)            sum a(u, w)^2  sqrt(size u) sqrt(size v)
    adamic_adar          1 / log(neighbors of w)                   1
    resource_allocation  1 / (neighbors of w)                      1
    common_neighbors     1                                         1

Without weights all a are 1: a size is a degree, and ``both`` is a count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import balanced
from edgewise.graph.edges import Arcs
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.weight_columns import is_own
from edgewise.operators import ADD, reduce_neighbors

__all__ = ["MEASURES", "WORTH", "Ground", "grounds", "score", "worth_of"]

#: The whole, by what two vertices share and by the sizes of both.
MEASURES: dict[str, Any] = {
    "jaccard": lambda both, a, b: a + b - both,
    "overlap": lambda both, a, b: np.minimum(a, b),
    "cosine": lambda both, a, b: np.sqrt(a) * np.sqrt(b),
    "adamic_adar": None,
    "resource_allocation": None,
    "common_neighbors": None,
}

#: What a common neighbor adds, by how many vertices have it as their neighbor.
WORTH: dict[str, Any] = {
    "adamic_adar": lambda degrees: (degrees > 1) / np.log(np.maximum(degrees, 2)),
    "resource_allocation": lambda degrees: 1 / np.maximum(degrees, 1),
}


class Ground(NamedTuple):
    """What pairs of vertices are measured on."""

    rows: Any  # the graph without self-loops
    weighted: bool
    size: Any  # float64 over vertices


def grounds(graph: AnyGraph, measure: str, weights: Any) -> Ground:
    """The graph without self-loops, and the size of every vertex; weights are checked."""
    weights, amounts, _ = balanced(graph, weights)
    if amounts is not None and not is_own(weights):
        graph = graph.with_weights(Arcs(amounts))
    rows = graph.without_self_loops()
    if amounts is None or MEASURES[measure] is None:
        return Ground(rows, False, rows.row_lengths().astype(np.float64))
    message = _square if measure == "cosine" else _amount
    size = reduce_neighbors(rows, None, message, rows.full(0.0), reduce=ADD, mode="out")
    return Ground(rows, True, size)


def score(xp: Any, measure: str, both: Any, a: Any, b: Any) -> Any:
    """Arrays of ``both``, and of the sizes of the two, as similarities; 0 where nothing is."""
    whole = MEASURES[measure]
    if whole is None:
        return both
    found = whole(both, a, b)
    return both / xp.where(found > 0, found, 1.0)


def worth_of(rows: Any, measure: str) -> Any:
    """What every vertex adds as a common neighbor."""
    return WORTH[measure](rows.column_lengths())


def _amount(weight):
    return weight


def _square(weight):
    return weight * 1.0 * weight
