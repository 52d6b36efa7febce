"""Cells of a Kronecker power, drawn by descending through its levels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits, uniform
from edgewise.base.cpu.team import grab

__all__ = ["RARE", "RATE", "Cells", "Draws", "drop"]

#: Rates are so much larger than probabilities: then 1 - exp(-rate) is at least p up to p = 1/2.
RATE = 2 * np.log(2.0)
#: Cells up to here are dropped. Products do not hit it, in whatever order they round.
RARE = 0.4999871

_CHUNK = 1 << 12
_0, _32 = np.uint64(0), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class Cells(NamedTuple):
    """The cells of one or more levels, with an alias table to draw them by weight."""

    size: int  #: rows, and columns
    chance: np.ndarray  #: keep the cell, in units of 2**-32
    alias: np.ndarray  #: or take this one
    p: np.ndarray  #: the probability of each cell


class Draws(NamedTuple):
    """For every edge, ``times`` cells of ``many`` are drawn, and then ``rest`` of ``one``."""

    n: int  #: rows of the power
    many: Cells
    times: int
    one: Cells
    rest: int


@kernel
def drop(me, team, control, seed, coin, draws, folded, sources, targets, kept):
    """Draw the cells of every edge.

    The numbers of the cells make the ends, and their probabilities multiply to p. If ``folded``,
    the smaller end comes first. ``kept`` says which edges count: every cell has its own coin.
    """
    n, many, times, one, rest = draws
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            u, v, p = np.int64(0), np.int64(0), 1.0
            for turn in range(times):
                u, v, p = _down(bits(seed, np.uint64(e), np.uint64(turn)), many, u, v, p)
            for turn in range(times, times + rest):
                u, v, p = _down(bits(seed, np.uint64(e), np.uint64(turn)), one, u, v, p)
            if folded and u > v:
                u, v = v, u
            sources[e], targets[e] = u, v
            # It was drawn at least once with probability 1 - exp(-rate).
            draw = uniform(coin, np.uint64(u * n + v), _0)
            kept[e] = p <= RARE and -np.expm1(-RATE * p) * draw < p


@helper
def _down(word, cells, u, v, p):
    """One draw: the row and the column of a cell are the next digits of u and v."""
    cell = np.int64((word >> _32) * np.uint64(len(cells.p)) >> _32)
    if (word & _LOW) >= cells.chance[cell]:
        cell = cells.alias[cell]
    return (
        u * cells.size + cell // cells.size,
        v * cells.size + cell % cells.size,
        p * cells.p[cell],
    )
