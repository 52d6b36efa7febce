"""The product with a dense vector by cuSPARSE, through CuPy, for plain arithmetic with floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.monoids import ADD
from edgewise.base.once import once
from edgewise.graph.transfer import on
from edgewise.linalg.semirings import SEMIRINGS

__all__ = ["is_plain", "spmv"]

#: Fewer entries are no faster with cuSPARSE.
_MANY = 1 << 22


def is_plain(matrix: Any, vector: Any, ring: Any, kind: Any) -> bool:
    """Does cuSPARSE compute this product, and faster?"""
    if simulated() or matrix.values is None or not _MANY <= matrix.nnz < 2**31:
        return False
    if ring.add is not ADD or ring.multiply is not SEMIRINGS["plus_times"].multiply:
        return False
    if isinstance(vector, tuple) or not matrix.values.dtype == vector.dtype == kind:
        return False
    return kind in (np.float32, np.float64) and matrix.indices.dtype == np.int32


def spmv(matrix: Any, vector: Any) -> Any:
    """The product by cuSPARSE, whose matrix is kept."""
    with on(matrix._device_number):
        return once(matrix, "cusparse", lambda: _borrowed(matrix)) @ vector


def _borrowed(matrix: Any) -> Any:
    from cupyx.scipy.sparse import csr_matrix

    starts = once(matrix._structure, "starts", lambda: matrix.indptr.astype(np.int32))
    return csr_matrix((matrix.values, matrix.indices, starts), shape=matrix.shape)
