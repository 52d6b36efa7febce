"""The groups of `edgewise.algorithms.communities.refining`, in place on CPU threads, in one kernel.

A vertex that is alone adds up its edges by group, as in `settle`, but of its own community
only. One number is drawn for it, and by that one of the groups: no noise is added to each.

Pays for: row leiden of ``python -m benchmarks communities``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, load, prefetch, store
from edgewise.base.cpu.random import uniform
from edgewise.base.cpu.team import barrier, grab, rewind
from edgewise.base.threads import get_threads, launch
from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.label_totals import (
    AHEAD,
    CHUNK,
    MANY,
    add_to,
    both,
    new_totals,
    rows_of,
)
from edgewise.operators.cpu.settle import part_of
from edgewise.operators.cpu.state import frozen

__all__ = ["groups_inside"]

#: In which the vertices look: one would go along with the ids, more than two gain no more.
_PARTS = 2
#: Who gains less than the best by so many theta has no chance: less than 2**-57.
_SPAN = 40.0


def groups_inside(
    graph: Graph, masses: tuple, label: Any, at: Any, count: Any, chance: tuple
) -> bool:
    """See `edgewise.operators.engines.fused`: joins groups; ``count`` says how many each has.

    ``chance`` are the rate, theta and the coin.
    """
    team = get_threads()
    tables = new_totals(graph, team)
    if tables is None:
        return False
    label = label.astype(graph.indices.dtype, copy=False)
    launch(join_all, rows_of(graph), frozen(unsigned(label)), unsigned(at.label), count,
           *both(masses, at.sums), len(masses) == 2, chance, _PARTS, tables,
           work=graph.num_arcs + graph.num_vertices, team=team)  # fmt: skip
    return True


@kernel(borrows=True)
def join_all(
    me, team, control, rows, label, group, count, masses, sums, directed, chance, parts, tables
):
    """Part after part of those alone."""
    table, queue, slot = (tables[0][me], tables[1][me]), tables[2][me], 0
    for part in range(parts):
        while True:
            low, high = grab(control, slot, CHUNK, len(label))
            if low == high:
                break
            size = 0
            for v in range(low, high):
                if count[v] == 1 and group[v] == v:
                    queue[size] = v
                    size += part_of(v, chance[2], parts) == part
            for i in range(size):
                if len(label) >= MANY:
                    _ask(queue, i, size, rows, label, group, table[0], sums[0])
                _join(queue[i], rows, label, group, count, masses, sums, directed, chance, table)
        if not barrier(control, team):
            return
        slot = (slot + 1) % 3
        if me == 0:  # nobody is there any more, or yet
            rewind(control, (slot + 1) % 3)


@inlined
def _ask(queue, i, size, rows, label, group, totals, sums):
    """Ask for what will be read of the next ones in turn."""
    indptr, indices, _ = rows
    if i + 8 < size:
        prefetch(indices, indptr[queue[i + 8]])
    if i + 4 < size:
        low, high = indptr[queue[i + 4]], indptr[queue[i + 4] + np.uint64(1)]
        for e in range(low, min(high, low + AHEAD)):
            prefetch(label, indices[e])
            prefetch(group, indices[e])
    if i + 2 < size:
        low, high = indptr[queue[i + 2]], indptr[queue[i + 2] + np.uint64(1)]
        for e in range(low, min(high, low + AHEAD)):
            prefetch(totals, group[indices[e]])
            prefetch(sums, group[indices[e]])


@inner
def _join(v, rows, label, group, count, masses, sums, directed, chance, table):
    """Let v, who is alone, join a group of its community that it is drawn to."""
    rate, theta, coin = chance
    (indptr, _, _), (totals, met) = rows, table
    found = _inside(indptr[v], indptr[v + np.uint64(1)], label[v], rows, label, group, table)
    most, last = 0.0, -1
    for i in range(found):
        c = met[i]
        gain = _gain(v, c, totals, masses, sums, directed, rate)
        totals[c] = gain
        last = i if gain >= most else last
        most = gain if gain > most else most
    if theta > 0 and last >= 0:
        last = _drawn(v, found, most, theta, coin, table)
    best = met[max(last, 0)]
    for i in range(found):
        totals[met[i]] = 0
    if last >= 0 and _joins(v, best, group, count):
        for way in range(2 if directed else 1):
            add_to(sums[way], v, -masses[way][v])
            add_to(sums[way], best, masses[way][v])


@inner
def _drawn(v, found, most, theta, coin, table):
    """One of the groups found, each with a chance of exp(gain / theta)."""
    totals, met = table
    chances = 0.0
    for i in range(found):
        short = most - totals[met[i]]
        if short == 0:
            chances += 1
        elif short < _SPAN * theta:
            chances += np.exp(-short / theta)
    left = chances * uniform(coin, np.uint64(v), np.uint64(1))
    last = -1
    for i in range(found):
        short = most - totals[met[i]]
        if short < _SPAN * theta and left >= 0:
            last = i
            left -= 1 if short == 0 else np.exp(-short / theta)
    return last


@inlined
def _inside(low, high, mine, rows, label, group, table):
    """The weights of the edges inside one's community, by group; how many these are."""
    (_, indices, weights), (totals, met) = rows, table
    found, plain = 0, len(weights) == 0
    for e in range(low, high):
        u = indices[e]
        c, inside = group[u], label[u] == mine
        total = totals[c]
        met[found] = c
        found += inside & (total == 0)
        weight = 1 if plain else weights[e]
        totals[c] = total + (weight if inside else 0)
    return found


@inlined
def _gain(v, c, totals, masses, sums, directed, rate):
    """What joining c gains, if anything joins them and it is no loss."""
    if directed:
        expected = rate * (masses[0][v] * sums[1][c] + masses[1][v] * sums[0][c])
    else:
        expected = rate * masses[0][v] * sums[0][c]
    gain = totals[c] - expected
    return gain if (totals[c] > 0) & (gain >= 0) else -np.inf


@inner
def _joins(v, c, group, count):
    """Leave one's own group, if still alone there, for another, if that still has somebody."""
    one, nobody = np.int32(1), np.int32(0)
    if not compare_and_swap(count, v, one, nobody)[0]:
        return False
    there = load(count, c)
    while there > 0:
        done, there = compare_and_swap(count, c, there, np.int32(there + 1))
        if done:
            group[v] = c
            return True
    store(count, v, one)
    return False
