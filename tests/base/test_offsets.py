"""Offsets from counts, against a loop that adds them up."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.offsets import offsets
from edgewise.base.threads import threads


def expected(counts) -> list[int]:
    sums = [0]
    for count in counts:
        sums.append(sums[-1] + int(count))
    return sums


@pytest.mark.parametrize("size", [0, 1, 2, 1000])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_arrays(size, dtype):
    counts = np.random.default_rng(size).integers(0, 2 if dtype is bool else 100, size)
    counts = counts.astype(dtype)
    counts.flags.writeable = False
    found = offsets(counts)
    assert found.dtype == np.int64
    assert found.tolist() == expected(counts)


def test_lists():
    assert offsets([]).tolist() == [0]
    assert offsets([0]).tolist() == [0, 0]
    assert offsets([3, 0, 2]).tolist() == [0, 3, 3, 5]


def test_strided_counts():
    counts = np.arange(12).reshape(4, 3)
    assert offsets(counts[:, 1]).tolist() == expected(counts[:, 1])


def test_sums_beyond_32_bits():
    counts = np.full(5, 2**31 - 1, np.int32)
    assert offsets(counts).tolist() == expected(counts)


def test_extremes():
    assert offsets(np.array([2**62, 2**62 - 1])).tolist() == [0, 2**62, 2**63 - 1]


def test_many_counts_are_added_by_all_threads(monkeypatch):
    monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
    counts = np.random.default_rng(0).integers(0, 9, 1001).astype(np.int32)
    with threads(3):
        assert offsets(counts).tolist() == expected(counts)
