"""Distinct edges inside each pair of blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab
from edgewise.generators.cpu.permutation import pair, shuffled, width

__all__ = ["BlockPairs", "block_edges"]

_CHUNK = 1 << 13
_0 = np.uint64(0)


class BlockPairs(NamedTuple):
    """Edges ``bounds[k]..bounds[k+1]`` join blocks ``rows[k]`` and ``columns[k]``.

    ``possible[k]`` is how many different edges they could have.
    """

    rows: np.ndarray
    columns: np.ndarray
    possible: np.ndarray
    bounds: np.ndarray


@kernel
def block_edges(me, team, control, seed, pairs, firsts, directed, names, sources, targets):
    """The edges of all pairs of blocks; ``firsts[b]`` is the first vertex of block b.

    Vertex v goes out as ``names[v]``, or as itself if there are no names.
    """
    rows, columns, possible, bounds = pairs
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        k = np.searchsorted(bounds, low, side="right") - 1
        while low < high:
            size, key = possible[k], bits(seed, np.uint64(k), _0)
            wide = width(size)
            across = np.uint64(firsts[columns[k] + 1] - firsts[columns[k]])
            skip = rows[k] == columns[k]
            end = min(high, bounds[k + 1])
            for e in range(low, end):
                image = shuffled(key, np.uint64(e - bounds[k]), size, wide)
                if skip and not directed:
                    u, v = pair(image)
                else:
                    line = across - np.uint64(skip)
                    u, v = np.int64(image // line), np.int64(image % line)
                    v += skip and v >= u
                u, v = firsts[rows[k]] + u, firsts[columns[k]] + v
                if len(names):
                    sources[e], targets[e] = names[u], names[v]
                else:
                    sources[e], targets[e] = u, v
            low, k = end, k + 1
