"""Endpoints of random edges, each edge from (seed, its number) alone; ``first`` is the first's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab, share
from edgewise.generators.cpu.permutation import below, pair, shuffled, width

__all__ = [
    "CellTable",
    "descend",
    "distinct_cells",
    "distinct_pairs",
    "independent",
    "permutation",
    "recursive",
    "rename",
]

_CHUNK = 1 << 14
_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def recursive(me, team, control, seed, scale, limits, names, first, sources, targets):
    """R-MAT edges: one quadrant per level, 32 random bits each.

    ``limits`` are the quadrants' cumulated probabilities a, a+b, a+b+c in units of 2**-32;
    vertex v goes out as ``names[v]``, or as itself if there are no names.
    """
    first_limit, half, last_limit = limits
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            item = np.uint64(first + e)
            u, v = _0, _0
            for level in range(0, scale, 2):
                word = bits(seed, item, np.uint64(level))
                u, v = descend(u, v, word & _LOW, first_limit, half, last_limit)
                if level + 1 < scale:
                    u, v = descend(u, v, word >> _32, first_limit, half, last_limit)
            if len(names):
                sources[e], targets[e] = names[u], names[v]
            else:
                sources[e], targets[e] = u, v


@helper
def descend(u, v, draw, first, half, last):
    """Go down one level, into the quadrant between the limits around the draw."""
    down = np.uint64(draw >= half)
    right = np.uint64(draw >= first) - down + np.uint64(draw >= last)
    return u << _1 | down, v << _1 | right


@kernel
def permutation(me, team, control, seed, names):
    """A random permutation of ``0..len(names)-1``."""
    size = np.uint64(len(names))
    wide = width(size)
    low, high = share(me, team, len(names))
    for v in range(low, high):
        names[v] = shuffled(seed, np.uint64(v), size, wide)


@kernel
def rename(me, team, control, seed, n, vertices):
    """Put in place of each vertex its image in `permutation`, which nobody need store."""
    size = np.uint64(n)
    wide = width(size)
    low, high = share(me, team, len(vertices))
    for i in range(low, high):
        vertices[i] = shuffled(seed, np.uint64(vertices[i]), size, wide)


@kernel
def independent(me, team, control, seed, n, first, sources, targets):
    """Edges whose two ends are drawn uniformly and independently."""
    size = np.uint64(n)
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            item = np.uint64(first + e)
            sources[e] = below(bits(seed, item, _0), size)
            targets[e] = below(bits(seed, item, _1), size)


@kernel
def distinct_pairs(me, team, control, seed, size, first, sources, targets):
    """Distinct ones among the first ``size`` unordered pairs of vertices, ``u < v``."""
    wide = width(size)
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            sources[e], targets[e] = pair(shuffled(seed, np.uint64(first + e), size, wide))


class CellTable(NamedTuple):
    """A table, without its diagonal if ``skip``; columns count from ``shift``."""

    rows: int
    columns: int
    skip: bool
    shift: int


@kernel
def distinct_cells(me, team, control, seed, table, first, sources, targets):
    """Distinct cells of a table as edges from rows to columns."""
    rows, columns, skip, shift = table
    across = np.uint64(columns - skip)
    size = np.uint64(rows) * across
    wide = width(size)
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            cell = shuffled(seed, np.uint64(first + e), size, wide)
            u, v = np.int64(cell // across), np.int64(cell % across)
            sources[e] = u
            targets[e] = v + (skip and v >= u) + shift
