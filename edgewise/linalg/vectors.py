"""SparseVector: the stored entries of a vector, which is a frontier with values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.graph.csr import index_dtype
from edgewise.linalg.borrow import each, listed, on_device

__all__ = ["SparseVector", "as_sparse_vector"]


class SparseVector(NamedTuple):
    """A sparse vector: distinct positions and one value at each.

    ``indices`` are in any order; `sorted` sorts them. ``values`` is an array or a tuple of arrays.

    Examples
    --------
    >>> import numpy as np
    >>> vector = SparseVector(5, np.array([3, 1]), np.array([0.5, 2.0]))
    >>> vector.to_dense().tolist()
    [0.0, 2.0, 0.0, 0.5, 0.0]
    """

    size: int
    indices: Any
    values: Any

    @classmethod
    def from_dense(cls, array: Any, zero: Any = 0) -> SparseVector:
        """Return the elements of an array that are not ``zero``.

        >>> SparseVector.from_dense(np.array([0, 7, 0])).indices.tolist()
        [1]
        """
        xp = _module(array)
        kept = xp.flatnonzero(array != zero).astype(index_dtype(len(array)))
        return cls(len(array), kept, array[kept])

    @property
    def nnz(self) -> int:
        """The number of stored entries."""
        return len(self.indices)

    def sorted(self) -> SparseVector:
        """Return the vector with ascending indices.

        >>> SparseVector(5, np.array([3, 1]), np.array([5, 2])).sorted().values.tolist()
        [2, 5]
        """
        order = _module(self.indices).argsort(self.indices)
        values = each(lambda one: one[order], self.values)
        return SparseVector(self.size, self.indices[order], values)

    def to_dense(self, zero: Any = 0) -> Any:
        """Return an array (or a tuple of arrays) in which ``zero`` stands for missing elements."""

        def spread(one: Any) -> Any:
            dense = _module(one).full(self.size, zero, one.dtype)
            dense[self.indices] = one
            return dense

        return each(spread, self.values)


def _module(array: Any) -> Any:
    if isinstance(array, np.ndarray):
        return np
    from edgewise.base.cuda.device import array_module

    return array_module()


def as_sparse_vector(matrix: Any, given: Any, name: str, size: int) -> SparseVector:
    """A sparse vector of this size on the device of a matrix, checked."""
    if not isinstance(given, SparseVector):
        raise TypeError(f"{name} must be a SparseVector, got {type(given).__name__}")
    if check_count(given.size, f"{name}.size") != size:
        raise ValueError(f"{name} must have the size {size}, got {given.size}")
    xp, kind = matrix.xp, index_dtype(size)
    indices = xp.ascontiguousarray(on_device(given.indices, xp))
    if indices.ndim != 1 or (indices.dtype.kind not in "iu" and len(indices)):
        raise TypeError(f"{name}.indices must be a vector of integers, got {indices.dtype}")
    whole = indices.view(f"u{indices.dtype.itemsize}")  # negative numbers are the largest then
    if len(indices) and int(whole.max()) >= size:
        raise ValueError(f"{name}.indices must be from 0 to {size - 1}, got {indices.min()} "
                         f"to {indices.max()}")  # fmt: skip
    values = each(lambda one: xp.ascontiguousarray(on_device(one, xp)), given.values)
    for one in listed(values):
        if len(one) != len(indices):
            raise ValueError(
                f"{name}.values must have one entry per index ({len(indices)}), got {len(one)}"
            )
    if indices.dtype != kind:
        indices = indices.astype(kind)
    return SparseVector(size, indices, values)
