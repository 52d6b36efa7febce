"""Products of `edgewise.linalg` on CUDA and on CPU threads, for `tests.cuda.cases`."""

from __future__ import annotations

import numpy as np

from edgewise.base.monoids import add_each
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
    spgemm_batches,
    spmm,
    spmspv,
    spmv,
    union,
)
from edgewise.linalg.borrow import listed
from edgewise.linalg.cuda.spmm import _segments
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
    other = matrix.with_values(matrix.values + 1)
    yield spmm(other, block), "spmm with other values"
    if device != "cpu":  # found once for all values
        assert _segments(other, None) is _segments(matrix, None)
    at = xp.asarray(np.arange(0, columns, 3))
    sparse = SparseVector(columns, at, vector[at])
    for direction in ("push", "pull"):
        for ring in ("plus_times", "min_first", "any_pair", widest):
            found = spmspv(matrix, sparse, ring, mask=chosen, direction=direction)
            yield from _vector(found, f"spmspv by {direction}")
    left, right = vector[:rows, None] * xp.arange(4), vector[:, None] + xp.arange(4)
    pairs = mask.with_values((mask.values, mask.values.astype(np.int64)))
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
        (union(pairs, pairs, lambda a, b: (a[0] - b[0], a[1] + b[1])), "union of pairs"),
        (apply(pairs, lambda value, row: (value[1] / 2, value[1] + row)), "apply to pairs"),
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
    yield from _wide_products(matrix.shape[0], matrix.device)
    steps = Matrix.from_entries(
        np.repeat(np.arange(8), 3), (np.arange(24) // 3 + np.arange(24) % 3) % 8,
        np.tile(np.float32([0.5, 0.25, 0.25]), 8), shape=(8, 8),
    ).to(matrix.device)  # fmt: skip
    for pruning in (Pruning(0.2, 2, 3, 0.9, 2.0), Pruning(0.1, 2, 1, 0.5, 3.0)):
        found = inflated_square(steps, pruning, None)[0].sorted()
        yield found.indices, "inflated_square: indices"
        yield found.values.round(3), "inflated_square: values"


def _wide_products(rows: int, device: str):
    """Products with rows of every kind, in several types, with masks, sorted and not."""
    left, right, mask = (one.to(device) for one in _operands(rows))
    shuffled = right._like(right.indptr, right.indices, right.values, num_columns=right.shape[1],
                           sorted_rows=False)  # fmt: skip
    widest = Semiring(lambda a, b: max(a, b), lambda a, b: min(a, b), zero="lowest")
    pairs = Semiring(
        lambda a, b: a if a[0] < b[0] or (a[0] == b[0] and a[1] < b[1]) else b,
        lambda a, b: (a + b, a), ("highest", "highest"), dtype=(np.float32, np.int64),
    )  # fmt: skip
    apart = Semiring(add_each(2), lambda a, b: (a * b, 1), dtype=(np.int64, np.int64))
    for one in (right, shuffled):
        for options in ({}, {"mask": mask}, {"mask": mask, "complement": True}):
            found = spgemm(left, one, sort=True, **options)
            assert found.sorted_rows
            yield from _arrays(found, "spgemm with sorted rows")
            yield from _arrays(spgemm(left, one, **options).sorted(), "spgemm of wide rows")
    far = shuffled._like(right.indptr, right.indices.astype(np.int64) << 36, right.values,
                         num_columns=right.shape[1] << 36, sorted_rows=False)  # fmt: skip
    yield from _arrays(spgemm(left, far, sort=True), "spgemm with columns far apart")
    ints = (
        left.with_values(left.values.astype(np.int32)),
        right.with_values(right.values.astype(np.int32)),
    )
    for ring in ("or_and", "any_second", "min_plus", widest, pairs, apart):
        found = spgemm(ints[0], ints[1].with_values(None) if ring == "any_second" else ints[1],
                       ring)  # fmt: skip
        yield from _arrays(found.sorted(), f"spgemm over {ring}")
    memory = "1MiB" if rows > 100 or device == "cpu" else 1500  # several batches on CUDA
    parts = spgemm(left, right, memory=memory, sort=True)
    yield from _arrays(parts, "spgemm in batches")
    memory = "1MiB" if rows > 100 or device == "cpu" else 3200
    parts = [part for _, part in spgemm_batches(left, right, memory=memory, sort=True)]
    xp = left.xp
    yield xp.concatenate([xp.diff(part.indptr) for part in parts]), "spgemm_batches: lengths"
    yield xp.concatenate([part.indices for part in parts]), "spgemm_batches: indices"
    yield xp.concatenate([part.values for part in parts]), "spgemm_batches: values"


def _operands(rows: int) -> tuple[Matrix, Matrix, Matrix]:
    """A left operand with rows of very different lengths, a wide right one, and a mask."""
    many = rows > 100
    columns, base = (20 * rows, 60) if many else (2 * rows, 4)
    lengths = [0, 1, 2, 3, min(rows, 20), rows // 2, rows, 1]
    at = np.concatenate([np.arange(one) * rows // max(one, 1) for one in lengths])
    left = Matrix(np.cumsum([0, *lengths]), at, np.arange(len(at)) % 5 + 1.0, num_columns=rows)
    k, j = np.divmod(np.arange(rows * (base + 3)), base + 3)
    k, j = k[j < base + k % 3], j[j < base + k % 3]
    places = (k * 7 + j * (columns // (base + 3))) % columns
    right = Matrix.from_entries(k, places, k % 7 + j % 3 - 2.0, shape=(rows, columns))
    i, j = np.divmod(np.arange(8 * columns), columns)
    kept = (i * 3 + j) % 4 < 2
    return left, right, Matrix.from_entries(i[kept], j[kept], shape=(8, columns))


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
    for values in listed(matrix.values):
        yield values, f"{name}: values"


def _vector(vector: SparseVector, name: str):
    vector = vector.sorted()
    yield vector.indices, f"{name}: indices"
    yield vector.values, f"{name}: values"
