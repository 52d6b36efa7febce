"""Sorting in shared memory by all threads of a block: Batcher's bitonic order [1].

[1] K. Batcher. Sorting networks and their applications. AFIPS 1968.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda

__all__ = ["bitonic_sort"]


@cache
def bitonic_sort(threads: int) -> Any:
    """Return ``sort(items, size, me)``: the first items ascend; ``size`` is a power of two.

    All ``threads`` of the block call it, each as number ``me``; it begins and ends with a barrier.
    """

    @device
    def sort(items, size, me):
        cuda.syncthreads()
        run = np.int64(2)
        while run <= size:
            stride = run >> 1
            while stride > 0:
                i = np.int64(me)
                while i < size >> 1:
                    low = 2 * i - (i & (stride - 1))
                    a, b = items[low], items[low + stride]
                    if (a > b) == (low & run == 0):
                        items[low], items[low + stride] = b, a
                    i += threads
                cuda.syncthreads()
                stride >>= 1
            run *= 2

    return sort
