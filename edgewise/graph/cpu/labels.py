"""Numbering sorted labels: equal ones get one id, in ascending order."""

from __future__ import annotations

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import barrier, share

__all__ = ["number"]


@kernel
def number(me, team, control, keys, positions, found, distinct, ids):
    """Write the distinct keys to ``distinct``, each key's id to ``ids`` at its old position.

    ``keys`` is sorted; ``found`` gets each thread's number of distinct keys.
    """
    low, high = share(me, team, len(keys))
    count = 0
    for i in range(low, high):
        if i == 0 or keys[i] != keys[i - 1]:
            count += 1
    found[me] = count
    if not barrier(control, team):
        return
    rank = -1
    for member in range(me):
        rank += found[member]
    for i in range(low, high):
        if i == 0 or keys[i] != keys[i - 1]:
            rank += 1
            distinct[rank] = keys[i]
        ids[positions[i]] = rank
