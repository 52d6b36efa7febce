"""A binary heap of numbers by their distances, the least first, for compiled functions.

``heap[:size]`` are the numbers, ``place[c]`` is where c is in it.
"""

from __future__ import annotations

from edgewise.operators.helpers import inner

__all__ = ["rise", "sink", "sink_from"]


@inner
def rise(at, heap, place, distance):
    """Move a member up to where it belongs."""
    c = heap[at]
    while at > 0 and distance[heap[(at - 1) // 2]] > distance[c]:
        heap[at] = heap[(at - 1) // 2]
        place[heap[at]] = at
        at = (at - 1) // 2
    heap[at], place[c] = c, at


@inner
def sink_from(at, size, heap, place, distance):
    """Move a member down to where it belongs."""
    c = heap[at]
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and distance[heap[below + 1]] < distance[heap[below]]:
            below += 1
        if distance[heap[below]] >= distance[c]:
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    if size > 0:
        heap[at], place[c] = c, at


@inner
def sink(size, heap, place, distance):
    """Move the first member down to where it belongs."""
    sink_from(0, size, heap, place, distance)
