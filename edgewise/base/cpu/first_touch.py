"""Fill arrays on all threads: each is the first to touch its part of the memory."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import share

__all__ = ["fill_words", "number_all"]


@kernel
def fill_words(me, team, control, words, word):
    """Write one 64-bit word everywhere."""
    low, high = share(me, team, len(words))
    for i in range(np.uint64(low), np.uint64(high)):
        words[i] = word


@kernel
def number_all(me, team, control, array):
    """Write every element's index."""
    low, high = share(me, team, len(array))
    for i in range(np.uint64(low), np.uint64(high)):
        array[i] = i
