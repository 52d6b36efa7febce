"""Which letters elements have: what their edit similarity cannot exceed.

Whatever edits make one string of another, the longer one keeps at most the letters that both have:
the edits are at least the others. The letters of an element are in 32 classes, by the last bits of
their code points (a class for each letter of ASCII, capital or not). A bag is two words, with four
bits for each class, of which as many are set as the element has letters of it: so the bits that
two bags have in common are the letters that two elements have, but for those beyond four.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.bits import count_bits
from edgewise.operators import for_each

__all__ = ["bags", "most_alike"]

_1, _15, _16 = np.uint64(1), np.uint64(15), np.uint64(16)


def bags(points: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The bags of elements, two words each; ``points`` are their letters.

    >>> [format(int(word), "x") for word in bags(np.uint32([97, 98, 97, 97]), np.array([0, 4]))]
    ['170', '0']
    """
    count = len(starts) - 1
    found = np.empty(2 * count, np.uint64)
    for_each(count, _fill, (points, starts, found), work=len(points) + len(found))
    return found


@inlined
def _fill(i, points, starts, found):
    low, high = np.uint64(0), np.uint64(0)
    for k in range(starts[i], starts[i + 1]):
        kind = np.uint64(points[k])
        place = (kind & _15) << np.uint64(2)
        there = (high if kind & _16 else low) >> place & _15
        more = (there << _1 | _1) << place & _15 << place
        if kind & _16:
            high |= more
        else:
            low |= more
    found[2 * i], found[2 * i + 1] = low, high


@inner
def most_alike(words, e, size, other, length):
    """What the edit similarity of two elements of so many letters, not both 0, cannot exceed."""
    a, b, c, d = words[2 * e], words[2 * e + 1], words[2 * other], words[2 * other + 1]
    beyond = min(size - count_bits(a) - count_bits(b), length - count_bits(c) - count_bits(d))
    return (count_bits(a & c) + count_bits(b & d) + beyond) / max(size, length)
