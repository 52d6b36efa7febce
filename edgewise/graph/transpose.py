"""Compressed rows turned around, by a stable sort of the arcs by column on all threads.

The arcs go through a buffer of 8 to 20 bytes each; many arcs go in two halves, through half of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.parallel import get_threads, launch, split_bits, threads
from edgewise.graph.arrays import RowArrays
from edgewise.graph.csr import frozen, index_dtype

__all__ = ["Turned", "bits", "both_directions", "edge_order", "transpose", "turned"]

_MANY = 1 << 20  # arcs that are worth a second look at the columns to save memory
_MOST = 2**32  # rows and columns: two of them share a word


class Turned(NamedTuple):
    """The arrays of a transpose, and each of its arcs' position before."""

    indptr: np.ndarray
    indices: Any
    weights: Any
    ids: Any


def transpose(indptr: Any, indices: Any, weights: Any, num_columns: int) -> Turned:
    """The transpose, with the edge ids."""
    return _turn(indptr, indices, weights, num_columns, index_dtype(len(indptr) - 1), ids=True)


def turned(indptr: Any, indices: Any, weights: Any, num_columns: int) -> tuple[Any, Any, Any]:
    """The transpose's arrays; its rows are sorted, whether or not the given ones are."""
    return _turn(indptr, indices, weights, num_columns, index_dtype(len(indptr) - 1))[:3]


def edge_order(indptr: Any, indices: Any, num_columns: int) -> np.ndarray:
    """The positions of the arcs, ordered by column and then by row."""
    return _turn(indptr, indices, None, num_columns, None, ids=True).ids


def both_directions(indptr: Any, indices: Any, weights: Any, loops: int) -> tuple[Any, Any, Any]:
    """Rows that hold each undirected edge once, at its smaller end, to rows with both ends'."""
    return _turn(indptr, indices, weights, len(indptr) - 1, indices.dtype, loops=loops)[:3]


def bits(array: Any) -> Any:
    """The array as plain bits: what is only moved needs no type of its own."""
    return None if array is None else array.view(f"uint{8 * array.itemsize}")


def _turn(indptr, indices, weights, num_columns, dtype, *, ids=False, loops=None) -> Turned:
    """Rows of ``dtype`` (None: none) with weights, and ids; with ``loops``, both directions."""
    from edgewise.graph.cpu.transpose import Buckets, Buffer, place, scatter, tally

    if max(num_columns, len(indptr) - 1) > _MOST:
        raise ValueError(f"a transpose has at most 2**32 rows and columns, got {num_columns}")
    upper = loops is not None
    arcs = 2 * len(indices) - loops if upper else len(indices)
    result = Turned(
        np.zeros(num_columns + 1, np.int64),
        None if dtype is None else np.empty(arcs, dtype),
        None if weights is None else np.empty(arcs, weights.dtype),
        np.empty(arcs, np.int64) if ids else None,
    )
    given = None if weights is None else bits(frozen(weights))
    rows = RowArrays(frozen(indptr), frozen(indices), given)  # one layout: one compilation
    out = result._replace(weights=bits(result.weights))
    width = max((num_columns - 1).bit_length(), 1)
    shift = width - split_bits(len(indices), width)
    buckets = ((num_columns - 1) >> shift) + 1
    count, bounds = np.zeros((get_threads(), buckets), np.int64), np.zeros(buckets + 1, np.int64)
    work = arcs + num_columns
    with threads(len(count)):
        launch(tally, rows.indptr, rows.indices, upper, shift, count, bounds, work=work)
        half = int(np.searchsorted(bounds, bounds[-1] // 2)) if arcs > _MANY else 0
        size = int(max(bounds[half], bounds[-1] - bounds[half]))
        buffer = Buffer(
            np.empty(size, np.uint64),
            np.empty(size, np.uint32 if arcs < 2**32 else np.uint64) if ids else None,
            None if given is None else np.empty(size, given.dtype),
        )
        for first, last in ((0, half), (half, buckets)):
            part = Buckets(shift, first, last, int(bounds[first]))
            launch(scatter, rows, upper, count, part, buffer, work=work)
            launch(place, bounds, part, buffer, rows, upper, out, work=work)
    return result
