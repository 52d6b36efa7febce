"""The door to CPU threads for layers that are no engine: launch a kernel, sort, fill.

Kernels stand in ``cpu/`` folders; what else is in `graph`, `generators` and `io` checks, allocates
and launches them through here. Nothing here imports Numba before it is called.

>>> import numpy as np
>>> keys, payload = np.array([5, -1, 5]), np.array([0, 1, 2])
>>> sort(keys, payload)
>>> keys.tolist(), payload.tolist()
([-1, 5, 5], [1, 0, 2])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.threads import get_threads, launch, team_for, threads

__all__ = [
    "arange",
    "big_bucket",
    "full",
    "get_threads",
    "launch",
    "sort",
    "split_bits",
    "threads",
]


#: Elements for which threads are not even asked for.
_FEW = 1 << 14


def full(size: int, fill: Any, dtype: Any = None) -> np.ndarray:
    """What ``np.full`` returns; threads fill a large array if there are more than two.

    >>> full(3, -1).tolist()
    [-1, -1, -1]
    """
    one = np.full(1, fill, dtype)
    width = one.dtype.itemsize
    team = team_for(size * width // 8)
    if team <= 2 or width not in (1, 2, 4, 8) or one.dtype.hasobject:
        return np.full(size, fill, dtype)
    from edgewise.base.cpu.first_touch import fill_words

    array, each = np.empty(size, one.dtype), 8 // width
    whole = size - size % each
    word = one.repeat(each).view(np.uint64)[0]
    launch(fill_words, array[:whole].view(np.uint64), word, work=whole // each, team=team)
    array[whole:] = one
    return array


def arange(size: int, dtype: Any = None) -> np.ndarray:
    """What ``np.arange`` returns; threads write a large array if there are more than two.

    >>> arange(3).tolist()
    [0, 1, 2]
    """
    if size <= _FEW:
        return np.arange(size, dtype=dtype)
    kind = np.dtype(np.int64 if dtype is None else dtype)
    team = team_for(size * kind.itemsize // 8)
    if team <= 2 or kind.kind not in "iu":
        return np.arange(size, dtype=kind)
    from edgewise.base.cpu.first_touch import number_all

    array = np.empty(size, kind)
    launch(number_all, array, work=size, team=team)
    return array


def sort(keys: np.ndarray, payload: np.ndarray | None = None, **options: Any) -> None:
    """Sort 64-bit integers in place, and a payload along, stably; see `edgewise.base.cpu.sort`."""
    from edgewise.base.cpu.sort import sort

    sort(keys, payload, **options)


def split_bits(size: int, bits: int) -> int:
    """By how many of ``bits`` bits to split ``size`` keys, for buckets that fit the cache."""
    from edgewise.base.cpu.sort import split_bits

    return split_bits(size, bits)


def big_bucket(size: int, team: int) -> int:
    """Buckets with more keys than this should be sorted by the whole team."""
    from edgewise.base.cpu.sort import big_bucket

    return big_bucket(size, team)
