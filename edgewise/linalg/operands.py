"""Checks of what functions of `edgewise.linalg` are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.linalg.borrow import each, listed, on_device

__all__ = ["check_block", "check_product", "check_same_device", "check_same_shape", "mask_rows"]


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
        if matrix.xp is np and on_gpu(one):
            raise ValueError(f"{name} must be on the device of matrix (cpu), got a GPU array")
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
