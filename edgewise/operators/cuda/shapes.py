"""What the kernels of a traversal are made for: the types of its arrays, and its functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import translated
from edgewise.operators.cuda.inner import caller, dtypes_of
from edgewise.operators.cuda.rounds import Functions, Shape
from edgewise.operators.cuda.state import Along
from edgewise.operators.functions import TRAVERSAL_NAMES, Function
from edgewise.operators.requests import Traversal
from edgewise.operators.results import several

__all__ = ["functions_of", "narrowed", "shape_of", "widened"]


def shape_of(request: Traversal, arrays: Any, out: Along, **more: Any) -> Shape:
    """What a kernel is made for, and ``more`` of that."""
    reads, ids = "value" in request.message.names, np.dtype(out.arrays.indices.dtype)
    return Shape(dtypes_of(arrays), ids, reads, **more)


def functions_of(request: Traversal, *more: str) -> Functions:
    """The user's functions; the message is also called with ``more`` than its names."""
    return Functions(
        _called(request.message, (*TRAVERSAL_NAMES, *more)),
        translated(request.reduce.combine),
        _called(request.where, ("value",)),
        _called(request.wake, ("value",)),
    )


def _called(function: Function | None, given: tuple[str, ...]) -> Any:
    """A user's function as a device function of what is ``given``, and then of its params."""
    return None if function is None else caller(function.given, function.names, (*given, "params"))


def widened(values: Any) -> Any:
    """Elements of 8 and 16 bits, which have no atomics, as int32."""
    wide = [a.astype(np.int32) if a.dtype.itemsize < 4 else a for a in several(values)]
    return tuple(wide) if isinstance(values, tuple) else wide[0]


def narrowed(wide: Any, values: Any) -> None:
    """Copy elements that were widened back."""
    for new, old in zip(several(wide), several(values), strict=True):
        if new is not old:
            old[:] = new.astype(old.dtype)
