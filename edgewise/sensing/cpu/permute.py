"""A keyed permutation of words: a Feistel network whose round function is SipHash-2-4 [1].

A word is cut into halves of up to 64 bits. Each round changes one half by a keyed hash of the other
and so can be undone: whatever the hash gives, no two words get the same one. The hash of 8 bytes is
written so that the compiler does several at once in vector registers.

[1] J.-P. Aumasson, D. Bernstein. SipHash: a fast short-input PRF. INDOCRYPT 2012.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.team import grab

__all__ = ["permute", "sip"]

_CHUNK = 1 << 10
_A, _B = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_C, _D = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_LENGTH, _END = np.uint64(8 << 56), np.uint64(0xFF)  # of the message; what marks its end
_64 = np.uint64(64)


@kernel(borrows=True)
def permute(me, team, control, left, right, keys, mask):
    """Run all rounds on the halves, in place; ``keys`` has two words a round, an even number."""
    while True:
        low, high = grab(control, 0, _CHUNK, len(left))
        if low >= high:
            return
        for turn in range(0, len(keys), 4):
            _round(left[low:high], right[low:high], keys[turn], keys[turn + 1], mask)
            _round(right[low:high], left[low:high], keys[turn + 2], keys[turn + 3], mask)


@inner
def _round(changed, other, first, second, mask):
    for i in range(len(changed)):
        changed[i] ^= sip(other[i], first, second) & mask


@inlined
def sip(word, first, second):
    """SipHash-2-4 of the 8 bytes of a word, under a key of two words."""
    a, b, c, d = first ^ _A, second ^ _B, first ^ _C, second ^ _D
    d ^= word
    a, b, c, d = _mixed(a, b, c, d)
    a, b, c, d = _mixed(a, b, c, d)
    a ^= word
    d ^= _LENGTH
    a, b, c, d = _mixed(a, b, c, d)
    a, b, c, d = _mixed(a, b, c, d)
    a ^= _LENGTH
    c ^= _END
    a, b, c, d = _mixed(a, b, c, d)
    a, b, c, d = _mixed(a, b, c, d)
    a, b, c, d = _mixed(a, b, c, d)
    a, b, c, d = _mixed(a, b, c, d)
    return a ^ b ^ c ^ d


@inlined
def _mixed(a, b, c, d):
    a += b
    b = _turned(b, np.uint64(13)) ^ a
    a = _turned(a, np.uint64(32))
    c += d
    d = _turned(d, np.uint64(16)) ^ c
    a += d
    d = _turned(d, np.uint64(21)) ^ a
    c += b
    b = _turned(b, np.uint64(17)) ^ c
    return a, b, _turned(c, np.uint64(32)), d


@inlined
def _turned(word, by):
    return (word << by) | (word >> (_64 - by))
