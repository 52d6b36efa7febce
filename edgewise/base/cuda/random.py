"""The random numbers of `edgewise.base.random` as device functions, the same bit for bit."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device

__all__ = ["bits", "first_half", "mix", "step", "twin"]


def twin(function: Any, **known: Any) -> Any:
    """The device form of a function, with these names in place of the globals it refers to.

    In the simulator NumPy would warn that numbers wrap around, which is meant here.
    """
    source = getattr(function, "py_func", function)
    scope = {**source.__globals__, **known}
    copy = FunctionType(source.__code__, scope, source.__name__, source.__defaults__)
    copy.__module__ = source.__module__
    if not simulated():
        return device(copy)

    def wrapping(*args):
        with np.errstate(over="ignore"):
            return copy(*args)

    return wrapping


mix = twin(random.mix)
bits = twin(random.draw, mix=mix)
step, flip, first_half = (
    twin(one, mix=mix) for one in (random.step, random.flip, random.first_half)
)

if not simulated():
    from numba.cuda.extending import overload  # type: ignore[attr-defined]

    from edgewise.base.cpu.random import register

    register(overload, bits, step, twin(random.upper), flip, first_half)
