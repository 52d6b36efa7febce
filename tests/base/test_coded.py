"""Arrays as codes into a table: every element, in Python and in kernels, as in the array."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from edgewise.base.cache import kernel
from edgewise.base.coded import encode
from edgewise.base.threads import launch


@kernel(borrows=True)
def copy_kernel(me, team, control, values, places, out):
    for i in range(len(places)):
        out[i] = values[places[i]]
    out[len(places)] = len(values)


@pytest.mark.parametrize(("dtype", "distinct"), [("float32", 5), ("float64", 700), ("int64", 9)])
@pytest.mark.parametrize("places", [np.int64, np.uint64])
def test_kernels_read_elements(dtype, distinct, places):
    array = np.random.default_rng(1).integers(0, distinct, 2000) / 4 - 1
    array = array.astype(dtype)
    coded, at = encode(array), np.arange(0, 2000, 7).astype(places)
    assert coded.codes.itemsize == 1 + (distinct > 256)
    out = np.zeros(len(at) + 1, dtype)
    launch(copy_kernel, coded, at, out, work=len(at), team=1)
    assert np.array_equal(out[:-1], array[at]) and out[-1] == 2000


def test_it_is_like_an_array():
    array = np.array([2.5, np.nan, -1.0, 2.5])
    coded = encode(array)
    assert (len(coded), coded.dtype, coded.shape, coded.itemsize) == (4, array.dtype, (4,), 8)
    assert np.array_equal(np.asarray(coded), array, equal_nan=True)
    assert np.asarray(coded) is not None and coded[0] == 2.5 and coded[[2, 3]].tolist() == [-1, 2.5]
    held = coded.unpack()
    assert coded.unpack() is held and not held.flags.writeable
    assert np.array_equal(pickle.loads(pickle.dumps(coded)), array, equal_nan=True)
    assert coded.view(np.int64)[0] == array.view(np.int64)[0]


def test_too_little_memory_is_said_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr("edgewise.base.coded.free_memory", lambda: 10)
    with pytest.raises(MemoryError, match="these weights take 24 bytes as an array, but only 10"):
        encode(np.array([1.0, 2.0, 1.0])).unpack()
