"""Exclusive prefix sums on CPU threads.

`scan` is called by every thread of a kernel; `exclusive_scan` launches one that does nothing else.
Sums are integers, so the result does not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import barrier, share
from edgewise.base.threads import get_threads, launch, threads

__all__ = ["exclusive_scan", "scan"]


def exclusive_scan(values: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """``out[i] = values[0] + ... + values[i - 1]``, one entry longer than ``values``.

    ``out`` (int64, made if not given) may be ``values`` with one more entry: it is safe to scan
    in place.

    >>> exclusive_scan(np.array([3, 1, 2])).tolist()
    [0, 3, 4, 6]
    """
    if out is None:
        out = np.empty(len(values) + 1, np.int64)
    if len(out) != len(values) + 1:
        raise ValueError(f"out must have {len(values) + 1} entries, got {len(out)}")
    team = get_threads()
    with threads(team):
        launch(_scan_kernel, values, out, np.empty(team, np.int64), work=len(values))
    return out


@helper
def scan(me, team, control, values, out, sums):
    """Scan ``values`` into ``out`` (one longer) together; ``sums`` has ``team`` entries to spare.

    Every thread calls it; False means stopped. ``out`` is complete on return.
    """
    low, high = share(me, team, len(values))
    total = np.int64(0)
    for i in range(low, high):
        total += values[i]
    sums[me] = total
    if not barrier(control, team):
        return False
    total = np.int64(0)
    for i in range(me):
        total += sums[i]
    for i in range(low, high):
        value = values[i]
        out[i] = total
        total += value
    if me == team - 1:
        out[len(values)] = total
    return barrier(control, team)


@kernel
def _scan_kernel(me, team, control, values, out, sums):
    scan(me, team, control, values, out, sums)
