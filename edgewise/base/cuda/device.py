"""Which GPU there is, and the array module for it.

With ``NUMBA_ENABLE_CUDASIM=1`` kernels run in numba-cuda's simulator: there is no GPU then, and
"device" arrays are NumPy's. Nothing here is imported before somebody asks for a device.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

from edgewise.base.errors import DeviceError

__all__ = ["array_module", "capability", "check_memory", "current_device", "current_stream",
           "device_number", "free_memory", "host", "simulated"]  # fmt: skip


#: Read once, as numba-cuda does: a look at the environment takes longer than a small call can bear.
_SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def simulated() -> bool:
    """Do kernels run in the simulator?"""
    return _SIMULATED


def device_number(device: str) -> int:
    """The number in ``"cuda"`` or ``"cuda:1"``; an error that says what is missing."""
    found = isinstance(device, str) and re.fullmatch(r"cuda(?::(\d+))?", device)
    if not found:
        raise ValueError(f"device must be 'cpu', 'cuda' or 'cuda:<number>', got {device!r}")
    number = int(found[1] or 0)
    if simulated():
        if number:
            raise DeviceError(f"there is no device {device!r}: the simulator has one GPU")
        return 0
    count = _count()
    if number >= count:
        raise DeviceError(f"there is no device {device!r}: this machine has {count} GPU(s)")
    return number


def array_module() -> Any:
    """CuPy; NumPy in the simulator."""
    if simulated():
        import numpy

        return numpy
    _count()
    import cupy

    return cupy


def current_device() -> int:
    """The number of the device that new arrays and launches go to."""
    return 0 if _SIMULATED else _runtime()[0]()


def current_stream() -> int:
    """The stream that launches go to, as a number."""
    return 0 if _SIMULATED else _runtime()[1]().ptr


def capability() -> tuple[int, int]:
    """The compute capability of the current device."""
    import cupy

    digits = cupy.cuda.Device().compute_capability
    return int(digits[:-1]), int(digits[-1])


@cache
def _runtime() -> tuple[Any, Any]:
    """CuPy's functions for the current device and stream."""
    import cupy

    return cupy.cuda.runtime.getDevice, cupy.cuda.get_current_stream


def free_memory() -> int:
    """Bytes that can still be had on the current device, within the limit of CuPy's pool."""
    import cupy

    pool = cupy.get_default_memory_pool()
    free = cupy.cuda.runtime.memGetInfo()[0] + pool.free_bytes()
    limit = pool.get_limit()
    return int(min(free, limit - pool.used_bytes()) if limit else free)


def host(array: Any) -> Any:
    """A copy of a device array in host memory; waits for what writes to it."""
    return array.get() if hasattr(array, "get") else array.copy()


def check_memory(needed: int, what: str) -> None:
    """An error, before any work, if so many bytes are not free on the current device."""
    if simulated():
        return
    free = free_memory()
    if needed > free:
        raise MemoryError(
            f"{what} needs {needed / 2**30:.2f} GiB on the GPU, and {free / 2**30:.2f} GiB are free"
        )


@cache
def _count() -> int:
    """How many GPUs there are; an error that says what to install if none can be used."""
    try:
        import cupy
    except ImportError as error:
        raise DeviceError(
            "a CUDA device needs CuPy and numba-cuda, and CuPy is not installed: "
            "pip install 'edgewise[gpu]'"
        ) from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DeviceError(f"CUDA finds no usable GPU on this machine ({error})") from None
    if count == 0:
        raise DeviceError("CUDA finds no GPU on this machine")
    return int(count)
