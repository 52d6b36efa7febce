"""Functions that CUDA kernels call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.base.cuda.device import simulated

__all__ = ["device"]


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
