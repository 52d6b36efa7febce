"""The passes of `edgewise.algorithms.communities.rounds` on CPU threads, in one kernel a level.

The vertices of a part look, all at what there was before it, and note where they would go; then all
threads meet, and those that gain go. Weights are added up as in `settle`. The result is that
of the operators: what is written while others read is read by nobody before all have met.

Pays for: row louvain, deterministic of ``python -m benchmarks communities``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import barrier, grab, rewind
from edgewise.base.threads import get_threads, launch
from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.label_totals import (
    CHUNK,
    MANY,
    add_to,
    add_up,
    ask,
    both,
    new_totals,
    rows_of,
)
from edgewise.operators.cpu.settle import part_of

__all__ = ["moving_in_rounds"]


def moving_in_rounds(
    graph: Graph, masses: tuple, at: Any, restless: Any, how: tuple, gained: Any
) -> bool:
    """See `edgewise.operators.engines.fused`: what every pass gained is in ``gained``.

    ``how`` are the scale, the rate, the unit and the tolerance of gains, and the number of parts
    with a key for each pass to draw them by.
    """
    n, team = graph.num_vertices, get_threads()
    tables = new_totals(graph, team)
    if tables is None:
        return False
    noted = unsigned(at.label).copy(), np.zeros(-(-n // CHUNK)), np.zeros(2, np.int64)
    launch(pass_in_rounds, rows_of(graph), (unsigned(at.label), restless), *both(masses, at.sums),
           len(masses) == 2, *how, tables, noted, gained,
           work=graph.num_arcs + n, team=team)  # fmt: skip
    return True


@kernel(borrows=True)
def pass_in_rounds(
    me, team, control, rows, where, masses, sums, directed, numbers, how, tables, noted, gained
):
    """Pass after pass, until one adds little; ``noted[0]`` is where each vertex would go."""
    table, queue = (tables[0][me], tables[1][me]), tables[2][me]
    (label, restless), (parts, keys), (target, gains, moves) = where, how, noted
    (scale, rate, unit, tol), n, slot = numbers, len(label), 0
    for turn in range(len(keys)):
        gain = 0.0
        for part in range(parts):
            while True:
                low, high = grab(control, slot, CHUNK, n)
                if low == high:
                    break
                size, found = 0, 0.0
                for v in range(low, high):
                    if restless[v] > 0:
                        queue[size] = v
                        size += part_of(v, keys[turn], parts) == part
                for i in range(size):
                    if n >= MANY:
                        ask(queue, i, size, rows, where, sums, table)
                    v = np.int64(queue[i])
                    restless[v] = 0
                    target[v], most = _choose(
                        v, rows, label, masses, sums, directed, scale, rate, table
                    )
                    found += most
                gains[low // CHUNK] = found
            if not barrier(control, team):
                return
            slot = (slot + 1) % 3
            if me == 0:  # nobody is there any more, or yet
                rewind(control, (slot + 1) % 3)
            some = False
            while True:
                low, high = grab(control, slot, CHUNK, n)
                if low == high:
                    break
                for v in range(low, high):
                    if target[v] != label[v]:
                        _go(v, target[v], rows, where, masses, sums, directed)
                        some = True
            if some:
                moves[0] = turn + 1
            for i in range(len(gains)):  # always in the same order: a sum for any team
                gain += gains[i]
            if not barrier(control, team):
                return
            slot = (slot + 1) % 3
            if me == 0:
                rewind(control, (slot + 1) % 3)
        if me == 0:
            gained[turn] = gain * unit
        if moves[0] != turn + 1 or gain * unit <= tol:
            return


@inner
def _choose(v, rows, label, masses, sums, directed, scale, rate, table):
    """Where v gains most, and how much: its own community and 0 if nowhere."""
    (indptr, _, _), (totals, met) = rows, table
    home = label[v]
    count = add_up(indptr[v], indptr[v + 1], rows, label, table)
    out, into = masses[0][v], masses[1][v]
    staying = totals[home]
    if directed:
        fixed = out * (into - sums[1][home]) + into * (out - sums[0][home])
    else:
        fixed = out * (out - sums[0][home])
    best, most = home, 0.0
    for i in range(count):
        c = met[i]
        if directed:
            expected = out * sums[1][c] + into * sums[0][c] + fixed
        else:
            expected = out * sums[0][c] + fixed
        gain = scale * (totals[c] - staying) - rate * expected
        totals[c] = 0
        better = (c != home) & ((gain > most) | ((gain == most) & (c < best) & (best != home)))
        best, most = c if better else best, gain if better else most
    return best, most


@inner
def _go(v, c, rows, where, masses, sums, directed):
    """Let v go to c; all its neighbors have to look again."""
    (indptr, indices, _), (label, restless) = rows, where
    for way in range(2 if directed else 1):
        add_to(sums[way], label[v], -masses[way][v])
        add_to(sums[way], c, masses[way][v])
    label[v] = c
    for e in range(indptr[v], indptr[v + 1]):
        if restless[indices[e]] == 0:
            restless[indices[e]] = 1
