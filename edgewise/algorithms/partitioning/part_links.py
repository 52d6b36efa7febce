"""The weight of the edges from each vertex to each part, in rows that moves keep up to date.

The row of v has a place for each part next to v: ``part[i]`` and ``link[i]`` for ``count[v]``
places from ``start[v]`` on. With at least k arcs, v has one place per part, in the order of parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.holding import fits, is_lighter
from edgewise.base.offsets import offsets
from edgewise.operators.helpers import inner

__all__ = ["Links", "best_part", "fill", "link_to", "links_of", "passed_on"]


class Links(NamedTuple):
    """Rows of parts and weights."""

    start: Any
    count: Any
    part: Any
    link: Any


def links_of(level: Any, k: int) -> Links:
    """Return rows of the right sizes for a level, to be filled."""
    start = offsets(np.minimum(np.diff(level.indptr), k))
    size = int(start[-1])
    return Links(start, np.zeros(level.n, np.int32), np.empty(size, np.int32), np.empty(size))


@inner
def fill(v, level, part, links, k):
    """Make the row of v from its arcs."""
    low = links.start[v]
    full = links.start[v + 1] - low == k
    links.count[v] = k if full else 0
    if full:
        for p in range(k):
            links.part[low + p] = p
            links.link[low + p] = 0.0
    for e in range(level.indptr[v], level.indptr[v + 1]):
        _add(v, np.int64(part[level.indices[e]]), level.weight[e], links, k)


@inner
def _at(v, p, links, k):
    """The place of part p in the row of v, or -1."""
    low, end = links.start[v], links.start[v + 1]
    if end - low == k:
        return low + p
    for i in range(low, low + links.count[v]):
        if links.part[i] == p:
            return i
    return np.int64(-1)


@inner
def link_to(v, p, links, k):
    """The weight of the edges from v to part p."""
    i = _at(v, p, links, k)
    return 0.0 if i < 0 else links.link[i]


@inner
def _add(v, p, weight, links, k):
    i = _at(v, p, links, k)
    if i >= 0:
        links.link[i] += weight
        return
    low, count = links.start[v], links.count[v]
    if low + count == links.start[v + 1]:  # by rounding alone: the lightest place is void
        i = low
        for j in range(low, low + count):
            if links.link[j] < links.link[i]:
                i = j
    else:
        i = low + count
        links.count[v] = count + 1
    links.part[i], links.link[i] = p, weight


@inner
def passed_on(u, source, target, weight, links, k):
    """Change the row of u: a neighbor over an edge of this weight moves between parts."""
    i = _at(u, source, links, k)
    if i >= 0:
        links.link[i] -= weight
        if links.link[i] <= 0.0 and links.start[u + 1] - links.start[u] < k:
            last = links.start[u] + links.count[u] - 1
            links.part[i], links.link[i] = links.part[last], links.link[last]
            links.count[u] -= 1
    _add(u, target, weight, links, k)


@inner
def best_part(v, own, held, links):
    """The part of largest link that v fits into, other than its own; the lighter one of equals.

    Returns the part, -1 if there is none, and the gain of the move.
    """
    best, high, stay = -1, 0.0, 0.0
    for i in range(links.start[v], links.start[v] + links.count[v]):
        p, link = np.int64(links.part[i]), links.link[i]
        if p == own:
            stay = link
        elif link < high or link <= 0.0 or not fits(v, p, held.mass, held.load, held.limit):
            continue
        elif link > high or is_lighter(p, best, held.load, held.limit):
            best, high = p, link
    return best, high - stay
