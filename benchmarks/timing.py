"""The time of a call that is repeated for a while: its mean, or its median."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

__all__ = ["mean_time", "median_time"]


def mean_time(call: Callable[[], Any], seconds: float, most: int = 10**9) -> float:
    """The mean of calls made until so many seconds have passed, or ``most`` of them."""
    count, begin = 0, time.perf_counter()
    while True:
        call()
        count += 1
        passed = time.perf_counter() - begin
        if passed > seconds or count == most:
            return passed / count


def median_time(call: Callable[[], Any], seconds: float, most: int) -> float:
    """The median of calls made until so many seconds have passed, or ``most`` of them."""
    found, begin = [], time.perf_counter()
    while len(found) < most and (not found or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return median(found)
