"""Does a message fit where whole numbers are kept? Said when it is compiled, on every engine.

`element` and `set_element` read and write one array or a tuple of them, also on every engine.
"""

from __future__ import annotations

from typing import Any

__all__ = ["bucket_number", "cut_off", "element", "register", "set_element", "whole"]


def element(values, i):
    """``values[i]``, or the tuple of elements of a tuple of arrays."""
    return tuple(one[i] for one in values) if isinstance(values, tuple) else values[i]


def set_element(values, i, new):
    """Set ``values[i]``, or the elements of a tuple of arrays.

    Compiling fails if ``new`` has a fraction that would be cut off, or other parts than ``values``.
    """
    if not isinstance(values, tuple):
        values[i] = new
        return
    for one, part in zip(values, new, strict=True):
        one[i] = part


def whole(new):
    """``new`` as it is; compiling fails if it is a float, whose fraction would be cut off."""
    return new


def bucket_number(new):
    """``new`` as it is; compiling fails if it is a float, which is the number of no bucket."""
    return new


def cut_off(given: Any, kept: Any) -> str:
    """The reason where a function returns floats, and whole numbers are kept."""
    return f"it returns {given}, which {kept} cannot hold; give dtype={given} or values of {given}"


def register(overload: Any, error: Any, take: Any, put: Any, cast: Any) -> None:
    """Let an engine's compiler know these functions; ``error`` is what its typing raises.

    ``take``, ``put`` and ``cast`` are the engine's, from `element_access`.
    """

    @overload(element)
    def _element(values, i):
        return lambda values, i: take(values, i)

    @overload(set_element)
    def _set_element(values, i, new):
        parts = [len(one.types) if hasattr(one, "types") else 1 for one in (values, new)]
        if parts[0] != parts[1]:
            raise error(f"it must give a value of {parts[0]} parts, not of {parts[1]}")
        return lambda values, i, new: put(values, i, cast(values, new))

    @overload(whole)
    def _whole(new):
        if type(new).__name__ == "Float":
            raise error(cut_off(new, "the type kept"))
        return lambda new: new

    @overload(bucket_number)
    def _bucket_number(new):
        if type(new).__name__ == "Float":
            raise error(f"it must give a whole number, that of a bucket, but gives {new}")
        return lambda new: new
