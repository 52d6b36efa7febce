"""Arrays that may be None, for kernels that take them in records.

Numba leaves out a branch on an argument that is None, but not on a member of a record: these
functions take the member as their argument.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, inlined

__all__ = ["copy_item", "empty_like", "part", "put"]


@inlined
def put(array, at, value):
    """``array[at] = value``; nothing, if there is no array."""
    if array is not None:
        array[at] = value


@inlined
def copy_item(target, at, source, i):
    """``target[at] = source[i]``; nothing, if there is no source."""
    if source is not None:
        target[at] = source[i]


@helper
def part(array, low, high):
    """``array[low:high]``, or None."""
    if array is None:
        return None
    return array[low:high]


@helper
def empty_like(array, size):
    """A new array of the same type, or None."""
    if array is None:
        return None
    return np.empty(size, array.dtype)
