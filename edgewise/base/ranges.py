"""The range of numbers: factors that keep products finite, and sums of whole numbers.

One place decides for all families how far weights may be from 1, and when a sum of whole numbers
does not fit int64.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["check_whole", "factor_for", "most_of", "near_one", "whole_sum"]

#: Numbers from 2**-_FAR to 2**_FAR are left alone: squares of their sums are finite, and not zero.
_FAR = 200
_WIDER = "; give them as float64"


def factor_for(largest: float) -> float:
    """Return the power of two that brings an extreme number nearer to 1; 1.0 for any other.

    A power of two changes no digit.

    >>> factor_for(3.0), factor_for(2.0**-500) == 2.0**500, factor_for(2.0**500) == 2.0**-300
    (1.0, True, True)
    """
    exponent = math.frexp(largest)[1] - 1
    if not 0 < largest < math.inf or abs(exponent) <= _FAR:
        return 1.0
    return 2.0 ** (_FAR - exponent if exponent > 0 else min(-exponent, 1000))


def near_one(array: Any) -> Any:
    """Return the array, times `factor_for` its greatest absolute value."""
    factor = factor_for(float(abs(array).max())) if len(array) else 1.0
    return array if factor == 1.0 else array * factor


def whole_sum(array: Any) -> int:
    """Return the exact sum of whole numbers, as an int of any size.

    >>> whole_sum(np.full(4, 2**62)) == 2**64
    True
    """
    if len(array) == 0:
        return 0
    if most_of(array) * len(array) < 2**63:
        return int(array.sum(dtype=np.int64))
    low = int((array & 0xFFFFFFFF).sum(dtype=np.int64))
    return (int((array >> 32).sum(dtype=np.int64)) << 32) + low


def most_of(array: Any) -> int:
    """Return the greatest absolute value of whole numbers."""
    return max(-int(array.min()), int(array.max())) if len(array) else 0


def check_whole(
    most: float, sums: str, name: str = "weights", *, limit: int = 2**63, hint: str = _WIDER
) -> None:
    """Refuse whole numbers of which a sum might reach ``limit``, a power of two.

    >>> check_whole(2**63, "sums", hint="")
    Traceback (most recent call last):
    ValueError: weights must keep sums within int64, but one might be 9.22e+18
    """
    if most >= limit:
        where = "within int64" if limit == 2**63 else f"below 2**{limit.bit_length() - 1}"
        raise ValueError(f"{name} must keep {sums} {where}, but one might be {most:.3g}{hint}")
