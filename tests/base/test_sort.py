"""The radix sort against NumPy's stable sort, for several team sizes and kinds of keys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.cpu import sort as module
from edgewise.base.cpu.sort import sort
from edgewise.base.threads import threads

TEAMS = (1, 2, 3)


@pytest.fixture(autouse=True, scope="module")
def _wake_the_team():
    """Small inputs run on the whole team, split into buckets, and split again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        patch.setattr(module, "_BUCKET", 64)
        patch.setattr(module, "_BIG", 256)
        yield


def draw(kind: str, size: int) -> np.ndarray:
    rng = np.random.default_rng(size)
    if kind == "few":
        return rng.integers(0, 3, size).astype(np.uint64)
    if kind == "equal":
        return np.full(size, 7, np.uint64)
    if kind == "signed":
        return rng.integers(-(2**63), 2**63 - 1, size)
    if kind == "skewed":  # nearly all in one bucket, again and again
        return (rng.integers(0, 2**62, size) >> rng.integers(0, 62, size)).astype(np.uint64)
    if kind == "sorted":
        return np.arange(size, dtype=np.int64) - size // 2
    return rng.integers(0, 2**64 - 1, size, dtype=np.uint64)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("size", [0, 1, 2, 33, 1000, 20_000])
@pytest.mark.parametrize("kind", ["random", "few", "equal", "signed", "skewed", "sorted"])
def test_stable_like_numpy(kind, size, team):
    given_keys = draw(kind, size)
    order = np.argsort(given_keys, kind="stable")
    keys, payload = given_keys.copy(), np.arange(size, dtype=np.uint32)
    with threads(team):
        sort(keys, payload)
    np.testing.assert_array_equal(keys, given_keys[order])
    np.testing.assert_array_equal(payload, order)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_payload_keeps_its_bits(dtype, team):
    keys = draw("random", 5000)
    payload = np.arange(5000).astype(dtype)
    if payload.dtype.kind == "f":
        payload[::7], payload[3] = np.nan, -0.0
    expected = payload[np.argsort(keys, kind="stable")]
    with threads(team):
        sort(keys, payload)
    assert payload.tobytes() == expected.tobytes()


@pytest.mark.parametrize("team", TEAMS)
def test_without_payload(team):
    keys = draw("random", 5000)
    expected = np.sort(keys)
    with threads(team):
        sort(keys)
    np.testing.assert_array_equal(keys, expected)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize(("low", "high"), [(0, 8), (1, 20), (10, 40), (5, 5), (30, None)])
def test_chosen_bits_alone(low, high, team):
    keys = np.random.default_rng(1).integers(0, 2 ** (high or 50), 3000).astype(np.uint64)
    order = np.argsort(keys >> np.uint64(low), kind="stable")
    expected = keys[order]
    with threads(team):
        sort(keys, low=low, high=high)
    np.testing.assert_array_equal(keys, expected)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=400), st.sampled_from(TEAMS))
def test_any_integers(values, team):
    keys, payload = np.array(values, np.int64), np.arange(len(values))
    with threads(team):
        sort(keys, payload)
    assert [(values[i], i) for i in payload] == sorted((v, i) for i, v in enumerate(values))
    assert keys.tolist() == sorted(values)


def test_errors():
    with pytest.raises(TypeError, match="keys must be uint64 or int64, got int32"):
        sort(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match=r"payload must have one entry per key \(3\), got 2"):
        sort(np.zeros(3, np.int64), np.zeros(2, np.int64))
