"""Totals of a row by label, for the fused kernels `moving_in_rounds` and `groups_inside`.

Each thread has an array with one place for every label, and lists the places in use, as in
`settle`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import compare_and_swap, load, prefetch
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.gather import longest_row
from edgewise.operators.cpu.state import frozen

__all__ = [
    "AHEAD",
    "CHUNK",
    "MANY",
    "add_to",
    "add_up",
    "ask",
    "both",
    "new_totals",
    "rows_of",
]

#: Vertices that a thread takes at a time.
CHUNK = 256
#: Totals that threads may have for each arc and vertex.
_SPARE = 4
#: Neighbors of a vertex that are asked for ahead.
AHEAD = np.uint64(16)
#: Fewer vertices than this are in a near cache anyway.
MANY = 1 << 15


def rows_of(graph: Any) -> tuple:
    """The graph's rows as kernels take them: no weights are an empty array, each of them 1."""
    weights = np.empty(0, np.int64) if graph.weights is None else graph.weights
    return frozen((unsigned(graph.indptr), unsigned(graph.indices), weights))


def both(masses: tuple, sums: tuple) -> tuple[tuple, tuple]:
    """Masses and sums as kernels take them: two of each, alike if there is but one."""
    return frozen((masses[0], masses[-1])), (sums[0], sums[-1])


def new_totals(graph: Any, team: int) -> tuple[np.ndarray, ...] | None:
    """For each thread a total for every community, all 0, room to list those in use, and a queue.

    None if so many threads would need far more memory than the graph.
    """
    n, kind = graph.num_vertices, unsigned(graph.indices).dtype
    if n * team > _SPARE * (graph.num_arcs + n):
        return None
    longest = longest_row(graph, "out", graph.indptr)
    met, queue = np.empty((team, longest + 1), kind), np.empty((team, CHUNK + 1), kind)
    return np.zeros((team, n)), met, queue


@inlined
def ask(queue, i, size, rows, where, sums, table):
    """Ask for what will be read of the next ones in turn: it is all over the memory."""
    indptr, indices, _ = rows
    if i + 8 < size:
        prefetch(indices, indptr[queue[i + 8]])
    if i + 4 < size:
        low, high = indptr[queue[i + 4]], indptr[queue[i + 4] + 1]
        for e in range(low, min(high, low + AHEAD)):
            prefetch(where[0], indices[e])
    if i + 2 < size:
        low, high = indptr[queue[i + 2]], indptr[queue[i + 2] + 1]
        for e in range(low, min(high, low + AHEAD)):
            c = where[0][indices[e]]
            prefetch(table[0], c)
            prefetch(sums[0], c)


@inlined
def add_up(low, high, rows, label, table):
    """The weights of some edges by the communities of their ends; how many these are."""
    (_, indices, weights), (totals, met) = rows, table
    count, plain = 0, len(weights) == 0
    for e in range(low, high):
        c = label[indices[e]]
        total = totals[c]
        met[count] = c
        count += total == 0
        totals[c] = total + (1 if plain else weights[e])
    return count


@inner
def add_to(sums, c, mass):
    """Add atomically."""
    old = load(sums, c)
    while True:
        done, old = compare_and_swap(sums, c, old, old + mass)
        if done:
            return
