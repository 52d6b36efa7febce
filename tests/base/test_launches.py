"""Arguments of CUDA kernels as the driver reads them: words, and what decides a kernel's types."""

import struct
from typing import NamedTuple

import numpy as np
import pytest

from edgewise.base.cuda import launches
from edgewise.base.cuda.launches import Packed, _ArgumentBuffer, lasting, lay_out


class Pointer(NamedTuple):
    ptr: int


class Array:
    """An array of a device, as far as a launch looks at it."""

    def __init__(self, shape, dtype):
        held = np.zeros(shape, dtype)
        self.size, self.dtype, self.ndim = held.size, held.dtype, held.ndim
        self.shape, self.strides, self.data = held.shape, held.strides, Pointer(4096)


class Pair(NamedTuple):
    first: int
    second: float


def laid_out(*args):
    words, key = [], []
    lay_out(args, words, key)
    return words, tuple(key)


def bits(form, number):
    return struct.unpack("<q", struct.pack(form, number).ljust(8, b"\0"))[0]


def test_words():
    words, _ = laid_out(3, -1, 2.5, np.float32(0.5), np.uint64(2**63), True, np.bool_(False))
    assert words[:4] == [3, -1, bits("<d", 2.5), bits("<f", 0.5)]
    assert words[4:] == [-(2**63), 1, 0]
    assert laid_out(Array(5, np.int32))[0] == [0, 0, 5, 4, 4096, 5, 4]
    assert laid_out(Array((5, 2), np.float64))[0] == [0, 0, 10, 8, 4096, 5, 2, 16, 8]


@pytest.mark.parametrize(
    "one, other",
    [(3, np.int64(4)), (2.5, np.float64(1)), (True, np.bool_(0)), ((1, 2), (3, 4)),
     (Array(5, np.int32), Array(7, np.int32)), (Pair(1, 2.0), Pair(np.int64(2), 3.0))],
)  # fmt: skip
def test_one_kernel_for_equal_types(one, other):
    assert laid_out(one)[1] == laid_out(other)[1]
    packed, again = Packed((one, 1.5)), Packed((other, 2.5))
    assert laid_out(packed)[1] == laid_out(again)[1]
    assert laid_out(packed, 7)[0] == laid_out(one, 1.5, 7)[0]


def test_different_types_have_different_kernels():
    kinds = [
        1, 2.5, True, np.int32(1), np.uint64(1), (1,), (1, 1), ((1,), 1), Pair(1, 1), Pair(1, 2.5),
        Array(5, np.int64), Array(5, np.int32), Array((5, 1), np.int64), Packed((1,)),
    ]  # fmt: skip
    assert len({laid_out(one)[1] for one in kinds}) == len(kinds)
    assert laid_out((1,), 1)[1] != laid_out((1, 1))[1]


def test_what_lasts_is_laid_out_once():
    array = Array(5, np.int32)
    before = laid_out(array, 1)
    assert lasting(array) is array and laid_out(array, 1) == before
    array.size = 6  # nobody looks any more
    assert laid_out(array, 1) == before
    place = id(array)
    assert place in launches._lasting
    del array
    assert place not in launches._lasting


def test_room_for_words():
    buffer = _ArgumentBuffer(3)
    buffer.take([1, -2, 2**63 - 1])
    assert buffer._words.tolist() == [1, -2, 2**63 - 1]
    buffer.take([2**64 - 1, 2**63, -1])  # the lowest 64 bits of what is larger
    assert buffer._words.tolist() == [-1, -(2**63), -1]
    assert np.diff(buffer._places).tolist() == [8, 8]
    assert buffer._places[0] == buffer._words.ctypes.data
