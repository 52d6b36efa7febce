"""Which order to use, from facts that are cheap to know; what they say is from a study.

`python -m benchmarks ordering` measured the orders on graphs of many kinds (docs/ordering.md). A
sample of gaps tells whether the present order is near a random one; degrees whether some vertices
have most edges; one search whether the graph is long, as meshes and roads are, or a small world.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.ordering.degree import total_degrees
from edgewise.algorithms.traversal.bfs import bfs
from edgewise.base.checks import check_one_device
from edgewise.base.random import integer
from edgewise.graph.foreign import takes_graph

__all__ = ["suggest"]

#: Values of so few vertices stay in the cache in any order.
_SMALL = 1 << 17
#: Gaps as a share of those of a random order: below this the present order is left alone.
_NEAR = 0.6
#: Arcs that are looked at for that.
_SAMPLE = 1 << 16
#: Degrees are skewed if they deviate from their mean by more than so many times that mean.
_SKEWED = 1.0
#: A graph is long if a search goes deeper than so many times that of a random graph.
_LONG = 3.0


@takes_graph
def suggest(graph: Any) -> str:
    """The name of the order that `arrange` takes for "auto".

    Parameters
    ----------
    graph : Graph

    Returns
    -------
    str
        "natural" if nothing is to be gained: the graph is small, or stored well already, or without
        any structure to use.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> suggest(grid_2d(30, 30))
    'natural'
    """
    check_one_device(graph, "suggest")
    n = graph.num_vertices
    if n <= _SMALL or graph.num_arcs == 0 or nearness(graph) < _NEAR:
        return "natural"
    if _is_long(graph):
        return "reverse_cuthill_mckee"
    degrees = total_degrees(graph).astype(np.float64)
    if float(degrees.std()) < _SKEWED * float(degrees.mean()):
        return "natural"
    return "rabbit" if "ordering.rabbit" in ALGORITHMS else "hub_sort"


def nearness(graph: Any) -> float:
    """Gaps (their logarithms) in the present order as a share of those that chance would give.

    In a random order the d neighbors of a vertex are n / (d + 1) apart on average, and the
    logarithm of a gap is less than that of the average by Euler's constant.
    """
    xp, n = graph.xp, graph.num_vertices
    edge = xp.asarray(integer(graph.num_arcs, 0, np.arange(_SAMPLE)))
    row = xp.searchsorted(graph.indptr, edge, side="right") - 1
    inside = edge + 1 < graph.indptr[row + 1]
    edge, row = edge[inside], row[inside]
    if len(edge) == 0:
        return 1.0
    gap = graph.indices[edge + 1].astype(np.float64) - graph.indices[edge]
    degree = (graph.indptr[row + 1] - graph.indptr[row]).astype(np.float64)
    chance = xp.log2(n / (degree + 1)) - np.euler_gamma / math.log(2)
    return float(xp.log2(gap).sum()) / max(float(xp.maximum(chance, 0).sum()), 1.0)


def _is_long(graph: Any) -> bool:
    """Does a search from the vertex of most edges go far?"""
    start = int(graph.degrees().argmax())
    distance = bfs(graph, start).distance
    reached = distance < np.iinfo(np.int32).max
    typical = math.log(graph.num_vertices) / math.log(2 + graph.num_arcs / graph.num_vertices)
    return int(distance[reached].max()) > _LONG * typical
