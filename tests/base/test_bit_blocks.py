"""Integers in blocks of few bits: every element, in Python and in kernels, as in the array."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from edgewise.base.bit_blocks import LIMIT, Blocks, check_blocks, pack
from edgewise.base.cache import kernel
from edgewise.base.cpu.bit_blocks import nearby, reach
from edgewise.base.threads import launch

SIZES = [0, 1, 63, 64, 65, 1000, 100_000]


def numbers(size, top, dtype=np.int32, seed=1):
    return np.random.default_rng(seed).integers(0, top, size).astype(dtype)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top", [1, 2, 1000, 2**31 - 1])
def test_all_elements_come_back(size, top):
    array = numbers(size, top)
    blocks = pack(array)
    assert len(blocks) == size and blocks.dtype == np.int32 and blocks.shape == (size,)
    assert np.array_equal(np.asarray(blocks), array) and blocks.tolist() == array.tolist()
    assert np.array_equal(blocks[::-3], array[::-3])
    some = np.random.default_rng(2).permutation(size) - size // 2
    assert np.array_equal(blocks[some], array[some])


def test_sixty_four_bits_and_the_limit():
    array = np.array([0, LIMIT - 1, 5] * 50)
    assert np.array_equal(pack(array).unpack(), array)
    for wrong in (LIMIT, -1):
        with pytest.raises(ValueError, match=f"0 to 2\\*\\*32 - 1, got {wrong}"):
            pack(np.array([3, wrong, 4]))
    with pytest.raises(TypeError, match="float64"):
        pack(np.zeros(3))


def test_small_ranges_take_few_bits():
    ascending = pack(np.arange(1 << 16))
    assert ascending.nbytes < (8 / 8 + 8 / 64) * (1 << 16) + 80
    assert pack(np.full(1 << 16, 7)).nbytes < (8 / 64) * (1 << 16) + 80


def test_it_is_indexed_as_an_array():
    array = numbers(500, 10_000)
    blocks = pack(array)
    some = np.array([[0, 499], [-1, 77]])
    assert np.array_equal(blocks[some], array[some])
    assert np.array_equal(blocks[array > 5000], array[array > 5000])
    assert blocks[-1] == array[-1] and isinstance(blocks.item(3), int)
    for wrong in (500, -501, [2, 500]):
        with pytest.raises(IndexError, match="0 to 499"):
            blocks[wrong]


def test_what_is_unpacked_lives_as_long_as_it_is_used():
    blocks = pack(numbers(100, 50))
    first = blocks.unpack()
    assert blocks.unpack() is first and not first.flags.writeable
    del first
    assert blocks._unpacked() is None


def test_views_and_pickles():
    array = numbers(200, 2**31 - 1)
    blocks = pack(array)
    assert blocks.view(np.uint32).dtype == np.uint32 and blocks.view() is blocks
    with pytest.raises(TypeError, match="4 bytes, got int64"):
        blocks.view(np.int64)
    copy = pickle.loads(pickle.dumps(blocks))
    assert isinstance(copy, Blocks) and np.array_equal(copy.unpack(), array)


@kernel(borrows=True)
def read_all(me, team, control, given, out):
    blocks, places = given
    for i in range(len(places)):
        out[i] = blocks[places[i]]
    out[len(places)] = len(blocks)
    part = blocks[100:400][50:]
    out[len(places) + 1], out[len(places) + 2] = len(part), part[7]


@pytest.mark.parametrize("dtype", [np.int32, np.uint64])
def test_kernels_read_elements_in_any_order(dtype):
    array = numbers(10_000, 2**20, np.int32)
    blocks = pack(array if dtype == np.int32 else array.astype(np.int64)).view(dtype)
    places = np.random.default_rng(2).integers(-10_000, 10_000, 5000)
    out = np.zeros(5003, np.int64)
    launch(read_all, (blocks, places), out, team=1, work=0)
    assert np.array_equal(out[:-3], array[places])
    assert out[-3:].tolist() == [10_000, 250, array[157]]


def test_damaged_parts_are_refused():
    words, heads, tops = (np.array(part) for part in pack(numbers(1000, 2**20)).parts())
    check_blocks(words, heads, tops, 1000)
    for broken in (
        (words[:-20], heads, tops, 1000),
        (words, heads[:-1], tops, 1000),
        (words, heads, tops + np.uint64(1 << 40), 1000),
        (words, heads | np.uint64(63 << 26), tops, 1000),
        (words, heads, tops, 1064),
    ):
        with pytest.raises(ValueError, match="heads|past the words"):
            check_blocks(*broken)


@kernel(borrows=True)
def read_rows(me, team, control, given, starts, out):
    """Each row from its start to the next, as far as `nearby` decodes at once."""
    for i in range(len(starts) - 1):
        e, high = np.uint64(starts[i]), np.uint64(starts[i + 1])
        while e < high:
            stop = reach(given, e, high)
            near = nearby(given, e, stop)
            while e < stop:
                out[e] = near[e]
                e += np.uint64(1)


@pytest.mark.parametrize("dtype", [np.int32, np.uint64])
@pytest.mark.parametrize("top", [1, 100, 2**20, 2**31 - 1])
def test_kernels_decode_rows(dtype, top):
    array = numbers(10_000, top, dtype)
    starts = np.unique([0, *np.random.default_rng(3).integers(0, 10_000, 300), 9000, 10_000])
    for given in (pack(array), array):
        out = np.zeros(len(array), np.int64)
        launch(read_rows, given, starts, out, team=1, work=0)
        assert np.array_equal(out, array)
