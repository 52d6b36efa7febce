"""Groups of similar records, each at least as large as every member's k: recursive splits [1].

A group is split at the median of the column with the most values, if both parts are large enough,
else of the next column. A group that no column splits is final.

[1] K. LeFevre, D. DeWitt, R. Ramakrishnan. Mondrian multidimensional k-anonymity. ICDE 2006.
"""

from __future__ import annotations

import numpy as np

__all__ = ["equal_groups"]


def equal_groups(codes: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The group of every record, numbered from 0."""
    n = len(codes)
    group, found = np.zeros(n, np.int64), 0
    waiting = [np.arange(n)] if n else []
    while waiting:
        members = waiting.pop()
        parts = _split(codes, k, members)
        if parts is None:
            group[members] = found
            found += 1
        else:
            waiting += parts
    return group


def _split(codes: np.ndarray, k: np.ndarray, members: np.ndarray) -> list[np.ndarray] | None:
    """Two parts of the records, or None if no column splits them."""
    needed = k[members]
    if len(members) < 2 * needed.min():
        return None
    cells = codes[members]
    sorted_cells = np.sort(cells, axis=0)
    values = 1 + (np.diff(sorted_cells, axis=0) != 0).sum(axis=0)
    for column in np.argsort(-values, kind="stable"):
        if values[column] == 1:
            break
        middle = sorted_cells[len(members) // 2, column]
        for low in (cells[:, column] < middle, cells[:, column] <= middle):
            below = int(np.count_nonzero(low))
            if (
                0 < below < len(members)
                and below >= needed[low].max()
                and len(members) - below >= needed[~low].max()
            ):
                return [members[low], members[~low]]
    return None
