"""Parts that keep the limit where heavy vertices make that hard: bin packing by decreasing mass.

A vertex stays in its part if it fits. Otherwise it goes into the part with the least mass, or into
the heaviest part in which it fits. Each way is tried first with the given partition, then without
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.operators.sequential import going, sequential

__all__ = ["packed"]


def packed(mass: np.ndarray, part: np.ndarray, k: int, limit: float) -> Any:
    """Return parts that keep the limit, close to the given ones; None if none were found."""
    order, load, failed = np.argsort(-mass, kind="stable"), np.empty(k), np.empty(1, np.bool_)
    for stays in (True, False):
        for tightest in (False, True):
            found = part.copy()
            state = mass, order, found, load, float(limit), stays, tightest, failed
            sequential(_pack, state, steps=len(mass), work=len(mass) * k, phase="pack")
            if not failed[0]:
                return found
    return None


def _pack(control, mass, order, part, load, limit, stays, tightest, failed):
    load[:] = 0.0
    failed[0] = False
    for i in range(len(order)):
        if i & 255 == 0 and not going(control, i):
            return
        v = order[i]
        best = part[v] if stays and load[part[v]] + mass[v] <= limit else -1
        if best < 0:
            for p in range(len(load)):
                if load[p] + mass[v] <= limit and (
                    best < 0 or (load[p] > load[best] if tightest else load[p] < load[best])
                ):
                    best = p
        if best < 0:
            failed[0] = True
            return
        part[v] = best
        load[best] += mass[v]
