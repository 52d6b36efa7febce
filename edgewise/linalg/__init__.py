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
    "SEMIRINGS": "semirings",
    "Matrix": "matrix",
    "Semiring": "semirings",
    "spgemm": "spgemm",
    "spgemm_batches": "spgemm",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
