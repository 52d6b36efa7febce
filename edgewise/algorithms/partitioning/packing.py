"""Parts that keep the limit where heavy vertices make that hard: bin packing by decreasing mass.

A vertex stays in its part if it fits. Otherwise it goes into the part with the least mass, or into
the heaviest part in which it fits. Each way is tried first with the given partition, then without
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.holding import fits, held_by, is_lighter, put
from edgewise.operators.sequential import going, sequential

__all__ = ["packed"]


def packed(mass: np.ndarray, part: np.ndarray, k: int, limit: Any) -> Any:
    """Return parts that keep the limit, close to the given ones; None if none were found.

    With several weights, ``mass`` has a column for each and ``limit`` an element.
    """
    largest = mass if mass.ndim == 1 else (mass / np.maximum(limit, 1e-300)).max(axis=1)
    order, failed = np.argsort(-largest, kind="stable"), np.empty(1, np.bool_)
    for stays in (True, False):
        for tightest in (False, True):
            found, held = part.copy(), held_by(mass, part, k, limit)
            state = held, order, found, k, stays, tightest, failed
            sequential(_pack, state, steps=len(mass), work=len(mass) * k, phase="pack")
            if not failed[0]:
                return found
    return None


def _pack(control, held, order, part, k, stays, tightest, failed):
    mass, load, limit = held
    load[:] = 0.0
    failed[0] = False
    for i in range(len(order)):
        if i & 255 == 0 and not going(control, i):
            return
        v = order[i]
        best = part[v] if stays and fits(v, part[v], mass, load, limit) else -1
        if best < 0:
            for p in range(k):
                if not fits(v, p, mass, load, limit):
                    continue
                if best < 0 or is_lighter(p, best, load, limit) != tightest:
                    best = p
        if best < 0:
            failed[0] = True
            return
        part[v] = best
        put(v, best, mass, load)
