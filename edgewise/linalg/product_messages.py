"""Multiplications as messages of operators, which name only the values that they read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from edgewise.linalg.semirings import multiply_reads
from edgewise.operators.functions import Function
from edgewise.operators.helpers import inner

__all__ = ["product_message"]


@cache
def product_message(multiply: Callable[..., Any], flipped: bool = False) -> Function:
    """The message ``multiply(weight, value)`` along an entry; ``flipped`` exchanges the two."""
    reads = multiply_reads(multiply)
    by_weight, by_value = reads[::-1] if flipped else reads
    if not (by_weight and by_value):
        if by_weight:
            return Function(_weight, ("weight",))
        return Function(_value, ("value",)) if by_value else Function(_one, ())
    times = inner(multiply)
    if flipped:
        return Function(lambda value, weight: times(value, weight), ("value", "weight"))
    return Function(lambda value, weight: times(weight, value), ("value", "weight"))


def _weight(weight):
    return weight


def _value(value):
    return value


def _one():
    return 1
