"""The columns and values of a sparse product on CPU threads, which grow with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.memory import free_memory
from edgewise.linalg.borrow import each, listed

__all__ = ["Growing", "new_arrays", "zeros_of"]


class Growing:
    """Columns and values of a result: at most ``bound``, about ``estimate()``."""

    def __init__(self, product: Any, bound: int, estimate: Callable[[], int]):
        self.product, self.bound, self.capacity = product, bound, bound
        pairs = zeros_of(product.dtype, product.zero)
        kinds = [pair[0] for pair in (pairs if isinstance(pairs, tuple) else (pairs,))]
        width = 8 + sum(np.dtype(kind).itemsize for kind in kinds)
        if bound * width > free_memory() // 4:  # memory that is not written is not taken
            self.capacity = min(bound, estimate())
        self.arrays = new_arrays(product, self.capacity)

    def reserve(self, used: int, more: int) -> None:
        """Make space for more entries."""
        if used + more <= self.capacity:
            return
        self.capacity = max(used + more, min(self.bound, self.capacity * 3 // 2))
        old, self.arrays = self.arrays, new_arrays(self.product, self.capacity)
        for one, other in zip(_each_of(old), _each_of(self.arrays), strict=True):
            other[:used] = one[:used]

    def cut(self, used: int) -> tuple:
        """The arrays without the space that was not needed."""
        for one in _each_of(self.arrays):
            one.resize(used, refcheck=False)  # shorter: nothing is copied
        return self.arrays


def _each_of(arrays: tuple) -> tuple:
    return arrays[0], *listed(arrays[1])


def new_arrays(product: Any, size: int) -> tuple:
    """Columns and values of so many entries."""
    kind = np.uint64 if product.right[1].dtype.itemsize == 8 else np.uint32
    pairs = zeros_of(product.dtype, product.zero)
    return np.empty(size, kind), each(lambda pair: np.empty(size, pair[0]), pairs)


def zeros_of(dtype: Any, zero: Any) -> Any:
    """Pairs of a type and its zero: one, or a tuple of them."""
    if isinstance(dtype, tuple):
        return tuple([kind, one] for kind, one in zip(dtype, zero, strict=True))
    return [dtype, zero]
