"""The schedule of local moving: the vertices in parts that move one after the other.

A hash divides the vertices, so that a part contains few adjacent vertices. Or the parts are the
classes of a coloring, which contain none.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.random import uniform
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ANY, compute, filter, frontier, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["colored", "count_looks", "still_looking"]

_uniform = inner(uniform)


def colored(graph: AnyGraph, seed: int) -> list[Any]:
    """The classes of a greedy coloring: all take the least color that no neighbor has, at once.

    Where two neighbors took the same, the one of lower rank (by degree, then drawn) tries again.
    """
    rank, ids = graph.row_lengths() * 1.0, graph.vertex_ids()
    compute(graph, None, _draw_rank, (rank, ids, seed))
    color, taken, outranked = graph.full(-1), graph.full(-1), graph.full(False)
    waiting = frontier(graph)
    while not waiting.empty():
        reduce_neighbors(graph, waiting, None, color, key=color, choose="absent",
                         out=(taken, None))  # fmt: skip
        compute(graph, waiting, _copy, (color, taken))
        reduce_neighbors(graph, waiting, _is_outranked, (color, rank), reduce=ANY, out=outranked)
        waiting = filter(graph, waiting, _lost, outranked)
    count = int(color.max()) + 1 if graph.num_vertices else 0
    return [filter(graph, None, _has_color, (color, one)) for one in range(count)]


def still_looking(
    graph: AnyGraph, looking: Any, idle: Any, alpha: float, seed: int, turn: int
) -> Any:
    """Members that look, each with probability (1 - alpha)^k after k looks without a move."""
    ids = graph.vertex_ids()
    return filter(graph, looking, _looks, (ids, idle, 1.0 - alpha, seed, turn))


def count_looks(v, idle, label, before):
    """How often v has looked without a move since it last moved."""
    idle[v] = 0 if label[v] != before[v] else idle[v] + 1


def _draw_rank(v, rank, ids, seed):
    rank[v] += _uniform(seed, ids[v])


def _copy(v, color, taken):
    color[v] = taken[v]


def _is_outranked(value, own):
    return value[0] == own[0] and value[1] > own[1]


def _lost(v, outranked):
    return outranked[v]


def _has_color(v, color, one):
    return color[v] == one


def _looks(v, ids, idle, rate, seed, turn):
    return _uniform(seed, ids[v], turn) < rate ** idle[v]
