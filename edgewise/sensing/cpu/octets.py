"""Numbers of two, four and eight bytes at any place of an array of bytes.

Nothing is checked here: whoever asks for ``n`` bytes at ``at`` has seen that ``at >= 0`` and
``at + n <= len(data)``. Indices are unsigned, so that the bytes of a number are one load, and that
a negative place is an error, not a place from the end, where these run uncompiled in tests.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner

__all__ = ["big16", "big32", "big64", "octet", "touch", "word16", "word32"]


@inlined
def octet(data, at):
    """The byte at ``at``."""
    return np.int64(data[np.uint64(at)])


@inlined
def big16(data, at):
    """Two bytes, the most significant first."""
    return octet(data, at) << 8 | octet(data, at + 1)


@inlined
def big32(data, at):
    """Four bytes, the most significant first."""
    return (
        octet(data, at) << 24
        | octet(data, at + 1) << 16
        | octet(data, at + 2) << 8
        | octet(data, at + 3)
    )


@inlined
def big64(data, at):
    """Eight bytes, the most significant first, as an unsigned number."""
    high, low = np.uint64(big32(data, at)), np.uint64(big32(data, at + 4))
    return high << np.uint64(32) | low


@inlined
def word16(data, at, big):
    """Two bytes, the most significant first if ``big``, else last."""
    if big:
        return big16(data, at)
    return octet(data, at + 1) << 8 | octet(data, at)


@inlined
def word32(data, at, big):
    """Four bytes, the most significant first if ``big``, else last."""
    if big:
        return big32(data, at)
    return (
        octet(data, at + 3) << 24
        | octet(data, at + 2) << 16
        | octet(data, at + 1) << 8
        | octet(data, at)
    )


@inner
def touch(data, low, high):
    """Look at a byte of each cache line; what is returned has no meaning, but must be kept."""
    seen = 0
    for at in range(low, high, 64):
        seen ^= octet(data, at)
    return seen
