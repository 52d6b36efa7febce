"""Launches through the driver, with arguments laid out by hand in a few microseconds.

A number is one word, and so is None; an array is seven (parent, owner, size, item size, pointer,
shape, stride) and two for each further dimension; a tuple is its members. The driver reads the
words at addresses that it is given: these, and the buffers for the words, stay with the kernel.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import weakref
from functools import cache
from typing import Any

import numpy as np

__all__ = ["Loaded", "Packed", "lasting", "launch", "lay_out"]

_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

#: One and the same object for equal keys of what is packed, which is faster to compare.
_known_keys: dict[tuple, Any] = {}


class Packed:
    """An argument that is laid out once, for many launches."""

    __slots__ = ("argument", "key", "words")

    def __init__(self, argument: Any):
        self.argument, self.key = argument, None
        self.words: list[int] = []

    def lay_out(self) -> None:
        """Find the words and the key."""
        key: list[Any] = []
        lay_out((self.argument,), self.words, key)
        self.key = _known_keys.setdefault(tuple(key), object())


def lay_out(several: tuple, words: list[int], key: list[Any]) -> None:
    """Add the words of arguments, and to ``key`` what decides their types.

    Every launch comes by here, so there is little in the way of an array or a number.
    """
    for one in several:
        kind = type(one)
        if kind is int:
            words.append(one)
            key.append("int")
        elif kind in _ARRAYS:
            known = _lasting.get(id(one))
            if known is not None:
                words += known[0]
                key.append(known[1])
            elif one.ndim == 1:
                size, dtype = one.size, one.dtype
                item = dtype.itemsize
                words += (0, 0, size, item, one.data.ptr, size, item)
                key.append(dtype.char)
            else:
                shape, dtype = one.shape, one.dtype
                words += (0, 0, one.size, dtype.itemsize, one.data.ptr, *shape, *one.strides)
                key.append((len(shape), dtype.char))
        elif kind is Packed:
            if one.key is None:
                one.lay_out()
            words += one.words
            key.append(one.key)
        elif isinstance(one, tuple):
            key.append(kind)
            if set(map(type, one)) == _INTS:
                words += one
                key.append(len(one))
            else:
                lay_out(one, words, key)
                key.append(None)
        elif one is None:
            words.append(0)
            key.append("none")
        elif kind in _NUMBERS:
            words.append(int.from_bytes(one.tobytes(), "little", signed=True))
            key.append(_NUMBERS[kind])
        else:
            lay_out((_known(one),), words, key)


#: The types of arrays that were met, and of numbers, these with what stands for them in a key.
_ARRAYS: set[type] = set()
_NUMBERS: dict[type, Any] = {}
_INTS = {int}


def _known(one: Any) -> Any:
    """An argument of a type that is met for the first time; NumPy's number for a Python float."""
    if isinstance(one, (float, bool)) and not isinstance(one, np.generic):
        one = np.array(one)[()]
    if isinstance(one, np.generic):
        char = one.dtype.char
        _NUMBERS[type(one)] = "int" if char == "l" else ("number", char)
    else:
        _ARRAYS.add(type(one))
    return one


#: The words and the key of arrays that are laid out for good, by where they are.
_lasting: dict[int, tuple[list[int], str]] = {}


def lasting(array: Any) -> Any:
    """The array, which the engine keeps as it is: it is laid out once, until it goes."""
    words: list[int] = []
    key: list[Any] = []
    if type(array) is not np.ndarray and id(array) not in _lasting:  # the simulator has NumPy's
        lay_out((array,), words, key)
        weakref.finalize(array, _lasting.pop, id(array), None).atexit = False
        _lasting[id(array)] = words, key[0]
    return array


class Loaded:
    """A kernel on a device, with buffers for the words of its arguments."""

    def __init__(self, function: Any):
        self.function, self.entry = function, function.ptr
        self._resident: dict[int, int] = {}
        self.buffers: list[_ArgumentBuffer] = []  # those that no launch is using now

    def resident(self, threads: int) -> int:
        """How many blocks of so many threads run at once."""
        if threads not in self._resident:
            self._resident[threads] = _occupancy(self.entry, threads)
        return self._resident[threads]


class _ArgumentBuffer:
    """So many words, and an array of their addresses, which begins ``at``."""

    __slots__ = ("_places", "_words", "at", "fill")

    def __init__(self, count: int):
        self._words: Any = np.zeros(count, np.int64)
        start = self._words.ctypes.data
        self._places = start + 8 * np.arange(count)
        self.at, self.fill = self._places.ctypes.data, struct.Struct(f"{count}q").pack_into

    def take(self, words: list[int]) -> None:
        """Hold these words; of integers beyond 64 bits the lowest 64."""
        try:
            self.fill(self._words, 0, *words)
        except struct.error:
            self._words[:] = np.array([one % 2**64 for one in words], np.uint64).view(np.int64)


def launch(loaded: Loaded, blocks: int, threads: int, words: list[int], cooperative: bool) -> None:
    """Launch a kernel on the current stream; its words are read before this returns."""
    try:
        buffer = loaded.buffers.pop()
    except IndexError:  # the first launch, or another thread is in the midst of one
        buffer = _ArgumentBuffer(len(words))
    buffer.take(words)
    plain, at_once, stream_of = _driver()
    stream = stream_of().ptr
    if cooperative:
        code = at_once(loaded.entry, blocks, 1, 1, threads, 1, 1, 0, stream, buffer.at)
    else:
        code = plain(loaded.entry, blocks, 1, 1, threads, 1, 1, 0, stream, buffer.at, None)
    loaded.buffers.append(buffer)
    if code:
        from edgewise.base.errors import DeviceError

        raise DeviceError(f"a kernel could not be launched (CUDA error {code})")


@cache
def _driver() -> tuple[Any, Any, Any]:
    """The driver's two ways to launch, and CuPy's function for the current stream."""
    import cupy

    library = ctypes.CDLL(_LIBRARY)
    pointer, sizes = ctypes.c_void_p, [ctypes.c_uint] * 7
    arguments: list[Any] = [pointer, *sizes, pointer, pointer]
    library.cuLaunchKernel.argtypes = [*arguments, pointer]
    library.cuLaunchCooperativeKernel.argtypes = arguments
    ways = library.cuLaunchKernel, library.cuLaunchCooperativeKernel
    return *ways, cupy.cuda.get_current_stream


def _occupancy(entry: int, threads: int) -> int:
    """How many blocks of a kernel run at once on the current device."""
    import cupy

    count = ctypes.c_int()
    code = ctypes.CDLL(_LIBRARY).cuOccupancyMaxActiveBlocksPerMultiprocessor(
        ctypes.byref(count), ctypes.c_void_p(entry), threads, ctypes.c_size_t(0)
    )
    if code:
        raise RuntimeError(f"CUDA error {code} from the occupancy query")
    return count.value * cupy.cuda.Device().attributes["MultiProcessorCount"]
