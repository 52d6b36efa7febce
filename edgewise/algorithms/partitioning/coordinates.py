"""Checks of what partitioners are given: numbers of parts, coordinates and vertex weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_count, check_unmasked
from edgewise.graph.transfer import host

__all__ = ["check_coordinates", "check_number_of_parts", "check_point_weights"]

_MANY = 2**20  # parts, most of which are empty


def check_number_of_parts(k: Any, n: int) -> int:
    """The number of parts: at least 1, and at most one per vertex or 2^20."""
    return check_count(k, "k", 1, max(n, _MANY))


def check_coordinates(
    coordinates: Any, n: int | None = None, dimensions: tuple[int, ...] = ()
) -> np.ndarray:
    """The coordinates as float64, n x d in host memory; all finite."""
    check_unmasked(coordinates, "coordinates")
    try:
        found = np.asarray(host(coordinates))
        if found.dtype.kind not in "biuf":
            raise TypeError
        found = found.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"coordinates must be real numbers, got {coordinates!r:.80}") from None
    if found.ndim == 1 and not dimensions:
        found = found[:, None]
    if found.ndim != 2 or (n is not None and len(found) != n):
        rows = "n" if n is None else f"one row per vertex ({n})"
        raise ValueError(f"coordinates must be {rows} x d, got shape {np.shape(coordinates)}")
    if dimensions and found.shape[1] not in dimensions:
        wanted = " or ".join(map(str, dimensions))
        raise ValueError(f"coordinates must have {wanted} columns, got {found.shape[1]}")
    if found.shape[1] == 0 and len(found):
        raise ValueError("coordinates must have at least one column, got 0")
    if not np.isfinite(found).all():
        row = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        raise ValueError(f"coordinates must be finite, got {found[row].tolist()} in row {row}")
    return found


def check_point_weights(weights: Any, n: int) -> np.ndarray:
    """One finite, nonnegative weight per row of coordinates; ones by default, and if all are 0."""
    if weights is None:
        return np.ones(n)
    check_unmasked(weights, "vertex_weights")
    try:
        found = np.asarray(host(weights))
        if found.dtype.kind not in "biuf":
            raise TypeError
        found = found.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"vertex_weights must be real numbers, got {weights!r:.80}") from None
    if found.shape != (n,):
        raise ValueError(f"vertex_weights must have one entry per vertex ({n}), got {found.shape}")
    with np.errstate(over="ignore"):
        if n and not (found.min() >= 0 and np.isfinite(found.sum())):
            raise ValueError(
                "vertex_weights must be nonnegative with a finite sum, got values from "
                f"{found.min()} to {found.max()}"
            )
    return found if found.any() else np.ones(n)
