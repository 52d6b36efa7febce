"""Random words for the samples of a profile: functions of (seed, item, turn) alone."""

from __future__ import annotations

import numpy as np

from edgewise.base.random import bits, check_seed

__all__ = ["words"]


def words(seed: int, count: int, turn: int) -> np.ndarray:
    """64 random bits for each of ``count`` items.

    >>> words(0, 3, 1).dtype, len(set(words(0, 3, 1).tolist()))
    (dtype('uint64'), 3)
    """
    return bits(check_seed(seed), np.arange(count, dtype=np.uint64), turn)
