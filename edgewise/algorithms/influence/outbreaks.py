"""Outbreaks, drawn and kept: whom each reaches, along which edges, and when.

A model of spread is a random choice of the edges that pass something on [1]; an outbreak is what
the sources reach along these. Edges are drawn as a search meets them, each by a hash of (seed,
outbreak, edge), so an outbreak is the same for any number of threads. A search goes twice, first to
know how much room it takes. An outbreak costs the edges of the vertices that it reaches.

Whoever is taken out of an outbreak later, the choice of the other edges stands: so one drawing
answers what any removal would have saved. With recovery an edge passes something on if its first
success comes before its source has recovered, both in steps since the source fell ill.

[1] D. Kempe, J. Kleinberg, E. Tardos. Maximizing the spread of influence through a social network.
    KDD 2003.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.laws import ONE, RECOVERING, Law
from edgewise.algorithms.rooms import cleared_rooms, give_back, place_of
from edgewise.base import random
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute
from edgewise.operators.helpers import inner
from edgewise.operators.items import Items

__all__ = ["MOST", "Outbreaks", "draw", "lot", "share_of", "span_of", "uniform_starts"]

#: The most outbreaks of one drawing.
MOST = 10_000_000
#: What the hashes of one outbreak are for, beside those of its edges (which are 0 and above).
_PICK, _SPAN, _WAIT, _START = -1, -2, -3, -4


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


def draw(graph: AnyGraph, law: Law, starts: Any, *, seed: Any, timed: bool = False) -> Outbreaks:
    """As many outbreaks as ``starts``, an array of outbreaks x sources, has rows.

    ``timed`` asks for the steps at which vertices are reached, instead of edges.
    """
    xp, count = graph.xp, len(starts)
    sizes, arcs = xp.zeros(count, np.int64), xp.zeros(count, np.int64)
    none = xp.zeros(0, np.int64), xp.zeros(0, np.int32)
    kept = (*none, *none, none[0])
    _run(graph, law, starts, seed, timed, (sizes, arcs), kept)
    rows, first = offsets(sizes), offsets(arcs)
    total, passed = int(rows[-1]), 0 if timed else int(first[-1])
    kept = (
        xp.empty(total, np.int64), xp.empty(total if timed else 0, np.int32),
        xp.full(0 if timed else total + 1, passed), xp.empty(passed, np.int32),
        xp.empty(passed, np.int64),
    )  # fmt: skip
    if total:
        _run(graph, law, starts, seed, timed, (rows, first), kept)
    return Outbreaks(rows, *kept)


def uniform_starts(graph: AnyGraph, count: int, seed: Any, among: Any = None) -> Any:
    """One source for each of so many outbreaks, drawn from all vertices, or ``among`` some."""
    xp = graph.xp
    number = graph.num_vertices if among is None else len(among)
    drawn = xp.asarray(random.integer(number, seed, np.arange(count), _START))
    return (drawn if among is None else xp.asarray(among)[drawn]).reshape(count, 1)


def _run(graph: AnyGraph, law: Law, starts: Any, seed: Any, timed: bool, places: tuple[Any, ...],
         kept: tuple[Any, ...]) -> None:  # fmt: skip
    n, width = graph.num_vertices, starts.shape[1]
    state = (graph.indptr, graph.indices, *law, starts.reshape(-1), width, n,
             random.check_seed(seed), timed, *places, *kept)  # fmt: skip
    for low, high, one in cleared_rooms(graph, len(starts), 4 * n):
        items = Items(high - low, graph.device, graph.xp)
        room = (one.words, one.busy, one.places, one.size)
        compute(items, None, _outbreak, (low, *room, *state), work=1024 * (high - low))


def _outbreak(
    i, low, words, busy, places, size, indptr, indices, kind, chance, before, recovery, incubation,
    starts, width, n, seed, timed, rows, first, vertices, times, begin, targets, edges,
):  # fmt: skip
    """Search outbreak ``low + i``; note its size and its edges, or write them where they belong.

    A room has, for each vertex, its place in the outbreak behind the outbreak's number; for each
    place, its vertex, twice its time (and one, while it waits), and who waits in a circle.
    """
    place, room = place_of(i, busy, places, size)
    where, order, when, line = place, place + n, place + 2 * n, place + 3 * n
    number, writing = low + i, len(vertices) > 0
    mark = (number + 1) << 32
    count, passed, head, tail = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for j in range(width):
        v = np.int64(starts[number * width + j])
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
        span = span_of(kind, seed, number, v, recovery)
        if timed and incubation < 0.0 and time > 0:  # sources are ill from the start
            time += _steps(random.uniform(seed, number, _WAIT, v), incubation)
        if writing and not timed:
            begin[rows[number] + at] = first[number] + passed
        last, share = 0.0, 0.0  # chances in a row are often alike
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            drawn = lot(kind, seed, number, e, u, before)
            if chance[e] != last:
                last = chance[e]
                share = share_of(kind, last, span)
            if drawn < 0.0 or drawn >= share or u == v:
                continue
            arrival = time + (_steps(drawn, last) if timed and kind == RECOVERING else 1)
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
            vertices[rows[number] + at] = words[order + at]
            if timed:
                times[rows[number] + at] = words[when + at] >> 1
    else:
        rows[number], first[number] = count, passed
    give_back(busy, room)


@inner
def lot(kind, seed, number, e, u, before):
    """What is drawn for edge e to u: it passes on if that is at least 0 and below its share."""
    if kind == ONE:
        return random.uniform(seed, number, _PICK, u) - before[e]
    return random.uniform(seed, number, e)


@inner
def share_of(kind, chance, span):
    """The chance of an edge to pass something on while its source is ill, for so many steps."""
    return -math.expm1(chance * span) if kind == RECOVERING else chance


@inner
def span_of(kind, seed, number, v, recovery):
    """For how many steps v is ill, if it falls ill."""
    if kind == RECOVERING:
        return _steps(random.uniform(seed, number, _SPAN, v), recovery)
    return np.int64(1)


@inner
def _steps(drawn, log):
    """The step of the first success, from 1, if ``log`` is log1p(-p); drawn by inversion."""
    if log == 0.0:
        return np.int64(1) << 40
    return np.int64(min(math.log1p(-drawn) / log, 1.0e12)) + 1
