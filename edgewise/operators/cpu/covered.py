"""How many sets hold one of some vertices, on CPU threads: rows are read up to the first."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.set_rows import take
from edgewise.operators.sets import Sets

__all__ = ["covered"]


def covered(sets: Sets, mask: np.ndarray) -> int:
    """See `edgewise.operators.covering.covered`."""
    total = np.zeros(1, np.int64)
    launch(covered_kernel, sets.data, sets.starts, mask, total, work=sets.payload // 4)
    return int(total[0])


@kernel(borrows=True)
def covered_kernel(me, team, control, data, starts, mask, total):
    """Threads take sets in turns."""
    found = np.int64(0)
    while True:
        low, high = grab(control, 0, 256, len(starts))
        if low == high:
            break
        for i in range(low, high):
            found += holds(data, starts[i], mask)
    fetch_add(total, 0, found)


@inner
def holds(data, at, mask):
    """1 if a row has a member in the mask, else 0."""
    size, at = take(data, at)
    if size & 1:
        for v in range(len(mask)):
            if mask[v] != 0 and (data[at + (v >> 3)] >> np.uint8(v & 7)) & np.uint8(1):
                return 1
        return 0
    v = np.int64(-1)
    for _ in range(size >> 1):
        gap, at = take(data, at)
        v += gap + 1
        if mask[v] != 0:
            return 1
    return 0
