"""Alignments of many pairs on CPU threads: see `edgewise.apps.proteins.alignment`."""

from __future__ import annotations

import numpy as np

from edgewise.apps.proteins.dynamic_programs import Costs, Trail, extension, local_alignment
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch

__all__ = ["align_banded", "extend_seeds", "score_all"]

_local, _extend = inner(local_alignment), inner(extension)


def score_all(letters, starts, left, right, costs: Costs, cells: int) -> np.ndarray:
    """The score of the best local alignment of each pair."""
    found = np.empty(len(left), np.int32)
    launch(_score, letters, starts, left, right, costs, _longest(starts), found, work=cells)
    return found


def align_banded(
    letters, starts, left, right, costs: Costs, center, band, cells: int
) -> np.ndarray:
    """The best local alignment of each pair near its diagonal: a row of `FIELDS` per pair."""
    found = np.empty((len(left), 7), np.int64)
    args = letters, starts, left, right, costs, center, band, _longest(starts)
    launch(_align, *args, found, work=cells)
    return found


def extend_seeds(letters, starts, left, right, costs: Costs, seeds, drop, cells) -> np.ndarray:
    """The alignment around each pair's seed, by extension both ways: a row of `FIELDS` per pair."""
    found = np.empty((len(left), 7), np.int64)
    args = letters, starts, left, right, costs, seeds, np.int32(drop), _longest(starts)
    launch(_around, *args, found, work=cells)
    return found


def _longest(starts: np.ndarray) -> int:
    return int(np.diff(starts).max(initial=0))


@kernel
def _score(me, team, control, letters, starts, left, right, costs, longest, found):
    rows = np.empty(longest, np.int32), np.empty(longest, np.int32), 0, 1
    while True:
        low, high = grab(control, 0, 8, len(left))
        if low >= high:
            return
        for p in range(low, high):
            a, b = starts[left[p]], starts[right[p]]
            m, n = starts[left[p] + 1] - a, starts[right[p] + 1] - b
            found[p] = _local(letters, a, m, letters, b, n, costs, 0, m + n, rows, None)[0]


@kernel
def _align(me, team, control, letters, starts, left, right, costs, center, band, longest, found):
    rows = np.empty(longest, np.int32), np.empty(longest, np.int32), 0, 1
    begin, count = np.empty(longest, np.int64), np.empty(longest, np.int64)
    trail = Trail(begin, count, np.empty_like(begin), np.empty_like(count))
    while True:
        low, high = grab(control, 0, 4, len(left))
        if low >= high:
            return
        for p in range(low, high):
            a, b = starts[left[p]], starts[right[p]]
            m, n = starts[left[p] + 1] - a, starts[right[p] + 1] - b
            one = _local(letters, a, m, letters, b, n, costs, center[p], band[p], rows, trail)
            for i in range(7):
                found[p, i] = one[i]


@kernel
def _around(me, team, control, letters, starts, left, right, costs, seeds, drop, longest, found):
    rows = np.empty(longest + 1, np.int32), np.empty(longest + 1, np.int32), 0, 1
    counts = np.empty(longest + 1, np.int64), np.empty(longest + 1, np.int64)
    while True:
        low, high = grab(control, 0, 4, len(left))
        if low >= high:
            return
        for p in range(low, high):
            a, b = starts[left[p]], starts[right[p]]
            m, n = starts[left[p] + 1] - a, starts[right[p] + 1] - b
            i, j = seeds[p, 0], seeds[p, 1]
            on = _extend(
                letters, a + i, m - i, letters, b + j, n - j, 1, costs, drop, rows, counts
            )
            back = _extend(
                letters, a + i - 1, i, letters, b + j - 1, j, -1, costs, drop, rows, counts
            )
            found[p, 0] = on[0] + back[0]
            found[p, 1], found[p, 2] = i - back[1], i + on[1]
            found[p, 3], found[p, 4] = j - back[2], j + on[2]
            found[p, 5], found[p, 6] = on[3] + back[3], on[4] + back[4]
