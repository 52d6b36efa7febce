"""The search for an isomorphism after color refinement: see `isomorphism`.

Where a cell is not a pair, a vertex of the first graph is paired with one of the other, and cells
are refined again. Two cells are joined trivially if there are all arcs of a kind between them, or
none. Vertices that are connected by other arcs only are a component. Components of one partition
are independent of each other: each is paired with the first one that fits, and never again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.color_cells import Cells, individualize, refine, undo
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["paired"]


class _Frames(NamedTuple):
    """The open components, each inside the one before it."""

    order: Any  # the vertices of the first graph; a component is a range
    position: Any  # of each vertex there
    next: Any  # position where the next component begins
    end: Any  # of the range
    inside: Any  # where the component that is being paired ends
    vertex: Any  # of the first graph that is being paired
    first: Any  # its first candidate
    tried: Any  # the candidate after that; they ascend
    mark: Any  # the length of the trail before


def paired(one: Cells) -> Any:
    """For each vertex of the first graph, its partner in the other one, or None."""
    n, found = one.half, np.zeros(1, np.bool_)
    frames = _Frames(np.arange(n), np.arange(n), *(np.zeros(n + 1, np.int64) for _ in range(7)))
    sequential(_pair, (one, frames, found), steps=n, work=16 * len(one.indices))
    if not found[0]:
        return None
    cells = one.cell
    left, right = (np.argsort(cells[part], kind="stable") for part in (slice(n), slice(n, None)))
    mapping = np.empty(n, np.int64)
    mapping[left] = right
    return mapping


def _pair(control, one, frames, found):
    """Refine, then pair components one after the other."""
    if not refine(control, one):
        return
    depth, forward, steps = 0, True, 0
    frames.next[0], frames.end[0] = 0, one.half
    while depth >= 0:
        steps += 1
        if steps % 256 == 0 and not going(control, one.numbers[1]):
            return
        if forward and not _open(one, frames, depth):
            if depth == 0:
                found[0] = True
                return
            depth -= 1
            frames.next[depth] = frames.inside[depth]
            continue
        partner = _candidate(one, frames, depth)
        if partner < 0:
            depth, forward = depth - 1, False
            if depth >= 0:
                undo(one, frames.mark[depth])
            continue
        frames.mark[depth] = one.numbers[1]
        individualize(one, frames.vertex[depth], partner)
        forward = refine(control, one)
        if forward:
            frames.next[depth + 1], frames.end[depth + 1] = frames.next[depth], frames.inside[depth]
            depth += 1
        else:
            undo(one, frames.mark[depth])


@inner
def _open(one, frames, depth):
    """Find the next component that is to be paired, and its vertex; False if there is none."""
    while frames.next[depth] < frames.end[depth]:
        low = frames.next[depth]
        if one.size[one.cell[frames.order[low]]] > 2:
            high = _component(one, frames, low, frames.end[depth])
            if high > low + 1:
                best = frames.order[low]
                for i in range(low, high):
                    if one.size[one.cell[frames.order[i]]] < one.size[one.cell[best]]:
                        best = frames.order[i]
                frames.vertex[depth], frames.inside[depth] = best, high
                frames.first[depth] = frames.tried[depth] = -1
                return True
        frames.next[depth] = low + 1  # a pair, or one that any vertex of its cell fits
    return False


@inner
def _component(one, frames, low, end):
    """Order the component of a vertex behind it; where it ends."""
    high, at = low + 1, low
    while at < high:
        u = frames.order[at]
        at += 1
        e, last = one.indptr[u], one.indptr[u + 1]
        while e < last:
            stop = e
            while stop < last and one.kinds[stop] == one.kinds[e]:
                one.count[one.cell[one.indices[stop]]] += 1
                stop += 1
            for i in range(e, stop):
                v = one.indices[i]
                cell = one.cell[v]
                full = one.size[cell] // 2 - (cell == one.cell[u])
                if high <= frames.position[v] < end and one.count[cell] < full:
                    w, there = frames.order[high], frames.position[v]
                    frames.order[high], frames.order[there] = v, w
                    frames.position[v], frames.position[w] = high, there
                    high += 1
            for i in range(e, stop):
                one.count[one.cell[one.indices[i]]] = 0
            e = stop
    return high


@inner
def _candidate(one, frames, depth):
    """The next vertex of the other graph to pair with; -1 if there is none."""
    cell = one.cell[frames.vertex[depth]]
    end = cell + one.size[cell]
    if frames.first[depth] < 0:
        at = end - 1
        while one.elements[at] < one.half:
            at -= 1
        frames.first[depth] = one.elements[at]
        return one.elements[at]
    best = np.int64(-1)
    for i in range(cell, end):
        v = one.elements[i]
        later = v >= one.half and v > frames.tried[depth] and v != frames.first[depth]
        if later and (best < 0 or v < best):
            best = v
    frames.tried[depth] = best
    return best
