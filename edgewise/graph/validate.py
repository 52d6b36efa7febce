"""Every rule of the compressed rows, checked in an order that keeps the next check safe.

An undirected graph must equal its transpose, which all threads build for the comparison.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.transpose import turned

__all__ = ["validate"]


def validate(csr: Any) -> None:
    """ValueError with the first violation; see `CSR.validate`."""
    _check_indptr(csr.indptr)
    _check_range(csr.indices, csr.shape[1])
    _check_order(csr.indptr, csr.indices)
    if not getattr(csr, "directed", True):
        _check_symmetry(csr)


def _check_indptr(indptr) -> None:
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        u = int(falls[0])
        raise ValueError(
            f"indptr must not fall, got {indptr[u]} then {indptr[u + 1]} at positions {u}, {u + 1}"
        )


def _check_range(indices, columns: int) -> None:
    if len(indices) and (indices.min() < 0 or indices.max() >= columns):
        e = int(np.argmax((indices < 0) | (indices >= columns)))
        raise ValueError(
            f"indices must lie in 0 to {columns - 1}, got {indices[e]} at position {e}"
        )


def _check_order(indptr, indices) -> None:
    falls = indices[1:] <= indices[:-1]
    begins = indptr[(indptr > 0) & (indptr < len(indices))]
    falls[begins - 1] = False
    if falls.any():
        e = int(np.argmax(falls)) + 1
        raise ValueError(
            f"row {_row(indptr, e)} must be ascending without repeats, "
            f"got column {indices[e]} after {indices[e - 1]} at position {e}"
        )


def _check_symmetry(graph) -> None:
    indptr, indices, weights = graph.indptr, graph.indices, graph.weights
    starts, rows, back = turned(indptr, indices, weights, graph.num_vertices)
    if not (np.array_equal(starts, indptr) and np.array_equal(rows, indices)):
        sources, targets, _ = graph.arcs()
        n = np.int64(graph.num_vertices)
        alone = ~np.isin(targets * n + sources, sources * n + targets)
        u, v = _ends(graph, int(np.argmax(alone)))
        raise ValueError(
            f"an undirected graph must hold both directions, got {u} to {v} but not {v} to {u}"
        )
    if back is not None and not np.array_equal(weights, back, equal_nan=True):
        differ = (weights != back) & ~((weights != weights) & (back != back))
        e = int(np.argmax(differ))
        u, v = _ends(graph, e)
        raise ValueError(
            "an undirected graph must have equal weights in both directions, "
            f"got {weights[e]} from {u} to {v} and {back[e]} back"
        )


def _row(indptr, e: int) -> int:
    return int(np.searchsorted(indptr, e, side="right")) - 1


def _ends(graph, e: int) -> tuple[str, str]:
    """Both ends of an arc as errors show them."""
    u, v = _row(graph.indptr, e), int(graph.indices[e])
    return repr(graph.label(u)), repr(graph.label(v))
