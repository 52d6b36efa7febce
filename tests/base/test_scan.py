"""Prefix sums against NumPy's, for several team sizes."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.cpu.scan import exclusive_scan
from edgewise.base.threads import threads


@pytest.fixture(autouse=True)
def _wake_the_team(monkeypatch):
    monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 0)


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 1000])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_agrees_with_numpy(team, size, dtype):
    values = np.random.default_rng(size).integers(0, 100, size).astype(dtype)
    with threads(team):
        result = exclusive_scan(values)
    assert result.dtype == np.int64
    assert result.tolist() == [0, *np.cumsum(values)]


def test_sums_beyond_32_bits():
    values = np.full(5, 2**31 - 1, np.int32)
    assert exclusive_scan(values)[-1] == 5 * (2**31 - 1)


def test_in_place():
    out = np.array([3, 1, 2, 0])
    with threads(2):
        assert exclusive_scan(out[:3], out) is out
    assert out.tolist() == [0, 3, 4, 6]


def test_wrong_length():
    with pytest.raises(ValueError, match="out must have 4 entries, got 3"):
        exclusive_scan(np.zeros(3, np.int64), np.zeros(3, np.int64))
