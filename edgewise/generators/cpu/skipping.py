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
from edgewise.generators.cpu.edge_chunks import kept, next_chunk

__all__ = ["CHUNK", "Products", "draw_products", "gap", "rate_of", "unit"]

CHUNK = 256
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
def draw_products(me, team, control, seed, products, names, done, used, sources, targets):
    """The edges of every chunk of `CHUNK` rows, by the names of their ends.

    See `edgewise.generators.edge_buffers` for the last four arguments.
    """
    at, full, buffers = 0, False, (sources[me], targets[me])
    chunk = next_chunk(control, done)
    while chunk < len(done) and not full:
        begin = at
        for i in range(chunk * CHUNK, min((chunk + 1) * CHUNK, len(names))):
            at = _row(seed, products, i, names, at, buffers)
            if at < 0:
                break
        at, full = kept(done, chunk, begin, at, len(buffers[0]))
        chunk = next_chunk(control, done)
    used[me] = at


@helper
def _row(seed, products, i, names, at, buffers):
    """The edges of a row go to ``at`` and after; the place after them, or -1 if there are none."""
    own, (sources, targets) = products.blocks[i], buffers
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
                if at == len(sources):
                    return -1
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
