"""PyTorch's tensors as arrays, and arrays as tensors, without copies where they are contiguous."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["as_array", "as_tensor", "check_tensor", "torch"]


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


def check_tensor(tensor: Any, name: str, length: int, over: str, dimensions: tuple[int, ...],
                 device: str) -> Any:  # fmt: skip
    """Return the tensor if it is of floats, on the device, with so many dimensions and rows."""
    if not isinstance(tensor, torch().Tensor):
        raise TypeError(f"{name} must be a PyTorch tensor, got {type(tensor).__name__}")
    if tensor.dtype not in (torch().float32, torch().float64):
        raise TypeError(f"{name} must be of float32 or float64, got {tensor.dtype}")
    if tensor.ndim not in dimensions:
        many = " or ".join(map(str, dimensions))
        raise ValueError(f"{name} must have {many} dimensions, got {tensor.ndim}")
    if tensor.shape[0] != length:
        raise ValueError(f"{name} must have one row per {over} ({length}), got {tensor.shape[0]}")
    if tensor.device.type != device.partition(":")[0]:
        raise ValueError(f"{name} must be on the graph's device ({device}), got {tensor.device}")
    return tensor
