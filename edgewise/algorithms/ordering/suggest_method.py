"""A recommended order for a graph, from cheap statistics.

The rules come from a study: `python -m benchmarks ordering` measured the orders on graphs of many
kinds (docs/guides/ordering.md). The degrees show whether a few vertices have most edges. A sample
of arcs shows whether the present order is close to random. One search shows whether the diameter is
large, as in meshes and road networks. A sample of neighbor pairs shows whether there are
communities.
"""

from __future__ import annotations

import math

import numpy as np

from edgewise.algorithms.ordering.degree_order import total_degrees
from edgewise.algorithms.traversal.bfs import bfs
from edgewise.base.checks import check_one_device
from edgewise.base.random import integer, uniform
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import are_joined
from edgewise.operators.engines import cached_values

__all__ = ["clustering", "nearness", "suggest_method"]

#: Lines touched as a share of those in a random order: below this the order is left alone.
_NEAR = 0.3
#: Arcs in a row, and how many such stretches are looked at; values in a cache line.
_STRETCH, _STRETCHES, _PER_LINE = 4096, 64, 8
#: Vertices of which two neighbors are looked at.
_SAMPLE = 1 << 14
#: A graph is long if a search goes deeper than so many times what is usual in a random graph.
_LONG = 8.0
#: Degrees are skewed if they deviate from their mean by more than so many times that mean.
_SKEWED = 1.0
#: There are communities if so many more neighbors know each other than by chance.
_CLUSTERED = 0.05


@takes_graph
def suggest_method(graph: LocalGraphLike) -> str:
    """Return the name of the order that `reorder` uses for "auto".

    Parameters
    ----------
    graph : Graph
        Directed or undirected.

    Returns
    -------
    str
        The name of an order. "natural" means that no order helps: the graph is small, well ordered,
        or has no structure to use.

    See Also
    --------
    reorder : Applies an order by its name.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> suggest_method(grid_2d(30, 30))
    'natural'
    """
    check_one_device(graph, "suggest_method")
    if graph.num_vertices <= cached_values(graph) or graph.num_arcs == 0:
        return "natural"
    degrees = total_degrees(graph).astype(np.float64)
    if float(degrees.std()) > _SKEWED * float(degrees.mean()):
        return "degree"
    if nearness(graph) < _NEAR:
        return "natural"
    if _is_long(graph):
        return "reverse_cuthill_mckee"
    return "rabbit" if clustering(graph) > _CLUSTERED else "natural"


def nearness(graph: AnyGraph) -> float:
    """Cache lines that stretches of arcs touch, as a share of what chance would give, by sample.

    The d different neighbors in a stretch touch L (1 - (1 - 1/L)^d) of L lines in a random order.
    """
    xp, length = graph.xp, min(_STRETCH, graph.num_arcs)
    begin = xp.asarray(integer(graph.num_arcs - length + 1, 0, np.arange(_STRETCHES)))
    met = xp.sort(graph.indices[begin[:, None] + xp.arange(length)], axis=1)
    lines = graph.num_vertices / _PER_LINE
    different = 1 + (met[:, 1:] != met[:, :-1]).sum(axis=1)
    chance = lines * (1 - (1 - 1 / max(lines, 2)) ** different.astype(np.float64))
    met = met // _PER_LINE
    touched = 1 + (met[:, 1:] != met[:, :-1]).sum(axis=1)
    return float(touched.sum()) / max(float(chance.sum()), 1.0)


def clustering(graph: AnyGraph) -> float:
    """How many more pairs of a vertex's neighbors are joined than degrees alone explain, by sample.

    Two vertices of degrees a and b are joined by chance with probability a b / m, m being the
    number of arcs: all that hubs have in common in an R-MAT graph.
    """
    xp, n = graph.xp, graph.num_vertices
    drawn = xp.asarray(integer(n, 1, np.arange(_SAMPLE)))
    degrees = xp.diff(graph.indptr)
    drawn = drawn[degrees[drawn] >= 2]
    if len(drawn) == 0:
        return 0.0
    count = degrees[drawn]
    shares = [xp.asarray(uniform(turn, np.arange(len(drawn)))) for turn in (2, 3)]
    first = (shares[0] * count).astype(np.int64)
    second = (shares[1] * (count - 1)).astype(np.int64)
    second += second >= first  # two different ones
    u, v = (graph.indices[graph.indptr[drawn] + at].astype(np.int64) for at in (first, second))
    chance = xp.minimum(degrees[u].astype(np.float64) * degrees[v] / graph.num_arcs, 1)
    return float(are_joined(graph, u, v).mean()) - float(chance.mean())


def _is_long(graph: AnyGraph) -> bool:
    """Does a search from a vertex of most edges go far?"""
    start = int(graph.row_lengths().argmax())
    distance = bfs(graph, start).distance
    reached = distance < np.iinfo(np.int32).max
    usual = math.log(graph.num_vertices) / math.log(2 + graph.num_arcs / graph.num_vertices)
    return int(distance[reached].max()) > _LONG * usual
