"""The passes of `edgewise.algorithms.communities.moving` on CPU threads, in one kernel a level.

Each thread adds up a vertex's weights by community in an array of its own, with one place for every
community, and lists the places it has used: nothing is hashed. A vertex that moves wakes those of
its neighbors that are not where it goes. Between two passes the threads meet and add up what was
gained; a small level is passed over by one thread, without meeting anybody.

Pays for: rows louvain and leiden of ``python -m benchmarks communities``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, load, prefetch
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import barrier, grab, rewind
from edgewise.base.random import hashed
from edgewise.base.threads import launch, team_for
from edgewise.graph import Graph
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
    "local_moving",
    "new_totals",
    "part_of",
    "rows_of",
]

#: Vertices that a thread takes at a time; numbers between those that two threads write.
CHUNK, _APART = 256, 8
#: Totals that threads may have for each arc and vertex.
_SPARE = 4
#: Neighbors of a vertex that are asked for ahead.
AHEAD = np.uint64(16)
#: Fewer vertices than this are in a near cache anyway.
MANY = 1 << 15


def local_moving(
    graph: Graph, masses: tuple, at: Any, rules: Any, restless: Any, parts: int, gained: Any
) -> bool:
    """See `edgewise.operators.engines.fused`: moves on, and what was gained in ``gained[0]``.

    The first pass goes in so many parts, drawn by a hash.
    """
    work = graph.num_arcs + graph.num_vertices
    team = team_for(work, meetings=2)
    tables = new_totals(graph, team)
    if tables is None:
        return False
    key, gains = hashed(rules.seed, [graph.num_vertices])[0], np.zeros((2, team * _APART))
    numbers = (rules.scale, rules.rate, rules.unit, rules.tol)
    launch(pass_over, rows_of(graph), (unsigned(at.label), restless), *both(masses, at.sums),
           len(masses) == 2, numbers, (rules.passes, parts, key), tables, gains, gained,
           work=work, team=team)  # fmt: skip
    return True


def rows_of(graph: Graph) -> tuple:
    """The graph's rows as kernels take them: no weights are an empty array, each of them 1."""
    weights = np.empty(0, np.int64) if graph.weights is None else graph.weights
    return frozen((unsigned(graph.indptr), unsigned(graph.indices), weights))


def both(masses: tuple, sums: tuple) -> tuple[tuple, tuple]:
    """Masses and sums as kernels take them: two of each, alike if there is but one."""
    return frozen((masses[0], masses[-1])), (sums[0], sums[-1])


def new_totals(graph: Graph, team: int) -> tuple[np.ndarray, ...] | None:
    """For each thread a total for every community, all 0, room to list those in use, and a queue.

    None if so many threads would need far more memory than the graph.
    """
    n, kind = graph.num_vertices, unsigned(graph.indices).dtype
    if n * team > _SPARE * (graph.num_arcs + n):
        return None
    longest = longest_row(graph, "out", graph.indptr)
    met, queue = np.empty((team, longest + 1), kind), np.empty((team, CHUNK + 1), kind)
    return np.zeros((team, n)), met, queue


@kernel(borrows=True)
def pass_over(
    me, team, control, rows, where, masses, sums, directed, numbers, how, tables, gains, gained
):
    """Pass after pass, until one adds little."""
    table, queue = (tables[0][me], tables[1][me]), tables[2][me]
    restless, n = where[1], len(where[0])
    (scale, rate, unit, tol), (passes, parts, key) = numbers, how
    slot = 0
    for turn in range(passes):
        gain, count = 0.0, parts if turn == 0 else 1
        for part in range(count):
            while True:
                low, high = grab(control, slot, CHUNK, n)
                if low == high:
                    break
                size = 0
                for v in range(low, high):
                    if restless[v] != 0:
                        queue[size] = v
                        size += count == 1 or part_of(v, key, count) == part
                for i in range(size):
                    if n >= MANY:
                        ask(queue, i, size, rows, where, sums, table)
                    v = np.int64(queue[i])
                    gain += _look(v, rows, where, masses, sums, directed, scale, rate, table)
            gains[turn & 1, me * _APART] = gain
            if not barrier(control, team):
                return
            slot = (slot + 1) % 3
            if me == 0:  # nobody is there any more, or yet
                rewind(control, (slot + 1) % 3)
        gain = gains[turn & 1, ::_APART].sum() * unit
        if me == 0:
            gained[0] += gain
        if gain <= tol:
            return


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


@inner
def part_of(v, key, parts):
    """The part that v is drawn into."""
    return np.int64(mix(np.uint64(v) ^ key) >> np.uint64(33)) % parts


@inner
def _look(v, rows, where, masses, sums, directed, scale, rate, table):
    """Let v go where it gains most; how much it gains."""
    (indptr, indices, _), (label, restless), (totals, met) = rows, where, table
    low, high, home = indptr[v], indptr[v + 1], label[v]
    restless[v] = 0
    count = add_up(low, high, rows, label, table)
    out, staying, here = masses[0][v], totals[home], sums[0][home] - masses[0][v]
    best, most = home, 0.0
    for i in range(count):
        c = met[i]
        if directed:
            expected = out * (sums[1][c] - sums[1][home] + masses[1][v])
            expected += masses[1][v] * (sums[0][c] - here)
        else:
            expected = out * (sums[0][c] - here)
        gain = scale * (totals[c] - staying) - rate * expected
        totals[c] = 0
        better = (c != home) & ((gain > most) | ((gain == most) & (c < best) & (best != home)))
        best, most = c if better else best, gain if better else most
    if best == home:
        return 0.0
    label[v] = best
    add_to(sums[0], home, -out)
    add_to(sums[0], best, out)
    if directed:
        add_to(sums[1], home, -masses[1][v])
        add_to(sums[1], best, masses[1][v])
    for e in range(low, high):
        u = indices[e]
        if restless[u] == 0 and label[u] != best:
            restless[u] = 1
    return most


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
