"""Sparse linear algebra over semirings: products, element-wise operations and their masks.

All functions take a `Matrix`, a `Graph` or a sparse matrix of SciPy, CuPy or PyTorch. A semiring is
a name such as ``"min_plus"`` or two plain Python functions and a zero. The functions load at their
first use.

>>> import numpy as np
>>> from edgewise import generators
>>> from edgewise.linalg import spmv
>>> spmv(generators.path(4), np.array([1, 10, 100, 1000])).tolist()
[10, 101, 1010, 100]
"""

from __future__ import annotations

from edgewise.base.lazy import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Matrix": "matrix",
    "SEMIRINGS": "semirings",
    "Semiring": "semirings",
    "SparseVector": "vectors",
    "apply": "entrywise",
    "assign": "structure",
    "diagonal": "structure",
    "extract": "structure",
    "from_diagonal": "structure",
    "intersection": "elementwise",
    "kron": "structure",
    "masked": "elementwise",
    "power": "structure",
    "reduce": "entrywise",
    "reduce_columns": "entrywise",
    "reduce_rows": "entrywise",
    "sddmm": "entrywise",
    "select": "entrywise",
    "spgemm": "spgemm",
    "spgemm_batches": "spgemm",
    "spgemm_sizes": "size_estimate",
    "spmm": "dense_products",
    "spmspv": "spmspv",
    "spmv": "dense_products",
    "transpose": "structure",
    "union": "elementwise",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
