"""The columns and values of a sparse product on CPU threads, which grow with it, and its memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from edgewise.base.cpu.sort import DIGIT_BITS
from edgewise.linalg.borrow import each
from edgewise.operators.cpu.growing import Growing

__all__ = [
    "block_of", "dense_from", "entry_bytes", "growing", "has_places", "new_arrays", "table_bytes",
    "width_of", "zeros_of",
]  # fmt: skip

#: Products in a block of rows, the fewest, and its part of the memory where that is limited.
_BLOCK, _LEAST_BLOCK, _PART = 1 << 15, 1 << 8, 16
#: Sums over all columns that fit the cache of a core, in bytes.
_CACHE = 1 << 20
#: Columns up to which a table of all is used: 4 MiB, of which a row touches a part.
_PLACES = 1 << 19


def growing(product: Any, bound: int, estimate: Callable[[], int]) -> Growing:
    """Columns and values of a result: at most ``bound``, about ``estimate()``."""
    hint = ": spgemm_batches makes one part at a time, and a mask makes it smaller"
    return Growing(partial(new_arrays, product), entry_bytes(product), bound, estimate, hint)


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


def block_of(product: Any, memory: int | None) -> int:
    """The number of products in a block."""
    if memory is None:
        return _BLOCK
    return max(_LEAST_BLOCK, min(_BLOCK, memory // (_PART * entry_bytes(product))))


def entry_bytes(product: Any) -> int:
    """The bytes of an entry of the result."""
    return product.right[1].dtype.itemsize + width_of(product)


def table_bytes(product: Any, products: np.ndarray, parts: bool = False) -> int:
    """The bytes of a thread's tables; with ``parts``, those of any part of the rows at most."""
    placed = has_places(product)
    forms = (placed, False) if parts else (placed,)  # a part with few entries has no places
    return max(_bytes_of(product, products, one) for one in forms)


def _bytes_of(product: Any, products: np.ndarray, placed: bool) -> int:
    width = width_of(product)
    most = int(products.max(initial=0))
    dense = _dense_from(product, width, placed)
    hashed = 2 * 16 * min(most, dense)
    total = 8 * product.columns if placed else hashed
    total += hashed * product.sort
    if most >= dense or (product.mask and not product.complement):
        total += product.columns * (width + 2)
    return total + product.columns // 2 + (8 << DIGIT_BITS)


def dense_from(product: Any, width: int) -> int:
    """The number of products from which a row is added up in dense arrays."""
    return _dense_from(product, width, has_places(product))


def _dense_from(product: Any, width: int, placed: bool) -> int:
    columns = product.columns
    if placed and not (product.sort or product.finish):
        return 4 * columns  # of these all columns are read in the end
    few = columns * width <= _CACHE
    return max(32, columns // 4096 if few else columns // (32 if product.sort else 8))


def has_places(product: Any) -> bool:
    """Are there so few columns that a table of all takes the place of hash tables?"""
    few = product.columns <= min(_PLACES, 4 * len(product.left[1]))
    return few and len(product.left[0]) < 1 << 32  # a word has 32 bits for the row


def width_of(product: Any) -> int:
    """The bytes of the values of an entry of the result."""
    several = product.dtype if isinstance(product.dtype, tuple) else (product.dtype,)
    return sum(np.dtype(one).itemsize for one in several)
