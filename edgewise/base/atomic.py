"""Atomic updates of array elements, for functions given to operators.

Each takes ``(array, index, value)`` and returns the element's old value; one thread's update never
loses another's. ``cas(array, index, expected, value)`` stores only if the element still equals
``expected``. The order is acquire-release. The same spelling compiles for CPU threads and CUDA;
called from plain Python, as here, each works on one thread.

>>> import numpy as np
>>> count = np.zeros(3)
>>> float(add(count, 1, 2.5)), count.tolist()
(0.0, [0.0, 2.5, 0.0])
"""

from __future__ import annotations

from typing import Any

__all__ = ["add", "bit_and", "bit_or", "cas", "exch", "max", "min"]


def add(array: Any, index: int, value: Any) -> Any:
    """Add ``value`` to ``array[index]`` and return the old value."""
    old = array[index]
    array[index] += value
    return old


def min(array: Any, index: int, value: Any) -> Any:
    """Set ``array[index]`` to ``value`` if that is smaller and return the old value."""
    old = array[index]
    if value < old:
        array[index] = value
    return old


def max(array: Any, index: int, value: Any) -> Any:
    """Set ``array[index]`` to ``value`` if that is larger and return the old value."""
    old = array[index]
    if value > old:
        array[index] = value
    return old


def bit_or(array: Any, index: int, value: Any) -> Any:
    """Set the bits of ``value`` in ``array[index]`` (integer or boolean) and return the old value.

    >>> import numpy as np
    >>> seen = np.array([0b0011])
    >>> int(bit_or(seen, 0, 0b0110)), int(seen[0])
    (3, 7)
    """
    old = array[index]
    array[index] |= value
    return old


def bit_and(array: Any, index: int, value: Any) -> Any:
    """Clear the bits of ``array[index]`` that are not set in ``value`` and return the old value."""
    old = array[index]
    array[index] &= value
    return old


def exch(array: Any, index: int, value: Any) -> Any:
    """Store ``value`` at ``array[index]`` and return the old value."""
    old = array[index]
    array[index] = value
    return old


def cas(array: Any, index: int, expected: Any, value: Any) -> Any:
    """Store ``value`` if ``array[index]`` equals ``expected`` and return the old value."""
    old = array[index]
    if old == expected:
        array[index] = value
    return old
