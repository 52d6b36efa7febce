"""Orders for coloring many vertices at once, as positions: by degree, or by removal in rounds.

Approximate degeneracy [1]: in every round, all vertices whose degree among those that are left is
at most 9/8 of the average are removed. The vertices of one round follow by that degree. At least a
ninth of the vertices is removed in each round: O(n + m) work in O(log n) rounds. A few CPU threads
leave the rounds to one of them.

[1] M. Besta, A. Carigiet, K. Janda et al. High-performance parallel graph coloring with strong
    guarantees on work, depth, and quality. SC 2020.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.random import bits, check_seed
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, advance, compute, filter, reduce_all
from edgewise.operators.sequential import going, sequential, sequential_or
from edgewise.operators.sorting import places_by

__all__ = ["FEW_THREADS", "PRIORITIES", "by_priority"]

#: Up to so many threads, one alone is faster than all of them in rounds.
FEW_THREADS = 8
#: Vertices of at most this multiple of the average degree are removed in one round. Without a
#: margin, meshes take hundreds of rounds: decision 28.
_NUMERATOR, _DENOMINATOR = 9, 8


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
    sequential_or(graph, _remove_alone, _remove_in_rounds, left, *removed, team=FEW_THREADS)
    return [-removed[0], -removed[1]]


def _remove_in_rounds(graph: AnyGraph, left: Any, degree: Any, turns: Any) -> None:
    turn, waiting = 0, filter(graph, None, _is_left, left)
    while not waiting.empty():
        total = int(reduce_all(graph, left, reduce=ADD, frontier=waiting))
        limit = _NUMERATOR * total // (_DENOMINATOR * len(waiting))
        taken = filter(graph, waiting, _at_most, (left, limit))
        compute(graph, taken, _remove, (left, degree, turns, turn))
        advance(graph, taken, _one_less, left, reduce=ADD, where=_has_neighbors)
        waiting, turn = filter(graph, waiting, _is_left, left), turn + 1


def _remove_alone(graph: Graph, left: Any, degree: Any, turns: Any) -> None:
    n, ids = len(left), graph.id_dtype
    lists = np.arange(n, dtype=ids), np.empty(n, ids)
    state = (graph.indptr, graph.indices, left, degree, turns, *lists)
    sequential(_remove_all, state, steps=n, work=n + graph.num_arcs, phase="degeneracy")


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


def _at_most(v, left, limit):
    return left[v] <= limit


def _remove(v, left, degree, turns, turn):
    degree[v], turns[v], left[v] = left[v], turn, -1


def _one_less():
    return -1


def _has_neighbors(value):
    return value > 0


def _remove_all(control, indptr, indices, left, degree, turns, waiting, taken):
    """``total`` is the sum of the degrees of those that are left: the first ``count`` waiting."""
    total, count, turn, done = np.int64(0), len(left), 0, 0
    for v in range(count):
        total += left[v]
    while count > 0:
        limit = _NUMERATOR * total // (_DENOMINATOR * count)
        kept, gone = 0, 0
        for i in range(count):
            v = waiting[i]
            if left[v] <= limit:
                taken[gone] = v
                degree[v], turns[v] = left[v], turn
                total -= left[v]
                left[v] = -1
                gone += 1
            else:
                waiting[kept] = v
                kept += 1
        for i in range(gone):
            v = taken[i]
            for e in range(indptr[v], indptr[v + 1]):
                if left[indices[e]] > 0:
                    left[indices[e]] -= 1
                    total -= 1
            done += 1
            if done % 4096 == 0 and not going(control, done):
                return
        count, turn = kept, turn + 1
