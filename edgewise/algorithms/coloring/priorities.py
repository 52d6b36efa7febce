"""Orders for coloring many vertices at once, as positions: by degree, or by removal in rounds.

Approximate degeneracy [1]: in every round, all vertices whose degree among those that are left is
at most the average are removed. The vertices of one round follow by that degree. O(n + m) work in
O(log n) rounds on common graphs.

[1] M. Besta, A. Carigiet, K. Janda et al. High-performance parallel graph coloring with strong
    guarantees on work, depth, and quality. SC 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.random import bits, check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, filter, reduce_all
from edgewise.operators.sorting import places_by

__all__ = ["PRIORITIES", "by_priority"]


def by_priority(graph: AnyGraph, priority: str, seed: int) -> Any:
    """Return the position of each vertex: highest priority first, then by a hash of the seed.

    >>> from edgewise.generators import star
    >>> int(by_priority(star(4), "largest_first", 0)[0])
    0
    """
    degrees = 2 * graph.row_lengths() - graph.degrees()  # without loops
    drawn = bits(check_seed(seed), graph.vertex_ids())
    return places_by(graph, [drawn, *PRIORITIES[priority](graph, degrees)])


def _random(graph: AnyGraph, degrees: Any) -> list[Any]:
    return []


def _largest_first(graph: AnyGraph, degrees: Any) -> list[Any]:
    return [-degrees]


def _largest_log_first(graph: AnyGraph, degrees: Any) -> list[Any]:
    length = graph.full(0, np.int64)
    compute(graph, None, _count_digits, (degrees, length))
    return [-length]


def _approximate_degeneracy(graph: AnyGraph, degrees: Any) -> list[Any]:
    """The degree at removal, and the round. left[v] is -1 from then on."""
    left, removed = degrees.astype(np.int64), (graph.full(0, np.int64), graph.full(0, np.int64))
    turn, waiting = 0, filter(graph, None, _is_left, left)
    while not waiting.empty():
        total = int(reduce_all(graph, left, reduce=ADD, frontier=waiting))
        taken = filter(graph, waiting, _at_most_average, (left, len(waiting), total))
        compute(graph, taken, _remove, (left, *removed, turn))
        advance(graph, taken, _one_less, left, reduce=ADD, where=_has_neighbors)
        waiting, turn = filter(graph, waiting, _is_left, left), turn + 1
    return [-removed[0], -removed[1]]


PRIORITIES = {
    "approximate_degeneracy": _approximate_degeneracy,
    "largest_log_first": _largest_log_first,
    "largest_first": _largest_first,
    "random": _random,
}


def _count_digits(v, degrees, length):
    rest = degrees[v]
    while rest > 0:
        length[v] += 1
        rest >>= 1


def _is_left(v, left):
    return left[v] >= 0


def _at_most_average(v, left, count, total):
    return left[v] * count <= total


def _remove(v, left, degree, turns, turn):
    degree[v], turns[v], left[v] = left[v], turn, -1


def _one_less():
    return -1


def _has_neighbors(value):
    return value > 0
