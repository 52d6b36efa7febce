"""Shared parts of the compression of derivatives: seed matrices, checks, and recovered matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.coloring.patterns import Pattern

__all__ = ["checked", "matrix_for", "product", "seed_matrix"]


def seed_matrix(colors: np.ndarray, count: int) -> np.ndarray:
    """A column per color, with ones where a vertex has it."""
    seed = np.zeros((len(colors), count))
    there = np.flatnonzero(colors >= 0)
    seed[there, colors[there]] = 1
    return seed


def product(matrix: Any, shape: tuple[int, int], name: str) -> Any:
    """A sparse matrix of SciPy as it is, and anything else as an array, if the shape is right."""
    matrix = matrix if hasattr(matrix, "tocsr") else np.asarray(matrix)
    if matrix.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, got {matrix.shape}")
    return matrix


def checked(values: Any, shape: tuple[int, int], name: str = "compressed") -> np.ndarray:
    """Compressed values as an array of numbers, if the shape is right."""
    array = np.asarray(values)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} must hold numbers, got dtype {array.dtype}")
    if array.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, got {array.shape}")
    return array


def matrix_for(pattern: Pattern, values: np.ndarray, out: Any) -> Any:
    """A sparse array by rows with these values; ``out`` with them if it is given."""
    if out is None:
        return pattern.matrix(values)
    same = getattr(out, "format", None) == "csr" and out.shape == pattern.shape
    if not same or not (
        np.array_equal(out.indptr, pattern.indptr) and np.array_equal(out.indices, pattern.indices)
    ):
        raise ValueError("out must be a CSR matrix of the same pattern, as recover returns it")
    if not np.can_cast(values.dtype, out.dtype, "same_kind"):
        raise TypeError(f"out must hold {values.dtype}, got {out.dtype}")
    out.data[:] = values
    return out
