"""How much parts hold and may hold, by one weight per vertex or by several.

With one weight, ``mass`` and ``load`` are arrays over vertices and parts, and ``limit`` is one
number. With several, the arrays have a column for each weight, and ``limit`` an element.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner

__all__ = ["Held", "excess", "fits", "held_by", "is_above", "is_lighter", "put", "relief",
           "transfer"]  # fmt: skip


class Held(NamedTuple):
    """The masses of vertices, those of parts, and the most that a part may weigh."""

    mass: Any
    load: Any
    limit: Any


def held_by(mass: np.ndarray, part: np.ndarray, k: int, limit: Any) -> Held:
    """Return the record for a partition."""
    if mass.ndim == 1:
        return Held(mass, np.bincount(part, weights=mass, minlength=k), float(limit))
    load = np.stack([np.bincount(part, weights=one, minlength=k) for one in mass.T], axis=1)
    return Held(mass, load, np.asarray(limit))


@inner
def fits(v, p, mass, load, limit):
    """Can v be added to part p? Of several weights, those that v has must stay in their limits."""
    if mass.ndim == 1:
        return load[p] + mass[v] <= limit
    for c in range(mass.shape[1]):
        if mass[v, c] > 0.0 and load[p, c] + mass[v, c] > limit[c]:
            return False
    return True


@inner
def is_lighter(p, q, load, limit):
    """Has part p less mass than part q? Of several weights, each counts by its limit."""
    if load.ndim == 1:
        return load[p] < load[q]
    first, second = 0.0, 0.0
    for c in range(load.shape[1]):
        first += load[p, c] / max(limit[c], 1e-300)
        second += load[q, c] / max(limit[c], 1e-300)
    return first < second


@inner
def transfer(v, source, target, mass, load):
    """Move the mass of v from one part to another."""
    if mass.ndim == 1:
        load[source] -= mass[v]
        load[target] += mass[v]
    else:
        for c in range(mass.shape[1]):
            load[source, c] -= mass[v, c]
            load[target, c] += mass[v, c]


@inner
def put(v, p, mass, load):
    """Add the mass of v to part p."""
    if mass.ndim == 1:
        load[p] += mass[v]
    else:
        for c in range(mass.shape[1]):
            load[p, c] += mass[v, c]


@inner
def is_above(p, load, limit):
    """Is part p heavier than the limit?"""
    if load.ndim == 1:
        return load[p] > limit
    above = False
    for c in range(load.shape[1]):
        above |= load[p, c] > limit[c]
    return above


@inner
def relief(v, p, mass, load, limit):
    """How much of the excess of part p would go with v; of several weights, by their limits."""
    if mass.ndim == 1:
        return mass[v]
    total = 0.0
    for c in range(mass.shape[1]):
        if load[p, c] > limit[c]:
            total += mass[v, c] / max(limit[c], 1e-300)
    return total


@inner
def excess(load, limit):
    """The mass above the limit; of several weights, by their limits."""
    total = 0.0
    if load.ndim == 1:
        for p in range(len(load)):
            total += max(load[p] - limit, 0.0)
    else:
        for p in range(len(load)):
            for c in range(load.shape[1]):
                total += max(load[p, c] - limit[c], 0.0) / max(limit[c], 1e-300)
    return total
