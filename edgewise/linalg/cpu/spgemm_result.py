"""The columns and values of a sparse product on CPU threads, which grow with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from edgewise.linalg.borrow import each
from edgewise.operators.cpu.growing import Growing

__all__ = ["growing", "new_arrays", "zeros_of"]


def growing(product: Any, bound: int, estimate: Callable[[], int]) -> Growing:
    """Columns and values of a result: at most ``bound``, about ``estimate()``."""
    pairs = zeros_of(product.dtype, product.zero)
    kinds = [pair[0] for pair in (pairs if isinstance(pairs, tuple) else (pairs,))]
    width = 8 + sum(np.dtype(kind).itemsize for kind in kinds)
    return Growing(partial(new_arrays, product), width, bound, estimate)


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
