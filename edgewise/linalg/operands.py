"""Checks of what functions of `edgewise.linalg` are given."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.linalg.borrow import each, listed, on_device

__all__ = [
    "as_state", "check_block", "check_product", "check_same_device", "check_same_shape",
    "common_dtype", "mask_rows",
]  # fmt: skip


class _Two(NamedTuple):
    first: Any
    second: Any


class _Three(NamedTuple):
    first: Any
    second: Any
    third: Any


class _Four(NamedTuple):
    first: Any
    second: Any
    third: Any
    fourth: Any


def as_state(values: Any) -> Any:
    """An array as it is, and a tuple of two to four of them as a record, which operators take."""
    if not isinstance(values, tuple):
        return values
    return {2: _Two, 3: _Three, 4: _Four}[len(values)](*values)


def common_dtype(left: Any, right: Any, names: tuple[str, str] = ("left", "right")) -> Any:
    """The type of results of two values, or a tuple of types; None stands for a pattern."""
    known = [kind for kind in (left, right) if kind is not None]
    lengths = {len(kind) if isinstance(kind, tuple) else 0 for kind in known}
    if len(lengths) > 1 or (len(known) == 1 and lengths != {0}):
        raise TypeError(
            f"{names[0]} and {names[1]} must have equally many values per entry, or dtype= must "
            f"say the type of the result: got {left} and {right}"
        )
    if lengths == {0} or not known:
        return np.result_type(*known) if known else np.dtype(np.int64)
    return tuple(map(np.result_type, *known))


def check_same_device(left: Any, right: Any, names: tuple[str, str] = ("left", "right")) -> None:
    """ValueError unless two matrices are on one device."""
    if left.device != right.device:
        raise ValueError(
            f"{names[1]} must be on the device of {names[0]} ({left.device}), got {right.device}"
        )


def check_product(left: Any, right: Any) -> None:
    """ValueError unless two matrices can be multiplied."""
    check_same_device(left, right)
    if left.shape[1] != right.shape[0]:
        raise ValueError(
            f"right must have as many rows as left has columns ({left.shape[1]}), "
            f"got {right.shape[0]}"
        )


def check_same_shape(left: Any, right: Any, names: tuple[str, str] = ("left", "right")) -> None:
    """ValueError unless two matrices have one shape and one device."""
    check_same_device(left, right, names)
    if left.shape != right.shape:
        raise ValueError(
            f"{names[1]} must have the shape of {names[0]}, {left.shape}, got {right.shape}"
        )


def check_block(matrix: Any, given: Any, name: str, length: int, ndim: int) -> Any:
    """A dense vector or block (or a tuple of vectors) on the device of a matrix, in row order."""
    from edgewise.graph.transfer import on_gpu

    for one in listed(given):
        here = not on_gpu(one) and not (matrix.xp is not np and isinstance(one, matrix.xp.ndarray))
        if here != (matrix.xp is np):
            place = "host memory" if here else "a GPU"
            raise ValueError(
                f"{name} must be on the device of matrix ({matrix.device}), got an array in {place}"
            )
    arrays = each(lambda one: matrix.xp.ascontiguousarray(on_device(one, matrix.xp)), given)
    if arrays is None:
        raise TypeError(f"{name} must be an array, got None")
    for one in listed(arrays):
        if one.ndim != ndim:
            raise ValueError(f"{name} must have {ndim} dimension(s), got shape {one.shape}")
        if len(one) != length:
            raise ValueError(f"{name} must have one entry per column ({length}), got {len(one)}")
        if one.dtype.kind not in "biuf" or one.dtype == np.float16:
            raise TypeError(f"{name} must be booleans or real numbers, got dtype {one.dtype}")
    return arrays


def mask_rows(matrix: Any, mask: Any, complement: bool, size: int) -> Any:
    """The rows of a result that a boolean mask lets through; None if there is no mask."""
    if mask is None:
        if complement:
            raise TypeError("complement must be left out without a mask")
        return None
    chosen = on_device(mask, matrix.xp)
    if chosen.dtype != np.bool_ or chosen.shape != (size,):
        raise TypeError(
            f"mask must be a boolean array with one entry per row of the result ({size}), got "
            f"dtype {chosen.dtype} and shape {chosen.shape}"
        )
    return matrix.xp.flatnonzero(~chosen if complement else chosen)
