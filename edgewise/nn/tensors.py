"""PyTorch's tensors as arrays, and arrays as tensors, without copies where they are contiguous."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

__all__ = ["as_array", "as_tensor", "check_tensor", "check_values", "is_tensor", "torch"]


def torch() -> Any:
    """Return PyTorch; ImportError says how to install it."""
    try:
        import torch
    except ImportError:
        raise ImportError("edgewise.nn needs PyTorch: pip install edgewise[nn]") from None
    return torch


def as_array(tensor: Any) -> Any:
    """Return a tensor's elements as a NumPy or CuPy array."""
    tensor = tensor.detach().contiguous()
    if tensor.device.type == "cpu":
        return tensor.numpy()
    import cupy

    return cupy.from_dlpack(tensor)


def as_tensor(array: Any) -> Any:
    """Return an array as a tensor on its device; read-only arrays are copied."""
    if isinstance(array, np.ndarray):
        return torch().from_numpy(np.require(array, requirements=("C", "W")))
    return torch().from_dlpack(array)


def is_tensor(given: Any) -> bool:
    """Whether something is a tensor of PyTorch, which need not be there."""
    there = sys.modules.get("torch")
    return there is not None and isinstance(given, there.Tensor)


def check_values(given: Any, name: str, length: int, over: str, dimensions: tuple[int, ...],
                 matrix: Any) -> Any:  # fmt: skip
    """Return a tensor or an array, contiguous, if it is as `check_tensor` demands."""
    if is_tensor(given):
        return check_tensor(given, name, length, over, dimensions, matrix.device)
    if not isinstance(given, matrix.xp.ndarray):
        raise TypeError(f"{name} must be a PyTorch tensor or an array on the graph's device "
                        f"({matrix.device}), got {type(given).__name__}")  # fmt: skip
    if given.dtype not in (np.float32, np.float64):
        raise TypeError(f"{name} must be of float32 or float64, got {given.dtype}")
    _check_shape(given, name, length, over, dimensions)
    return matrix.xp.ascontiguousarray(given)


def check_tensor(tensor: Any, name: str, length: int, over: str, dimensions: tuple[int, ...],
                 device: str) -> Any:  # fmt: skip
    """Return the tensor if it is of floats, on the device, with so many dimensions and rows."""
    if not isinstance(tensor, torch().Tensor):
        raise TypeError(f"{name} must be a PyTorch tensor, got {type(tensor).__name__}")
    if tensor.dtype not in (torch().float32, torch().float64):
        raise TypeError(f"{name} must be of float32 or float64, got {tensor.dtype}")
    _check_shape(tensor, name, length, over, dimensions)
    if tensor.device.type != device.partition(":")[0]:
        raise ValueError(f"{name} must be on the graph's device ({device}), got {tensor.device}")
    return tensor


def _check_shape(given: Any, name: str, length: int, over: str, dimensions: tuple[int, ...]
                 ) -> None:  # fmt: skip
    if given.ndim not in dimensions:
        many = " or ".join(map(str, dimensions))
        raise ValueError(f"{name} must have {many} dimensions, got {given.ndim}")
    if given.shape[0] != length:
        raise ValueError(f"{name} must have one row per {over} ({length}), got {given.shape[0]}")
