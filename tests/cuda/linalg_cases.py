"""Products of `edgewise.linalg` on CUDA and on CPU threads, for `tests.cuda.cases`."""

from __future__ import annotations

import numpy as np

from edgewise.linalg import (
    Matrix,
    Semiring,
    SparseVector,
    apply,
    assign,
    extract,
    intersection,
    kron,
    masked,
    reduce_rows,
    sddmm,
    select,
    spgemm,
    spmm,
    spmspv,
    spmv,
    union,
)
from edgewise.linalg.pruning import Pruning, inflated_square

__all__ = ["linalg_results"]


def linalg_results(device: str, rows: int):
    """The results of every function on a device, as arrays of the host; ``rows`` is the size."""
    matrix, mask = _matrix(rows, 7).to(device), _matrix(rows, 5).to(device)
    xp, columns = matrix.xp, matrix.shape[1]
    chosen = xp.asarray(np.arange(rows) % 3 == 0)
    widest = Semiring(lambda a, b: max(a, b), lambda a, b: min(a, b), zero=0)
    vector = xp.asarray(np.arange(columns, dtype=np.float64) % 11 + 1)
    yield spmv(matrix, vector), "spmv"
    yield spmv(matrix, vector, "min_plus", mask=chosen), "spmv with a mask"
    yield spmv(matrix, vector[:rows], widest, transpose=True), "spmv of the transpose"
    for width, ring in ((1, "plus_times"), (3, widest), (5, "any_pair"), (40, "min_second")):
        block = vector[:, None] * xp.arange(1, width + 1)
        yield spmm(matrix, block, ring), f"spmm of {width} columns"
    yield spmm(matrix, block, mask=chosen, complement=True), "spmm with a mask"
    at = xp.asarray(np.arange(0, columns, 3))
    sparse = SparseVector(columns, at, vector[at])
    for direction in ("push", "pull"):
        for ring in ("plus_times", "min_first", "any_pair", widest):
            found = spmspv(matrix, sparse, ring, mask=chosen, direction=direction)
            yield from _vector(found, f"spmspv by {direction}")
    left, right = vector[:rows, None] * xp.arange(4), vector[:, None] + xp.arange(4)
    for result, name in (
        (union(matrix, mask, "max"), "union"),
        (intersection(matrix, mask, lambda a, b: a - b), "intersection"),
        (masked(matrix, mask, complement=True), "masked"),
        (apply(matrix, lambda value, row: value + row), "apply"),
        (select(matrix, lambda value, k: value > k, params={"k": 3.0}), "select"),
        (kron(mask, extract(matrix, [0, 2])), "kron"),
        (extract(matrix, [2, 0, 2], [1, 0]), "extract"),
        (assign(matrix, [1, 0], [0], extract(mask, [0, 1], [0])), "assign"),
        (sddmm(matrix, left, right, widest), "sddmm"),
    ):
        yield from _arrays(result.sorted(), name)
    yield reduce_rows(matrix, "max"), "reduce_rows"
    yield from _products(matrix, mask)


def _products(matrix: Matrix, mask: Matrix):
    """Products of sparse matrices; all sums are exact."""
    few = extract(matrix, np.arange(6))
    square = extract(mask, np.arange(6), np.arange(6))
    for ring in ("plus_times", "min_plus"):
        yield from _arrays(spgemm(few, matrix.T, ring).sorted(), "spgemm")
    yield from _arrays(spgemm(square, square, mask=square).sorted(), "spgemm with a mask")
    steps = Matrix.from_entries(
        np.repeat(np.arange(8), 3), (np.arange(24) // 3 + np.arange(24) % 3) % 8,
        np.tile(np.float32([0.5, 0.25, 0.25]), 8), shape=(8, 8),
    ).to(matrix.device)  # fmt: skip
    for pruning in (Pruning(0.2, 2, 3, 0.9, 2.0), Pruning(0.1, 2, 1, 0.5, 3.0)):
        found = inflated_square(steps, pruning, None)[0].sorted()
        yield found.indices, "inflated_square: indices"
        yield found.values.round(3), "inflated_square: values"


def _matrix(rows: int, step: int) -> Matrix:
    """A full row, an empty row, and rows of several lengths, with as many columns and some more."""
    dense = (np.add.outer(np.arange(rows) * 3, np.arange(rows + 4) * 5) % step).astype(float)
    dense[dense < step - 2] = 0
    dense[0], dense[1] = np.arange(rows + 4) % 5 + 1, 0
    at = np.nonzero(dense)
    return Matrix.from_entries(*at, dense[at], shape=dense.shape)


def _arrays(matrix: Matrix, name: str):
    yield matrix.indptr, f"{name}: indptr"
    yield matrix.indices, f"{name}: indices"
    yield matrix.values, f"{name}: values"


def _vector(vector: SparseVector, name: str):
    vector = vector.sorted()
    yield vector.indices, f"{name}: indices"
    yield vector.values, f"{name}: values"
