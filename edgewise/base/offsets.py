"""Offsets from counts: where the rows of a CSR, or any runs that lie side by side, begin.

>>> offsets([3, 0, 2]).tolist()
[0, 3, 3, 5]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.threads import team_for

__all__ = ["offsets"]


def offsets(counts: Any) -> Any:
    """Return the running sums of ``counts`` as int64: 0 first, the total last.

    Parameters
    ----------
    counts
        Whole numbers or booleans: a list or an array in host memory, or an array on a GPU, where
        the result is, too. It is one entry longer than ``counts``.
    """
    if hasattr(counts, "__cuda_array_interface__"):
        return _on_device(counts)
    sums = np.empty(len(counts) + 1, np.int64)
    if team_for(len(counts)) > 2:
        from edgewise.base.cpu.scan import exclusive_scan

        sums[:-1] = counts
        return exclusive_scan(sums[:-1], sums)
    sums[0] = 0
    sums[1:] = counts
    np.cumsum(sums[1:], out=sums[1:])  # in place: a conversion on the way takes four times as long
    return sums


def _on_device(counts: Any) -> Any:
    import cupy

    sums = cupy.empty(len(counts) + 1, np.int64)
    sums[:1].fill(0)
    cupy.cumsum(counts, dtype=np.int64, out=sums[1:])
    return sums
