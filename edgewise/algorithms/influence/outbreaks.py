"""Simulated outbreaks and their contents: the reached vertices, the edges used, and the times.

A diffusion model is a random choice of transmitting edges [1]. An outbreak is what the sources
reach along them. Edges are drawn when a search reaches them, each by a hash of (seed, outbreak,
edge). So an outbreak is the same for any number of threads. A search runs twice, first to count its
output. An outbreak costs the edges of the vertices that it reaches.

If a vertex is removed from an outbreak later, the choice of the other edges stays the same. So one
sample answers what any removal would have saved. With recovery, an edge transmits if its first
success comes before its source has recovered, both in steps since the source became infectious.

[1] D. Kempe, J. Kleinberg, E. Tardos. Maximizing the spread of influence through a social network.
    KDD 2003.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.laws import RECOVERING, Law, lot, share_of, span_of, steps_until
from edgewise.algorithms.scratch import cleared_scratch, give_back, place_of
from edgewise.base import random
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each

__all__ = ["MOST", "Outbreaks", "draw", "uniform_starts"]

#: The most outbreaks of one drawing.
MOST = 10_000_000
#: What hashes are for, beside those of `laws`.
_WAIT, _START = -3, -4


class Outbreaks(NamedTuple):
    """Outbreak i reaches ``vertices[rows[i]:rows[i + 1]]``, sources first.

    ``times`` has the step of each, or nothing. Place p of ``vertices`` passes on along
    ``edges[begin[p]:begin[p + 1]]``, to the places ``targets`` of the same outbreak, counted from
    its first; these three are empty where times were asked for.
    """

    rows: Any
    vertices: Any
    times: Any
    begin: Any
    targets: Any
    edges: Any

    @property
    def total(self) -> int:
        """How many outbreaks there are."""
        return len(self.rows) - 1


class _Search(NamedTuple):
    """The rows that outbreaks are searched in, and the ``width`` sources of each outbreak."""

    indptr: Any
    indices: Any
    num_vertices: int
    starts: Any
    width: int
    seed: Any
    timed: bool


def draw(graph: AnyGraph, law: Law, starts: Any, *, seed: Any, timed: bool = False) -> Outbreaks:
    """As many outbreaks as ``starts``, an array of outbreaks x sources, has rows.

    ``timed`` asks for the steps at which vertices are reached, instead of edges.
    """
    xp, count = graph.xp, len(starts)
    sizes, arcs = xp.zeros(count, np.int64), xp.zeros(count, np.int64)
    ids, small = xp.zeros(0, np.int64), xp.zeros(0, np.int32)
    search = _Search(graph.indptr, graph.indices, graph.num_vertices, starts.reshape(-1),
                     starts.shape[1], random.check_seed(seed), timed)  # fmt: skip
    _run(graph, law, search, arcs, Outbreaks(sizes, ids, small, ids, small, ids))
    rows, first = offsets(sizes), offsets(arcs)
    total, passed = int(rows[-1]), 0 if timed else int(first[-1])
    found = Outbreaks(
        rows, xp.empty(total, np.int64), xp.empty(total if timed else 0, np.int32),
        xp.full(0 if timed else total + 1, passed), xp.empty(passed, np.int32),
        xp.empty(passed, np.int64),
    )  # fmt: skip
    if total:
        _run(graph, law, search, first, found)
    return found


def uniform_starts(graph: AnyGraph, count: int, seed: Any, among: Any = None) -> Any:
    """One source for each of so many outbreaks, drawn from all vertices, or ``among`` some."""
    xp = graph.xp
    number = graph.num_vertices if among is None else len(among)
    drawn = xp.asarray(random.integer(number, seed, np.arange(count), _START))
    return (drawn if among is None else xp.asarray(among)[drawn]).reshape(count, 1)


def _run(graph: AnyGraph, law: Law, search: _Search, first: Any, found: Outbreaks) -> None:
    """Search all outbreaks; what they reach is counted, or written where ``found`` has a place."""
    count = len(search.starts) // max(search.width, 1)
    for low, high, scratch in cleared_scratch(graph, count, 4 * graph.num_vertices):
        state = (low, scratch, law, search, first, found)
        for_each(high - low, _outbreak, state, device=graph.device, work=1024 * (high - low))


def _outbreak(i, low, scratch, law, search, first, found):
    """Search outbreak ``low + i``; note its size and its edges, or write them where they belong.

    Of its scratch words there are four for each vertex: its place in the outbreak behind the
    outbreak's number; and by place its vertex, twice its time (and one, while it waits), and the
    queue of those that wait, a circle.
    """
    words, n, starts = scratch.words, search.num_vertices, search.starts
    indptr, indices, chance, kind = search.indptr, search.indices, law.chance, law.kind
    seed, timed, rows = search.seed, search.timed, found.rows
    begin, targets, edges = found.begin, found.targets, found.edges
    base, slot = place_of(i, scratch.busy, scratch.places, scratch.size)
    where, order, when, line = base, base + n, base + 2 * n, base + 3 * n
    number, writing = low + i, len(found.vertices) > 0
    mark = (number + 1) << 32
    count, passed, head, tail = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for j in range(search.width):
        v = np.int64(starts[number * search.width + j])
        if words[where + v] >> 32 != number + 1:
            words[where + v], words[order + count], words[when + count] = mark | count, v, 1
            words[line + tail] = count
            count += 1
            tail += 1
    while head < tail:
        at = words[line + head % n]
        head += 1
        v, time = words[order + at], words[when + at] >> 1
        words[when + at] = time << 1
        span = span_of(kind, seed, number, v, law.recovery)
        if timed and law.incubation < 0.0 and time > 0:  # sources are ill from the start
            time += steps_until(random.uniform(seed, number, _WAIT, v), law.incubation)
        if writing and not timed:
            begin[rows[number] + at] = first[number] + passed
        last, share = 0.0, 0.0  # chances in a row are often alike
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            drawn = lot(kind, seed, number, e, u, law.before)
            if chance[e] != last:
                last = chance[e]
                share = share_of(kind, last, span)
            if drawn < 0.0 or drawn >= share or u == v:
                continue
            arrival = time + (steps_until(drawn, last) if timed and kind == RECOVERING else 1)
            known = words[where + u]
            to = known & 0xFFFFFFFF
            if known >> 32 != number + 1:
                to = count
                count += 1
                words[where + u], words[order + to] = mark | to, u
                words[when + to] = arrival << 1 | 1
                words[line + tail % n] = to
                tail += 1
            elif arrival < words[when + to] >> 1:
                if words[when + to] & 1 == 0:
                    words[line + tail % n] = to
                    tail += 1
                words[when + to] = arrival << 1 | 1
            if writing and not timed:
                targets[first[number] + passed], edges[first[number] + passed] = to, e
            passed += 1
    if writing:
        for at in range(count):
            found.vertices[rows[number] + at] = words[order + at]
            if timed:
                found.times[rows[number] + at] = words[when + at] >> 1
    else:
        rows[number], first[number] = count, passed
    give_back(scratch.busy, slot)
