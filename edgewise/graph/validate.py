"""Every rule of the compressed rows, checked in an order that keeps the next check safe.

An undirected graph must equal its transpose, which all threads build for the comparison.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.bit_blocks import Blocks
from edgewise.base.parallel import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.graph.transpose import turned

__all__ = ["Survey", "check_rows", "survey", "validate"]


class Survey(NamedTuple):
    """What a look at compressed rows found."""

    #: Do the rows begin in order, the first at 0, the last ending with the columns?
    in_order: bool
    #: Is every column in range?
    in_range: bool
    #: Is every row strictly ascending?
    ascending: bool


def survey(indptr: np.ndarray, indices: np.ndarray, num_columns: int) -> Survey:
    """Look at all rows once, on all threads; faster than any use of them.

    >>> survey(np.array([0, 2, 3]), np.array([1, 0, 5], np.int32), 3)
    Survey(in_order=True, in_range=False, ascending=False)
    """
    from edgewise.graph.cpu import survey as kernels

    m, team = len(indices), get_threads()
    in_order, ascending, top = False, False, -1
    if len(indptr) and indptr[0] == 0 and indptr[-1] == m:
        starts, columns = _readable(indptr), _readable(indices)
        columns = columns.view(f"uint{8 * columns.itemsize}")
        falls, disorder = np.zeros((2, team), np.int64)
        highest = np.zeros(team, columns.dtype)
        kernel = kernels.survey_blocks if isinstance(columns, Blocks) else kernels.survey
        launch(kernel, starts, columns, falls, disorder, highest, work=len(starts) + m, team=team)
        in_order, top = not falls.any(), int(highest.max())
        ascending = in_order and int(disorder.sum()) == 0
    if m and not ascending:
        indices = np.asarray(indices)
        return Survey(in_order, bool(indices.min() >= 0 and indices.max() < num_columns), False)
    return Survey(in_order, top < max(num_columns, 1), ascending)


def _readable(array: Any) -> Any:
    """What the kernel reads: blocks of a compressed graph, or a read-only array."""
    return array if isinstance(array, Blocks) else frozen(np.ascontiguousarray(array))


def validate(csr: Any) -> None:
    """ValueError with the first violation; see `CSR.validate`."""
    indptr, indices = csr.stored
    check_rows(indptr, indices, csr.shape[1])
    if not getattr(csr, "directed", True):
        _check_symmetry(csr)


def check_rows(indptr: np.ndarray, indices: np.ndarray, num_columns: int) -> None:
    """ValueError with the first row that does not begin in order, is out of range or not sorted."""
    if all(survey(indptr, indices, num_columns)):
        return
    indptr, indices = np.asarray(indptr), np.asarray(indices)
    _check_indptr(indptr, len(indices))
    _check_range(indices, num_columns)
    _check_order(indptr, indices)


def _check_indptr(indptr, arcs: int) -> None:
    if indptr[0] != 0 or indptr[-1] != arcs:
        raise ValueError(
            f"indptr must run from 0 to the number of indices ({arcs}), "
            f"got {indptr[0]} to {indptr[-1]}"
        )
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        u = int(falls[0])
        raise ValueError(
            f"indptr must not decrease, got {indptr[u]} then {indptr[u + 1]} at positions {u}, "
            f"{u + 1}"
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
