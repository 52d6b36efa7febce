"""CUDA kernels from plain Python functions: compiled by numba-cuda, kept on disk, and launched.

`kernel` makes a `Kernel` of a function; `device` compiles one that kernels call. numba-cuda's own
launch costs tens of microseconds, so a kernel is compiled to PTX, loaded through CuPy, and launched
through the driver with its arguments laid out by hand, see `launches`.

Users' functions are compiled for the device as they are: `translated` copies one with
``edgewise.atomic`` and compiled helpers exchanged for their CUDA twins.
"""

from __future__ import annotations

import sys
import types as python_types
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from edgewise.base.compiling import compiling
from edgewise.base.cuda.device import current_device, simulated
from edgewise.base.cuda.device_functions import device
from edgewise.base.cuda.launches import Loaded, Packed, launch, lay_out
from edgewise.base.pinned import likeness
from edgewise.base.rebind import package_with, rebound

__all__ = ["Kernel", "Packed", "device", "kernel", "translated", "unpacked"]

_translated: WeakKeyDictionary = WeakKeyDictionary()
_contents: WeakKeyDictionary = WeakKeyDictionary()  # what each was made from, as a hash
_by_content: dict[Any, Any] = {}


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

    content = _contents[source] = fingerprint(source)
    place = source.__module__, content  # what another module's refers to may change
    found = _by_content.get(place)
    if found is None:

        def keep(copy: Any) -> Any:
            _translated[source] = device(copy)
            return _translated[source]

        found = rebound(source, _twin, keep)
    _translated[source] = found
    if content is not None:
        _by_content[place] = found
    return found


def _called(function: Any) -> Any:
    """The device form of a function that a new kernel calls: with the globals of this moment.

    A copy has the globals of the moment when it was made, so one that is there serves only where
    the function, and what it calls, still refers to the same.
    """
    from edgewise.base.cache import fingerprint

    source = getattr(function, "py_func", function)
    same = source in _translated and _contents.get(source, "") == fingerprint(source)
    return _translated[source] if same else _translate(source)


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
        return _called(value)
    return value


def kernel(
    function: Callable | None = None,
    *,
    cooperative: bool = False,
    bounds: tuple[int, int] | None = None,
) -> Any:
    """Make a kernel of a function; a ``cooperative`` one may wait at barriers of the whole grid.

    ``bounds`` promises at most so many threads a block and asks for so many blocks on a
    multiprocessor, which limits the registers of a thread.
    """
    if function is None:
        return lambda function: Kernel(function, cooperative, bounds)
    return Kernel(function, cooperative, bounds)


def unpacked(args: tuple) -> tuple:
    """Arguments of a kernel, or a record among them, as they were before they were packed."""
    several = [
        one.argument if type(one) is Packed else unpacked(one) if isinstance(one, tuple) else one
        for one in args
    ]
    return type(args)(*several) if hasattr(args, "_fields") else tuple(several)


class Kernel:
    """A kernel: ``kernel(blocks, threads, *args)`` launches it on the current stream.

    Arguments are contiguous device arrays, numbers, None, and tuples of these; NamedTuples keep
    their names. What stays the same over many launches may be `Packed`.
    """

    def __init__(
        self, function: Callable, cooperative: bool, bounds: tuple[int, int] | None = None
    ):
        self.function, self.cooperative, self.bounds = function, cooperative, bounds
        self._loaded: dict[Any, Loaded] = {}
        self._simulated: Any = None

    def __call__(self, blocks: int, threads: int, *args: Any) -> None:
        if simulated():
            return self._simulate(blocks, threads, args)
        entry, words = self._prepare(args)
        if blocks > 0:
            launch(entry, blocks, threads, words, self.cooperative and blocks > 1)
        return None

    def fill(self, threads: int, *args: Any, most: int | None = None) -> None:
        """Launch on as many blocks as run at once; their number is the kernel's last argument.

        There are no more than ``most``.
        """
        if simulated():
            return self._simulate(1, threads, (*args, 1))
        entry, words = self._prepare((*args, 1))
        blocks = entry.resident(threads)
        words[-1] = blocks = blocks if most is None else min(blocks, most)
        return launch(entry, blocks, threads, words, self.cooperative)

    def resident(self, threads: int, *args: Any) -> int:
        """How many blocks of so many threads run at once: the grid of a cooperative launch."""
        return 1 if simulated() else self._prepare(args)[0].resident(threads)

    def _simulate(self, blocks: int, threads: int, args: tuple) -> None:
        from numba import cuda

        if self._simulated is None:
            self._simulated = cuda.jit(self.function)
        if blocks > 0:
            self._simulated[blocks, threads](*map(_writable, unpacked(args)))

    def _prepare(self, args: tuple) -> tuple[Loaded, list[int]]:
        """The kernel for these arguments on the current device, and their words."""
        key: list[Any] = [current_device()]
        words: list[int] = []
        lay_out(args, words, key)
        given = tuple(key)
        entry = self._loaded.get(given)
        if entry is None:
            entry = self._loaded[given] = self._load(args)
        return entry, words

    def _load(self, args: tuple) -> Loaded:
        import cupy

        from edgewise.base.cuda.ptx import bounded, entry_name, ptx

        code = bounded(ptx(self.function, unpacked(args)), self.bounds)
        module = cupy.cuda.function.Module()
        with compiling():  # to the machine's instructions, by its driver
            module.load(code)
        return Loaded(module.get_function(entry_name(code)))


def _writable(argument: Any) -> Any:
    """The simulator copies every array back, also those that are frozen: it gets a copy of them."""
    if isinstance(argument, tuple):
        several = map(_writable, argument)
        return type(argument)(*several) if hasattr(argument, "_fields") else tuple(several)
    frozen = isinstance(argument, np.ndarray) and not argument.flags.writeable
    return argument.copy() if frozen else argument
