"""State arrays and members at the operators' door: checked once, as kernels want them."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.operators.frontier import Frontier, check_members, vertex_members

__all__ = [
    "check_members",
    "fixed",
    "frozen",
    "listed",
    "state_arrays",
    "state_tuple",
    "vertex_members",
]

_TYPES = [np.dtype(code) for code in "?bBhHiIlLqQfd"]


def listed(members: Frontier | None, size: int) -> tuple[np.ndarray, int]:
    """The ids of members as kernels take them, and how many there are; none stand for all.

    One type, read-only, whoever they are: so a kernel is compiled once.
    """
    dtype = np.int32 if size < 2**31 else np.int64
    ids = np.empty(0, dtype) if members is None else np.ascontiguousarray(members.ids, dtype).view()
    ids.flags.writeable = False
    return ids, size if members is None else len(ids)


def frozen(values: Any) -> Any:
    """Read-only views of an array or a tuple of arrays: so a kernel is compiled once for both."""
    if isinstance(values, tuple):
        return tuple(map(frozen, values))
    view = values.view()
    view.flags.writeable = False
    return view


def fixed(params: tuple) -> tuple:
    """The params of a function as kernels take them: numbers, and arrays that are read-only."""
    return tuple(frozen(one) if isinstance(one, np.ndarray) else one for one in params)


def state_arrays(values: Any, n: int, name: str, *, writable: bool = False) -> Any:
    """An array over vertices, or a tuple of two to four, checked."""
    if isinstance(values, tuple):
        if not 2 <= len(values) <= 4:
            raise ValueError(f"{name} must be one array or a tuple of 2 to 4, got {len(values)}")
        return tuple(
            state_arrays(one, n, f"{name}[{i}]", writable=writable) for i, one in enumerate(values)
        )
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name} must be a NumPy array, got {type(values).__name__}")
    if values.shape != (n,):
        raise ValueError(f"{name} must have one entry per vertex ({n}), got shape {values.shape}")
    if writable and not values.flags.writeable:
        raise ValueError(f"{name} is changed by this call, but the array is read-only")
    if values.dtype not in _TYPES or not values.dtype.isnative:
        raise TypeError(f"{name} must hold plain numbers or booleans, got dtype {values.dtype}")
    if not values.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous; pass a copy of the slice")
    return values


def state_tuple(state: Any, name: str = "state") -> tuple:
    """The arrays given to a user's function, as a tuple."""
    arrays = state if isinstance(state, tuple) else (state,)
    for i, one in enumerate(arrays):
        if not isinstance(one, (np.ndarray, np.generic, int, float, bool)):
            raise TypeError(f"{name}[{i}] must be an array or a number, got {type(one).__name__}")
    return arrays
