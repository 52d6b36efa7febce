"""Speculative coloring on one CPU thread: the waves and rounds of `speculative`, without launches.

A wave has the vertices from 1/16, 1/8, 1/4 and 1/2 of the order on; the first one those before. The
colors are those that all threads find together. Close to O(n + m) work on common graphs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph import Graph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["NUM_WAVES", "color_alone", "wave_of"]

NUM_WAVES = 5


def color_alone(graph: Graph, place: Any, by: str = "vertex") -> Any:
    """Return the colors of all vertices for their positions; ``by`` does not change them.

    >>> from edgewise.generators import path
    >>> color_alone(path(4), np.array([0, 2, 3, 1])).tolist()
    [0, 1, 2, 0]
    """
    n, ids = len(place), graph.id_dtype
    color, choice = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    listed, mark = np.empty(n, ids), np.full(graph.max_degree + 2, -1, np.int64)
    listed[place] = np.arange(n, dtype=ids)
    state = (graph.indptr, graph.indices, place, listed, color, choice, mark)
    sequential(_color_waves, state, steps=n, work=2 * (n + graph.num_arcs), phase="speculative")
    return color


@inner
def wave_of(place, n):
    """The bit length of the sixteenth of the order that a position is in."""
    part, wave = np.int64(place) * 16 // n, 0
    while part > 0:
        wave += 1
        part >>= 1
    return wave


def _color_waves(control, indptr, indices, place, listed, color, choice, mark):
    """The list of a wave is overwritten by those of its vertices that choose again."""
    low, stamp, n = 0, 0, len(listed)
    for wave in range(NUM_WAVES):
        high = low
        while high < n and wave_of(high, n) == wave:
            high += 1
        first, count = low, high - low
        while count > 0:
            for i in range(first, first + count):
                v = listed[i]
                choice[v] = _least_absent(v, indptr, indices, color, mark, stamp)
                if wave == 0:
                    color[v] = choice[v]
                stamp += 1
                if stamp % 4096 == 0 and not going(control, min(stamp, n)):
                    return
            if wave == 0:
                break
            kept = 0
            for i in range(first, first + count):
                v = listed[i]
                if _clashes(v, indptr, indices, place, choice):
                    listed[first + kept] = v
                    kept += 1
                else:
                    color[v] = choice[v]
            count = kept
        low = high


@inner
def _least_absent(v, indptr, indices, color, mark, stamp):
    """The smallest color that no neighbor has; mark[c] is the stamp of the last one with it."""
    for e in range(indptr[v], indptr[v + 1]):
        c = color[indices[e]]
        if 0 <= c < len(mark):
            mark[c] = stamp
    c = 0
    while mark[c] == stamp:
        c += 1
    return c


@inner
def _clashes(v, indptr, indices, place, choice):
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        if choice[u] == choice[v] and place[u] < place[v]:
            return True
    return False
