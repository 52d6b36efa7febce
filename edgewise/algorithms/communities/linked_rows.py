"""The neighbors of communities as doubly linked entries, for `agglomerating`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.operators.helpers import inner

__all__ = ["Rows", "unlink"]


class Rows(NamedTuple):
    """Linked rows: ``head[x]`` is the first entry of x, -1 is no entry."""

    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    twin: np.ndarray
    other: np.ndarray
    weight: np.ndarray
    length: np.ndarray


@inner
def unlink(rows, x, e):
    """Take an entry out of the row of x; it is marked for lists that have it."""
    before, after = rows.before[e], rows.after[e]
    if before >= 0:
        rows.after[before] = after
    else:
        rows.head[x] = after
    if after >= 0:
        rows.before[after] = before
    rows.length[x] -= 1
    rows.other[e] = -1
