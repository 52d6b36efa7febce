"""Rows of integers, one after another: sort each, keep each value once, on CPU threads."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.offsets import offsets
from edgewise.join.cpu.strings import Texts
from edgewise.operators import for_each

__all__ = ["distinct_rows", "packed"]


def distinct_rows(starts: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows with their values ascending, each once; ``values`` is used up.

    >>> distinct_rows(np.array([0, 3, 3, 4]), np.int32([7, 2, 7, 5]))
    (array([0, 2, 2, 3]), array([2, 7, 5], dtype=int32))
    """
    sizes = np.empty(len(starts) - 1, np.int64)
    rows, work = len(sizes), len(values) + len(sizes)
    for_each(rows, _make_distinct, (starts, values, sizes), work=8 * work)
    new = offsets(sizes)
    out = np.empty(new[-1], values.dtype)
    for_each(rows, _gather, (starts, values, new, out), work=work)
    return new, out


def packed(texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """Texts one after another: where each begins, and their bytes.

    >>> buffer = np.frombuffer(b"a-bc", np.uint8)
    >>> starts, found = packed(Texts(buffer, np.array([2, 0]), np.array([4, 1])))
    >>> starts.tolist(), found.tobytes()
    ([0, 2, 3], b'bca')
    """
    texts = texts.frozen()
    starts = offsets(texts.ends - texts.begins)
    out = np.empty(starts[-1], np.uint8)
    count = len(starts) - 1
    for_each(count, _gather, (texts.begins, texts.buffer, starts, out), work=len(out) + count)
    return starts, out


@inlined
def _make_distinct(row, starts, values, sizes):
    begin, end = starts[row], starts[row + 1]
    sort_few(values, begin, end)
    at = begin
    for i in range(begin, end):
        if i == begin or values[i] != values[at - 1]:
            values[at] = values[i]
            at += 1
    sizes[row] = at - begin


@inlined
def _gather(row, starts, values, new, out):
    begin = starts[row]
    for i in range(new[row + 1] - new[row]):
        out[new[row] + i] = values[begin + i]
