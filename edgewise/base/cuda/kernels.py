"""CUDA kernels from plain Python functions: compiled by numba-cuda, kept on disk, and launched.

`kernel` makes a `Kernel` of a function; `device` compiles one that kernels call. numba-cuda's own
launch costs tens of microseconds, so a kernel is compiled to PTX, loaded through CuPy, and launched
through the driver with its arguments laid out by hand: an array is seven words (parent, owner,
size, item size, pointer, shape, stride) and two for each further dimension, a number one.

Users' functions are compiled for the device as they are: `translated` copies one with
``edgewise.atomic`` and compiled helpers exchanged for their CUDA twins.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import types as python_types
from array import array
from collections.abc import Callable
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from edgewise.base.compiling import compiling
from edgewise.base.cuda.device import simulated
from edgewise.base.pinned import likeness
from edgewise.base.rebind import package_with, rebound

__all__ = ["Kernel", "Packed", "device", "kernel", "translated", "unpacked"]

_translated: WeakKeyDictionary = WeakKeyDictionary()
_by_content: dict[Any, Any] = {}


def device(function: Callable) -> Any:
    """Compile a function that kernels call; one that is compiled for the device stays as it is."""
    if simulated():
        return function
    from numba import cuda

    if getattr(function, "edgewise_device", False):
        return function
    made = cuda.jit(device=True)(function)
    try:
        made.edgewise_device = True
    except AttributeError:
        pass
    return made


def translated(function: Any) -> Any:
    """The device form of a user's function: its atomics and compiled helpers become CUDA's."""
    if function is None or getattr(function, "edgewise_device", False):
        return function
    source = getattr(function, "py_func", function)
    found = _translated.get(source)
    if found is None:  # the same lambda made anew is compiled once
        alike = likeness(source)
        found = None if alike is None else _by_content.get(alike)
        found = _translated[source] = found or _translate(source)
        if alike is not None:
            _by_content[alike] = found
    return found


def _translate(source: Any) -> Any:
    from edgewise.base.cache import fingerprint

    content = fingerprint(source)
    found = _by_content.get(content)
    if found is None:
        found = rebound(source, _twin, lambda copy: _translated.setdefault(source, device(copy)))
    if content is not None:
        _by_content[content] = found
    return found


def _twin(value: Any) -> Any:
    """What a name stands for on the device."""
    from edgewise.base import atomic

    if value is atomic:
        from edgewise.base.cuda import atomics

        return atomics
    if value is sys.modules["edgewise"]:
        from edgewise.base.cuda import atomics

        return package_with(atomics)
    if isinstance(value, python_types.FunctionType) and value.__module__ == atomic.__name__:
        from edgewise.base.cuda import atomics

        return getattr(atomics, value.__name__)
    if hasattr(value, "py_func") and not getattr(value, "edgewise_device", False):
        return translated(value)
    return value


def kernel(
    function: Callable | None = None,
    *,
    cooperative: bool = False,
    bounds: tuple[int, int] | None = None,
) -> Any:
    """Make a kernel of a function; a ``cooperative`` one may meet at barriers of the whole grid.

    ``bounds`` promises at most so many threads a block and asks for so many blocks on a
    multiprocessor, which limits the registers of a thread.
    """
    if function is None:
        return lambda function: Kernel(function, cooperative, bounds)
    return Kernel(function, cooperative, bounds)


class Packed:
    """An argument that is laid out once, for many launches."""

    __slots__ = ("argument", "key", "words")

    def __init__(self, argument: Any):
        self.argument, self.key = argument, None
        self.words: list[int] = []


def unpacked(args: tuple) -> tuple:
    """Arguments of a kernel, or a record among them, as they were before they were packed."""
    several = [
        one.argument if type(one) is Packed else unpacked(one) if isinstance(one, tuple) else one
        for one in args
    ]
    return type(args)(*several) if hasattr(args, "_fields") else tuple(several)


class Kernel:
    """A kernel: ``kernel(blocks, threads, *args)`` launches it on the current stream.

    Arguments are contiguous device arrays, numbers, and tuples of these; NamedTuples keep their
    names. What stays the same over many launches may be `Packed`.
    """

    def __init__(
        self, function: Callable, cooperative: bool, bounds: tuple[int, int] | None = None
    ):
        self.function, self.cooperative, self.bounds = function, cooperative, bounds
        self._loaded: dict[Any, Any] = {}
        self._residents: dict[tuple[int, int], int] = {}
        self._simulated: Any = None

    def __call__(self, blocks: int, threads: int, *args: Any) -> None:
        if simulated():
            return self._simulate(blocks, threads, args)
        key: list[Any] = []
        words: list[int] = []
        for argument in args:
            key.append(_lay_out(argument, words))
        entry = self._load(tuple(key), args)
        if blocks > 0:
            _launch(entry.ptr, blocks, threads, words, self.cooperative and blocks > 1)
        return None

    def fill(self, threads: int, *args: Any) -> None:
        """Launch on as many blocks as run at once; their number is the kernel's last argument."""
        if simulated():
            return self._simulate(1, threads, (*args, 1))
        words: list[int] = []
        key = (*[_lay_out(argument, words) for argument in args], "l")
        entry = self._load(key, (*args, 1))
        blocks = self._resident(entry.ptr, threads)
        words.append(blocks)
        return _launch(entry.ptr, blocks, threads, words, self.cooperative)

    def resident(self, threads: int, *args: Any) -> int:
        """How many blocks of so many threads run at once: the grid of a cooperative launch."""
        if simulated():
            return 1
        words: list[int] = []
        entry = self._load(tuple(_lay_out(argument, words) for argument in args), args)
        return self._resident(entry.ptr, threads)

    def _resident(self, entry: int, threads: int) -> int:
        if (entry, threads) not in self._residents:
            self._residents[entry, threads] = _occupancy(entry, threads)
        return self._residents[entry, threads]

    def _simulate(self, blocks: int, threads: int, args: tuple) -> None:
        from numba import cuda

        if self._simulated is None:
            self._simulated = cuda.jit(self.function)
        if blocks > 0:
            self._simulated[blocks, threads](*map(_writable, unpacked(args)))

    def _load(self, key: tuple, args: tuple) -> Any:
        import cupy

        number = cupy.cuda.runtime.getDevice()
        entry = self._loaded.get((number, key))
        if entry is None:
            from edgewise.base.cuda.compile import bounded, entry_name, ptx

            code = bounded(ptx(self.function, unpacked(args)), self.bounds)
            module = cupy.cuda.function.Module()
            with compiling():  # to the machine's instructions, by its driver
                module.load(code)
            entry = module.get_function(entry_name(code))
            self._loaded[number, key] = entry
        return entry


def _writable(argument: Any) -> Any:
    """The simulator copies every array back, also those that are frozen: it gets a copy of them."""
    if isinstance(argument, tuple):
        several = map(_writable, argument)
        return type(argument)(*several) if hasattr(argument, "_fields") else tuple(several)
    frozen = isinstance(argument, np.ndarray) and not argument.flags.writeable
    return argument.copy() if frozen else argument


def _lay_out(argument: Any, words: list[int]) -> Any:
    """Add an argument's words; return what decides its type."""
    kind = type(argument)
    if kind is Packed:
        if argument.key is None:
            argument.key = _lay_out(argument.argument, argument.words)
        words += argument.words
        return argument.key
    if kind is tuple:
        return tuple([_lay_out(one, words) for one in argument])
    if kind is int:
        words.append(argument & 0xFFFFFFFFFFFFFFFF)
        return "l"
    if kind is float:
        words.append(_float_bits(argument))
        return "d"
    if isinstance(argument, (bool, np.bool_)):
        words.append(int(argument))
        return "?"
    if isinstance(argument, np.generic):
        words.append(int.from_bytes(argument.tobytes(), "little"))
        return argument.dtype.char
    if isinstance(argument, tuple):
        return (kind, *[_lay_out(one, words) for one in argument])
    size, dtype = argument.size, argument.dtype
    item = dtype.itemsize
    if argument.ndim == 1:
        words += (0, 0, size, item, argument.data.ptr, size, item)
        return "A" + dtype.char
    words += (0, 0, size, item, argument.data.ptr, *argument.shape, *argument.strides)
    return f"A{argument.ndim}{dtype.char}"


def _float_bits(number: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", number))[0])


@cache
def _driver() -> Any:
    library = ctypes.CDLL("libcuda.so.1")
    pointer, sizes = ctypes.c_void_p, [ctypes.c_uint] * 7
    arguments: list[Any] = [pointer, *sizes, pointer, pointer]
    library.cuLaunchKernel.argtypes = [*arguments, pointer]
    library.cuLaunchCooperativeKernel.argtypes = arguments
    return library


def _launch(entry: int, blocks: int, threads: int, words: list[int], cooperative: bool) -> None:
    import cupy

    values = np.frombuffer(array("Q", words), np.uint64)
    places = np.arange(len(words), dtype=np.uint64) * np.uint64(8)
    places += np.uint64(values.__array_interface__["data"][0])
    stream, at = cupy.cuda.get_current_stream().ptr, places.__array_interface__["data"][0]
    library = _driver()
    if cooperative:
        code = library.cuLaunchCooperativeKernel(entry, blocks, 1, 1, threads, 1, 1, 0, stream, at)
    else:
        code = library.cuLaunchKernel(entry, blocks, 1, 1, threads, 1, 1, 0, stream, at, None)
    if code:
        from edgewise.base.errors import DeviceError

        raise DeviceError(f"a kernel could not be launched (CUDA error {code})")


def _occupancy(entry: int, threads: int) -> int:
    """How many blocks of a kernel run at once on the current device."""
    import cupy

    count = ctypes.c_int()
    code = _driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
        ctypes.byref(count), ctypes.c_void_p(entry), threads, ctypes.c_size_t(0)
    )
    if code:
        raise RuntimeError(f"CUDA error {code} from the occupancy query")
    return count.value * cupy.cuda.Device().attributes["MultiProcessorCount"]
