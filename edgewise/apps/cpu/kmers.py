"""The most similar k-mers on CPU threads: see `edgewise.apps.proteins.seeds`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.insertion import insertion, read_pair, write_pair
from edgewise.base.threads import launch

__all__ = ["nearest_kmers"]


def nearest_kmers(
    codes: np.ndarray, k: int, count: int, costs: np.ndarray, order: np.ndarray
) -> np.ndarray:
    """The ``count`` most similar k-mers of each, itself first; ties go to the smaller code.

    ``costs`` and ``order`` have, for each letter, what its substitutes cost and which they are.
    """
    count = min(count, len(costs) ** k)
    found = np.empty((len(codes), count), np.int64)
    launch(_nearest, codes, k, costs, order, found, work=len(codes) * count * k * 4)
    return found


def _is_nearer(data, item, other):
    return item[0] < other[0] or (item[0] == other[0] and item[1] < other[1])


_insert = insertion(_is_nearer, read_pair, write_pair, inner).insert


@kernel
def _nearest(me, team, control, codes, k, costs, order, found):
    """The best of the first i + 1 letters are among the best of i, with any letter added."""
    count, base = found.shape[1], np.int64(len(costs))
    far, near = np.empty(count, np.int64), np.empty(count, np.int64)
    old_far, old = np.empty(count, np.int64), np.empty(count, np.int64)
    while True:
        low, high = grab(control, 0, 256, len(codes))
        if low >= high:
            return
        for v in range(low, high):
            size, unit = 1, np.int64(1)
            far[0] = near[0] = 0
            for _ in range(k - 1):
                unit *= base
            rest = codes[v]
            for _ in range(k):
                letter, rest = rest // unit, rest % unit
                for i in range(size):
                    old_far[i], old[i] = far[i], near[i]
                before, size = size, 0
                for i in range(before):
                    for j in range(base):
                        item = old_far[i] + costs[letter, j], old[i] + order[letter, j] * unit
                        if size == count and not _before(item, far, near, size - 1):
                            if item[0] > far[size - 1]:
                                break
                            continue
                        at = min(size, count - 1)
                        _insert((far, near), 0, at, item)
                        size = at + 1
                unit //= base
            for i in range(count):
                found[v, i] = near[i]


@inner
def _before(item, far, near, i):
    return item[0] < far[i] or (item[0] == far[i] and item[1] < near[i])
