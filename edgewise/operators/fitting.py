"""Does a message fit where whole numbers are kept? Said when it is compiled, on every engine."""

from __future__ import annotations

from typing import Any

__all__ = ["bucket_number", "cut_off", "register", "whole"]


def whole(new):
    """``new`` as it is; compiling fails if it is a float, whose fraction would be cut off."""
    return new


def bucket_number(new):
    """``new`` as it is; compiling fails if it is a float, which is the number of no bucket."""
    return new


def cut_off(given: Any, kept: Any) -> str:
    """The reason where a function returns floats, and whole numbers are kept."""
    return f"it returns {given}, which {kept} cannot hold; give dtype={given} or values of {given}"


def register(overload: Any, error: Any) -> None:
    """Let an engine's compiler know these functions; ``error`` is what its typing raises."""

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
