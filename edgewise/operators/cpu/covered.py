"""How many sets hold one of some vertices, on CPU threads: rows are read up to the first."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.threads import get_threads, launch
from edgewise.operators.cpu.set_rows import take
from edgewise.operators.cpu.walk import over
from edgewise.operators.sets import Sets

__all__ = ["covered"]

#: Numbers between those that two threads write.
_APART = 8


def covered(sets: Sets, mask: np.ndarray) -> int:
    """See `edgewise.operators.covering.covered`."""
    team, work = get_threads(), sets.payload // 4
    totals = np.zeros(team * _APART, np.int64)
    launch(covered_kernel, len(sets.starts), 256, (sets.data, sets.starts, mask, totals),
           work=work, team=team)  # fmt: skip
    return int(totals.sum())


@inlined
def _count(i, me, control, given):
    data, starts, mask, totals = given
    totals[me * _APART] += holds(data, starts[i], mask)


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


covered_kernel = over(_count)
