"""Independent edges whose probabilities are products, by skipping [1].

Vertices are sorted by block, and by falling propensity inside a block. The candidates of a row come
in order of falling probability. So a geometric number says how many to skip, and the next one is
kept with the ratio of its own probability to the previous one.

[1] J. Miller, A. Hagberg. Efficient generation of networks with given expected degrees. WAW 2011.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits, step
from edgewise.base.cpu.team import grab

__all__ = ["Products", "draw_products", "gap", "rate_of", "unit"]

_CHUNK = 256
_0, _1, _11 = np.uint64(0), np.uint64(1), np.uint64(11)
_SCALE = 1.0 / (1 << 53)


class Products(NamedTuple):
    """u and v are joined with ``propensity[u] * propensity[v] * factor[r, s]``, at most 1."""

    propensity: np.ndarray  #: sorted, see above
    blocks: np.ndarray  #: the block of every vertex
    firsts: np.ndarray  #: the first vertex of every block
    factor: np.ndarray  #: by the two blocks
    directed: bool
    loops: bool


@kernel
def draw_products(me, team, control, seed, products, names, places, sources, targets):
    """Count the edges of every row into ``places``; write them there if ``sources`` is not empty.

    The edges of row i go to ``places[i]`` and after, by the names of their ends.
    """
    writing = len(sources) > 0
    while True:
        low, high = grab(control, 0, _CHUNK, len(names))
        if low == high:
            break
        for i in range(low, high):
            at = places[i] if writing else 0
            at = _row(seed, products, i, writing, names, at, sources, targets)
            if not writing:
                places[i] = at


@helper
def _row(seed, products, i, writing, names, at, sources, targets):
    own = products.blocks[i]
    for block in range(0 if products.directed else own, len(products.firsts) - 1):
        mine = products.propensity[i] * products.factor[own, block]
        j, end = products.firsts[block], products.firsts[block + 1]
        if block == own and not products.directed:
            j = i if products.loops else i + 1
        if j >= end or mine <= 0.0:
            continue
        word, turn = bits(seed, np.uint64(i), np.uint64(block)), _0
        p = min(1.0, mine * products.propensity[j])
        while p > 0.0:
            j += gap(unit(word, turn), rate_of(p), end - j)
            if j >= end:
                break
            q = min(1.0, mine * products.propensity[j])
            if unit(word, turn + _1) * p <= q and (i != j or products.loops):
                if writing:
                    sources[at], targets[at] = names[i], names[j]
                at += 1
            turn += _1 + _1
            p, j = q, j + 1
            if j >= end:
                break
    return at


@helper
def unit(word, turn):
    """A random float64 in (0, 1], number ``turn`` of a stream."""
    return ((step(word, turn) >> _11) + _1) * _SCALE


@helper
def rate_of(p):
    """-log(1 - p), by its series where that is exact enough."""
    return p * (1.0 + p * (0.5 + p / 3.0)) if p < 1e-4 else -np.log1p(-p)


@helper
def gap(draw, rate, limit):
    """How many trials fail before one succeeds, at most ``limit``, from a number in (0, 1].

    ``rate`` belongs to the probability of success, see `rate_of`; it is positive or infinite.
    """
    if 1.0 - draw >= rate * limit:  # so is -log(draw), which is larger
        return np.int64(limit)
    return np.int64(min(np.floor(-np.log(draw) / rate), np.float64(limit)))
