"""Close pairs of points in a hyperbolic disc that are sorted by ring and cell.

A ring has as many cells, of equal angle, as it has points.

A pair belongs to its point that comes first in this order.
"""

from __future__ import annotations

from math import asin, pi, sinh, sqrt
from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.bisection import row_of
from edgewise.generators.cpu.edge_chunks import kept, next_chunk

__all__ = ["CHUNK", "Rings", "draw_close"]

CHUNK = 128
#: Intervals of angles are this much wider, so that rounding loses no pair.
_SLACK = 1e-9
_TURN = 2 * pi


class Rings(NamedTuple):
    """Sorted points: ring k has the points, and the cells, ``starts[k]`` to ``starts[k+1] - 1``."""

    starts: np.ndarray
    cells: np.ndarray  #: where the points of each cell begin
    inner: np.ndarray  #: the inner radius of each ring
    angle: np.ndarray
    exp: np.ndarray  #: e^r
    exp_minus: np.ndarray  #: e^-r
    sinh: np.ndarray  #: sinh r
    sin: np.ndarray  #: sin(angle / 2)
    cos: np.ndarray  #: cos(angle / 2)


@kernel
def draw_close(me, team, control, rings, limit, order, done, used, sources, targets):
    """The pairs of every chunk of `CHUNK` points, by the names in ``order``.

    ``limit`` is cosh of the largest distance. See `edgewise.generators.edge_buffers` for the last
    four arguments.
    """
    at, full, buffers = 0, False, (sources[me], targets[me])
    chunk = next_chunk(control, done)
    while chunk < len(done) and not full:
        begin, low = at, chunk * CHUNK
        ring = row_of(rings.starts, 0, len(rings.inner), low)
        for i in range(low, min(low + CHUNK, len(order))):
            while i >= rings.starts[ring + 1]:
                ring += 1
            at = _pairs(rings, limit, i, ring, order, at, buffers)
            if at < 0:
                break
        at, full = kept(done, chunk, begin, at, len(buffers[0]))
        chunk = next_chunk(control, done)
    used[me] = at


@helper
def _pairs(rings, limit, i, ring, order, at, buffers):
    """The pairs of point i go to ``at`` and after; the place after them, or -1 if all are used."""
    sources, targets = buffers
    for first, last in _intervals(rings, limit, i, ring):
        for j in range(first, last):
            if _cosh_distance(rings, i, j) <= limit:
                if at == len(sources):
                    return -1
                sources[at], targets[at] = order[i], order[j]
                at += 1
    return at


@helper
def _intervals(rings, limit, i, own):
    """The later points of each ring that may be close to point i, as intervals of places."""
    angle = rings.angle[i]
    for ring in range(own, len(rings.inner)):
        low, high = max(np.int64(rings.starts[ring]), i + 1), np.int64(rings.starts[ring + 1])
        if low >= high:
            continue
        reach = _reach(rings, limit, i, rings.inner[ring]) * (1 + _SLACK)
        if reach >= pi:
            yield low, high
            continue
        begin, end = angle - reach, angle + reach
        first = max(low, _cell(rings, ring, begin)[0])
        last = max(first, _cell(rings, ring, end)[1])
        yield first, last
        if begin < 0:  # the rest lies at the other end of the ring
            yield max(last, _cell(rings, ring, begin + _TURN)[0]), high
        elif end > _TURN:
            yield low, min(first, _cell(rings, ring, end - _TURN)[1])


@helper
def _cell(rings, ring, angle):
    """Where the points begin and end of the ring's cell that an angle is in, or is nearest to."""
    start = rings.starts[ring]
    size = rings.starts[ring + 1] - start
    cell = start + min(max(np.int64(angle / _TURN * size), 0), size - 1)
    return np.int64(rings.cells[cell]), np.int64(rings.cells[cell + 1])


@helper
def _reach(rings, limit, i, inner):
    """The largest angle between point i and a close point at least ``inner`` from the center."""
    # sin(angle / 2)^2 = (cosh R - cosh(r - s)) / (2 sinh r sinh s)
    across = 2 * rings.sinh[i] * sinh(inner)
    apart = (rings.exp[i] * np.exp(-inner) + rings.exp_minus[i] * np.exp(inner)) / 2
    if limit - apart >= across:
        return pi
    return 2 * asin(sqrt(max(limit - apart, 0.0) / across))


@helper
def _cosh_distance(rings, i, j):
    """cosh of the distance: cosh(r - s) + 2 sinh r sinh s sin(angle / 2)^2, in stable form."""
    half = rings.sin[i] * rings.cos[j] - rings.cos[i] * rings.sin[j]
    apart = (rings.exp[i] * rings.exp_minus[j] + rings.exp_minus[i] * rings.exp[j]) / 2
    return apart + 2 * rings.sinh[i] * rings.sinh[j] * half * half
