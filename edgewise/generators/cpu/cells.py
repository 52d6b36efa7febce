"""Close pairs of points that are sorted by cell: counted, then written.

A pair belongs to its point that comes first in the cells' order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import grab

__all__ = ["Cells", "count_pairs", "fill_pairs"]

_CHUNK = 512


class Cells(NamedTuple):
    """Points in cells."""

    shape: tuple[int, int, int]  #: the number of cells along each axis
    starts: np.ndarray  #: where each cell's points begin
    xyz: np.ndarray  #: the sorted points


@kernel
def count_pairs(me, team, control, cells, radius, counts):
    """The number of pairs of every point."""
    shape, starts, xyz = cells
    while True:
        low, high = grab(control, 0, _CHUNK, len(xyz))
        if low == high:
            break
        for i in range(low, high):
            found = 0
            for layer, row in _strips(shape, xyz, i):
                first, last = _range(shape, starts, xyz, i, layer, row)
                for j in range(first, last):
                    found += _distance(xyz, i, j) <= radius
            counts[i] = found


@kernel
def fill_pairs(me, team, control, cells, radius, order, offsets, edges):
    """The pairs of every point at their places, by the names in ``order``, and their lengths."""
    (shape, starts, xyz), (sources, targets, lengths) = cells, edges
    while True:
        low, high = grab(control, 0, _CHUNK, len(xyz))
        if low == high:
            break
        for i in range(low, high):
            at = offsets[i]
            for layer, row in _strips(shape, xyz, i):
                first, last = _range(shape, starts, xyz, i, layer, row)
                for j in range(first, last):
                    distance = _distance(xyz, i, j)
                    if distance <= radius:
                        sources[at], targets[at], lengths[at] = order[i], order[j], distance
                        at += 1


@helper
def _strips(shape, xyz, i):
    """The strips of cells that can hold later neighbors of point i, as (layer, row)."""
    layer, row = np.int64(xyz[i, 0] * shape[0]), np.int64(xyz[i, 1] * shape[1])
    yield layer, row
    if row + 1 < shape[1]:
        yield layer, row + 1
    if layer + 1 < shape[0]:
        for other in range(max(row - 1, 0), min(row + 2, shape[1])):
            yield layer + 1, other


@helper
def _range(shape, starts, xyz, i, layer, row):
    """The later points in the three cells of a strip that are nearest to point i."""
    column = np.int64(xyz[i, 2] * shape[2])
    cell = (layer * shape[1] + row) * shape[2]
    first = starts[cell + max(column - 1, 0)]
    return max(first, i + 1), starts[cell + min(column + 1, shape[2] - 1) + 1]


@helper
def _distance(xyz, i, j):
    x, y, z = xyz[i, 0] - xyz[j, 0], xyz[i, 1] - xyz[j, 1], xyz[i, 2] - xyz[j, 2]
    return np.sqrt(x * x + y * y + z * z)
