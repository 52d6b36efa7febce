"""Blocks for the cipher of Crypto-PAn, and addresses from what it makes of them.

Addresses are words of 128 bits, as two of 64, the first ``width`` of which count. Bit i of one is
flipped or not by its first i bits, so addresses that agree in these share the answer. Where they
are sorted, whoever shares a prefix stands together: each address asks for those of its prefixes
that the one before it has not, and takes over the other answers. Any order gives the same result.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.bits import bit_length

__all__ = ["blocks", "flip"]

_ALL, _NONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)


@kernel(borrows=True)
def blocks(me, team, control, high, low, width, pad, out, count):
    """A block for each new prefix: its bits, and those of ``pad`` after them, as bytes in order."""
    at = 0
    for j in range(len(high)):
        for length in range(_fresh(high, low, j), width):
            upper, lower = _prefix(length)
            out[at, 0] = _reversed((high[j] & upper) | (pad[0] & ~upper))
            out[at, 1] = _reversed((low[j] & lower) | (pad[1] & ~lower))
            at += 1
    count[0] = at


@kernel(borrows=True)
def flip(me, team, control, high, low, width, sealed, out):
    """Flip the bits for which the encrypted block of their prefix begins with a one."""
    at, one = 0, np.uint64(1)
    upper, lower = _NONE, _NONE
    for j in range(len(high)):
        first = _fresh(high, low, j)
        kept_upper, kept_lower = _prefix(first)
        upper, lower = upper & kept_upper, lower & kept_lower
        for length in range(first, width):
            bit = (sealed[at, 0] >> np.uint64(7)) & one
            if length < 64:
                upper |= bit << np.uint64(63 - length)
            else:
                lower |= bit << np.uint64(127 - length)
            at += 1
        out[0, j], out[1, j] = high[j] ^ upper, low[j] ^ lower


@inner
def _fresh(high, low, j):
    """The length of the shortest prefix that the address before does not have; 129 if equal."""
    if j == 0:
        return np.int64(0)
    if high[j] != high[j - 1]:
        return 65 - bit_length(high[j] ^ high[j - 1])
    if low[j] != low[j - 1]:
        return 129 - bit_length(low[j] ^ low[j - 1])
    return np.int64(129)


@inlined
def _prefix(length):
    """The first ``length`` of 128 bits, as two words."""
    if length < 64:
        return ~(_ALL >> np.uint64(length)), _NONE
    if length < 128:
        return _ALL, ~(_ALL >> np.uint64(length - 64))
    return _ALL, _ALL


@inlined
def _reversed(word):
    """The word whose bytes are in the other order."""
    eight, sixteen, half = np.uint64(8), np.uint64(16), np.uint64(32)
    bytes_, pairs = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
    word = ((word >> eight) & bytes_) | ((word & bytes_) << eight)
    word = ((word >> sixteen) & pairs) | ((word & pairs) << sixteen)
    return (word >> half) | (word << half)
