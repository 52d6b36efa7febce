"""Hill climbing against outbreaks: repeatedly remove the vertex or edge that saves most [1].

Removing a vertex from an outbreak saves the vertices that it dominates. So one dominator tree per
outbreak gives the saving of every vertex. An edge acts like a vertex in its middle. It saves the
subtree of its target if all other edges into the target come from that subtree. After a removal,
only the outbreaks that contain it are evaluated again. The saving is not submodular: if two paths
lead to a part, cutting only one of them saves nothing.

[1] J. Xie, F. Zhang, K. Wang, X. Lin, W. Zhang. Minimizing the influence of misinformation via
    vertex blocking. ICDE 2023.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.dominators import (
    IDOM,
    LABELS,
    NAMES,
    NUMBERS,
    PARENTS,
    SEMI,
    SIZES,
    arrays_for,
    dominate,
)
from edgewise.algorithms.influence.outbreaks import Outbreaks
from edgewise.algorithms.scratch import cleared_scratch, give_back, place_of
from edgewise.base import atomic
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["climb"]


def climb(
    graph: AnyGraph, outbreaks: Outbreaks, sources: int, k: int, *, by_edge: bool, forbidden: Any
) -> tuple[Any, Any]:
    """The k vertices, or edges, that save most, in the order of their choice, and what each adds.

    That is the mean over the outbreaks, each of which has so many ``sources``. ``forbidden`` says
    whom not to take. There are fewer than k where nobody else would save anyone.
    """
    xp, count = graph.xp, outbreaks.total
    rows, places = outbreaks.rows, outbreaks.edges if by_edge else outbreaks.vertices
    totals, saved = xp.zeros(len(forbidden), np.int64), xp.zeros(len(places), np.int32)
    gone = xp.zeros(len(forbidden), np.uint8)
    lengths = (rows, outbreaks.begin[rows])
    largest, most = (int(xp.diff(one).max()) if count else 0 for one in lengths)
    z, size = arrays_for(largest, most)
    parts = list(cleared_scratch(graph, count, size))
    state = _Removal(sources, -1, by_edge, gone, z, saved, totals)
    chosen: list[int] = []
    gains: list[float] = []
    while len(chosen) < k:
        state = state._replace(lost=chosen[-1] if chosen else -1)
        for low, high, scratch in parts:
            for_each(high - low, _weigh, (low, scratch, outbreaks, state), device=graph.device,
                     work=32 * len(places))  # fmt: skip
        worth = xp.where(forbidden, 0, totals)
        best = int(worth.argmax()) if len(worth) else 0
        if len(worth) == 0 or worth[best] <= 0:
            break
        chosen.append(best)
        gains.append(float(worth[best]) / count)
        gone[best] = 1
    return np.asarray(chosen, np.int64), np.asarray(gains)


class _Removal(NamedTuple):
    """Which vertices, or edges, are gone, and what each of the others would save.

    ``lost`` is the latest to go, or -1. ``saved`` is by place in the outbreaks, ``totals`` by
    vertex or edge. The arrays of the tree are ``stride`` words apart.
    """

    sources: int
    lost: int
    by_edge: bool
    gone: Any
    stride: int
    saved: Any
    totals: Any


def _weigh(i, low, scratch, outbreaks, removal):
    """How many each vertex, or edge, of outbreak ``low + i`` would save, now that some are gone.

    Only where the latest to go occurs; everywhere if there is none. ``totals`` changes with
    ``saved``.
    """
    words, z, lost, by_edge = scratch.words, removal.stride, removal.lost, removal.by_edge
    sources, gone, saved, totals = removal.sources, removal.gone, removal.saved, removal.totals
    rows, vertices, _, begin, targets, edges = outbreaks
    number = low + i
    first, last = rows[number], rows[number + 1]
    if lost >= 0 and not (
        _occurs(lost, edges, begin[first], begin[last]) if by_edge
        else _occurs(lost, vertices, first, last)
    ):  # fmt: skip
        return
    place, slot = place_of(i, scratch.busy, scratch.places, scratch.size)
    graph = (first, last, vertices, begin, targets, edges)
    count = dominate(words, place, z, sources, by_edge, gone, graph)
    if by_edge:
        _bridges(words, place, z, sources, gone, graph, count, saved, totals)
    else:
        for at in range(first, last):
            now = words[place + NUMBERS * z + at - first]
            worth = words[place + SIZES * z + now] if now > 0 else np.int64(0)
            _change(totals, vertices[at], saved, at, worth)
    give_back(scratch.busy, slot)


@inner
def _occurs(item, items, first, last):
    """Is it among these?"""
    for at in range(first, last):  # noqa: SIM110
        if items[at] == item:
            return True
    return False


@inner
def _change(totals, item, saved, at, worth):
    """Note what an item saves in an outbreak."""
    if worth != saved[at]:
        atomic.add(totals, item, worth - saved[at])
        saved[at] = worth


@inner
def _bridges(words, place, z, sources, gone, graph, count, saved, totals):
    """What each edge saves: the only one into its target, but for those from behind it.

    Numbers in the order of the tree tell who is behind whom.
    """
    first, last, _, begin, targets, edges = graph
    numbers, names = place + NUMBERS * z, place + NAMES * z
    idom, sizes = place + IDOM * z, place + SIZES * z
    order, inside, entries = place + PARENTS * z, place + SEMI * z, place + LABELS * z
    words[order], words[inside] = 0, 1
    for number in range(1, count + 1):
        above = words[idom + number]
        words[order + number] = words[inside + above]
        words[inside + above] += words[sizes + number]
        words[inside + number] = words[order + number] + 1
        words[entries + number] = np.int64(words[names + number] < sources)
    for step in range(2):
        for at in range(first, last):
            number = words[numbers + at - first]
            for e in range(begin[at], begin[at + 1]):
                worth = np.int64(0)
                if number > 0 and gone[edges[e]] == 0:
                    to = words[numbers + np.int64(targets[e])]
                    behind = words[order + number] - words[order + to]
                    if behind < 0 or behind >= words[sizes + to]:
                        if step == 0:
                            words[entries + to] += 1
                        elif words[entries + to] == 1:
                            worth = words[sizes + to]
                if step == 1:
                    _change(totals, edges[e], saved, e, worth)
