"""Arrays of other libraries as those of a matrix, and matrices on another device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import host, number_of, on, on_gpu

__all__ = ["device_of", "each", "from_torch", "listed", "moved", "on_device", "vectors"]


def device_of(indptr: Any, indices: Any, values: Any, device: str | None) -> tuple[str, Any]:
    """The device that holds the arrays of a matrix, and the module for them."""
    if device == "cpu":
        return "cpu", np
    every = [one for one in (indptr, indices, *listed(values)) if one is not None]
    if device is None and not any(map(on_gpu, every)):
        return "cpu", np
    from edgewise.base.cuda.device import array_module, device_number

    if device is not None:
        return f"cuda:{device_number(device)}", array_module()
    if not all(map(on_gpu, every)):
        raise ValueError(
            "indptr, indices and values must be on one device, got host and GPU arrays"
        )
    return f"cuda:{number_of(*every)}", array_module()


def on_device(array: Any, xp: Any) -> Any:
    """An array of any library as one of ``xp``, without a copy where DLPack allows it."""
    if isinstance(array, xp.ndarray):
        return array
    if hasattr(array, "__dlpack__") and not hasattr(array, "__array_interface__"):
        return xp.from_dlpack(array)
    return xp.asarray(array)


def vectors(indptr: Any, indices: Any, columns: int, xp: Any) -> tuple[Any, Any]:
    """Row starts and columns in their types, checked as far as that costs nothing."""
    kinds = np.dtype(np.int64), index_dtype(columns)
    done = []
    for name, array, kind in zip(("indptr", "indices"), (indptr, indices), kinds, strict=True):
        if array.ndim != 1:
            raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
        if array.dtype.kind not in "iu" and len(array):
            raise TypeError(f"{name} must be integers, got dtype {array.dtype}")
        done.append(xp.ascontiguousarray(array).astype(kind, copy=False))
    starts, places = done
    if len(starts) == 0:
        raise ValueError("indptr must have one more entry than there are rows, got none")
    if xp is np and (starts[0] != 0 or starts[-1] != len(places)):
        raise ValueError(
            f"indptr must run from 0 to the number of indices ({len(places)}), "
            f"got {starts[0]} to {starts[-1]}"
        )
    return starts, places


def from_torch(tensor: Any) -> tuple[Any, Any, Any]:
    """The arrays of a PyTorch sparse CSR tensor."""
    if str(getattr(tensor, "layout", "")) != "torch.sparse_csr" or len(tensor.shape) != 2:
        raise TypeError(f"tensor must be a sparse CSR tensor of two dimensions, got {tensor!r:.80}")
    arrays = tensor.crow_indices(), tensor.col_indices(), tensor.values().detach()
    if tensor.device.type == "cpu":
        return tuple(one.numpy() for one in arrays)  # type: ignore[return-value]
    return arrays


def moved(matrix: Any, device: str) -> Any:
    """The matrix on another device; itself if it is there already."""
    kind, options = type(matrix), matrix._options()
    if isinstance(device, str) and device == "cpu":
        if matrix.device == "cpu":
            return matrix
        return kind(host(matrix.indptr), host(matrix.indices), each(host, matrix.values), **options)
    from edgewise.base.cuda.device import array_module, check_memory, device_number

    number = device_number(device)
    if matrix.device == f"cuda:{number}":
        return matrix
    here, xp = moved(matrix, "cpu"), array_module()
    with on(number):
        check_memory(matrix.nbytes, "the matrix")
        arrays = (xp.asarray(here.indptr), xp.asarray(here.indices), each(xp.asarray, here.values))
        return kind(*arrays, device=f"cuda:{number}", **options)


def each(function: Callable[[Any], Any], values: Any) -> Any:
    """The function of an array, or of each of a tuple; None stays None."""
    if values is None:
        return None
    return tuple(map(function, values)) if isinstance(values, tuple) else function(values)


def listed(values: Any) -> tuple:
    """The arrays of values, as a tuple."""
    return () if values is None else values if isinstance(values, tuple) else (values,)
