"""Counting numbers in bins of powers of two, on one thread.

Most numbers are small, and many in a row go to the same bin. So there are a few rows of counts that
are used in turn: the next count does not wait for the one before.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.bits import bit_length
from edgewise.sensing.quantities import BINS

__all__ = ["TURNS", "add_rows", "bin_rows", "count_steps", "count_values"]

_ROWS = 4
#: A mask that gives the row of a number from its place.
TURNS = _ROWS - 1


def bin_rows(team: int) -> np.ndarray:
    """Rows of counts for each thread."""
    return np.zeros((team, _ROWS, BINS), np.int64)


@inner
def count_values(values, bins, counts):
    """Count numbers; the largest."""
    most = np.int64(0)
    for i in range(len(values)):
        value = np.int64(values[i])
        most = max(most, value)
        bins[i & TURNS, bit_length(np.uint64(value - 1))] += 1
    add_rows(bins, counts)
    return most


@inner
def count_steps(ends, bins, counts):
    """Count the differences of ascending numbers, from 0 on; the largest."""
    before, most = np.int64(0), np.int64(0)
    for i in range(len(ends)):
        value = np.int64(ends[i]) - before
        before += value
        most = max(most, value)
        bins[i & TURNS, bit_length(np.uint64(value - 1))] += 1
    add_rows(bins, counts)
    return most


@inner
def add_rows(bins, counts):
    """Add rows of counts to those of a distribution, and leave them 0."""
    for row in range(_ROWS):
        for i in range(BINS):
            counts[i] += bins[row, i]
            bins[row, i] = 0
