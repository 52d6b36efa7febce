"""Independent edges whose probability falls with distance, by skipping over pairs of cells [1].

The unit square is divided into four cells, each of them into four, and so on. Points are sorted by
the deepest cell in Morton order, so the points of every cell on every level lie side by side. Two
cells of one level are a pair if their parents are adjacent and they are not; on the deepest level
also adjacent ones. So every pair of points is in one pair of cells, and the probabilities inside a
pair of cells are similar: candidates are drawn with the largest one, and thinned.

[1] K. Bringmann, R. Keusch, J. Lengler. Sampling geometric inhomogeneous random graphs in linear
    time. ESA 2017.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.bisection import row_of
from edgewise.base.cpu.random import bits
from edgewise.generators.cpu.edge_chunks import kept, next_chunk
from edgewise.generators.cpu.permutation import pair
from edgewise.generators.cpu.skipping import gap, unit

__all__ = ["CHUNK", "Square", "draw_distant"]

CHUNK = 64
_0, _1, _2 = np.uint64(0), np.uint64(1), np.uint64(2)


class Square(NamedTuple):
    """Sorted points; probabilities fall by a factor of e for every ``reach``."""

    depth: int
    levels: np.ndarray  #: the first cell of each level, and the number of all cells
    starts: np.ndarray  #: where the points of each deepest cell begin
    x: np.ndarray
    y: np.ndarray
    reach: float
    rates: np.ndarray  #: -log(1 - p) of the nearest points of two cells, by level and distances


@kernel
def draw_distant(me, team, control, seed, square, names, done, used, sources, targets):
    """The edges of every chunk of `CHUNK` cells.

    See `edgewise.generators.edge_buffers` for the last four arguments.
    """
    at, full, buffers = 0, False, (sources[me], targets[me])
    chunk = next_chunk(control, done)
    while chunk < len(done) and not full:
        begin = at
        for item in range(chunk * CHUNK, min((chunk + 1) * CHUNK, square.levels[-1])):
            at = _cell(seed, square, item, names, at, buffers)
            if at < 0:
                break
        at, full = kept(done, chunk, begin, at, len(buffers[0]))
        chunk = next_chunk(control, done)
    used[me] = at


@helper
def _cell(seed, square, item, names, at, buffers):
    """The edges between one cell and those after it that it forms a pair with.

    They go to ``at`` and after. Returns the place after them, or -1 if the buffers are full.
    """
    level = row_of(square.levels, 0, square.depth + 1, item)
    cell = item - square.levels[level]
    first, last = _points(square, level, cell)
    if first == last:
        return at
    column, row = _squeeze(cell), _squeeze(cell >> 1)
    side = np.int64(1) << level
    for other_row in range(max((row & -2) - 2, 0), min((row & -2) + 4, side)):
        for other_column in range(max((column & -2) - 2, 0), min((column & -2) + 4, side)):
            across, down = abs(other_column - column), abs(other_row - row)
            if max(across, down) <= 1 and level < square.depth:
                continue
            other = _spread(other_column) | _spread(other_row) << 1
            if other < cell:
                continue
            begin, end = _points(square, level, other)
            if begin == end:
                continue
            rate = square.rates[level, across, down]
            if rate <= 0.0:
                continue
            near = np.sqrt(max(across - 1, 0) ** 2 + max(down - 1, 0) ** 2) / side
            word = bits(seed, np.uint64(item), np.uint64(other))
            both = (first, last, begin, end)
            at = _thin(word, square, rate, near, both, names, at, buffers)
            if at < 0:
                return at
    return at


@helper
def _thin(word, square, rate, near, both, names, at, buffers):
    """The edges between the points of two cells at least ``near`` apart, or of one cell."""
    (first, last, begin, end), (sources, targets) = both, buffers
    same, wide = first == begin, end - begin
    size = wide * (wide - 1) // 2 if same else (last - first) * wide
    place, turn = 0, _0
    while True:
        place += gap(unit(word, turn), rate, size - place)
        if place >= size:
            return at
        i, j = place // wide, place % wide
        if same:
            i, j = pair(np.uint64(place))
        i, j = first + i, begin + j
        x, y = square.x[i] - square.x[j], square.y[i] - square.y[j]
        beyond = np.sqrt(x * x + y * y) - near
        if unit(word, turn + _1) <= np.exp(-beyond / square.reach):
            if at == len(sources):
                return -1
            sources[at], targets[at] = names[i], names[j]
            at += 1
        place, turn = place + 1, turn + _2


@helper
def _points(square, level, cell):
    """Where the points of a cell begin and end."""
    shift = 2 * (square.depth - level)
    return square.starts[cell << shift], square.starts[(cell + 1) << shift]


@helper
def _spread(value):
    """The lowest 16 bits with a zero after each."""
    value = (value | value << 8) & 0x00FF00FF
    value = (value | value << 4) & 0x0F0F0F0F
    value = (value | value << 2) & 0x33333333
    return (value | value << 1) & 0x55555555


@helper
def _squeeze(value):
    """Every second bit, the inverse of `_spread`."""
    value &= 0x55555555
    value = (value | value >> 1) & 0x33333333
    value = (value | value >> 2) & 0x0F0F0F0F
    value = (value | value >> 4) & 0x00FF00FF
    return (value | value >> 8) & 0x0000FFFF
