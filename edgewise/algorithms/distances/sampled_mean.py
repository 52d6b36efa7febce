"""SampledMean: a mean over pairs of vertices that may be estimated from some of them.

It is the ratio R of two sums over k of n vertices, drawn without repetition. The variance of R is
that of the residuals (total - R * pairs) / mean pairs, over k, times 1 - k / n.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["SampledMean", "ratio"]

#: The probability that the interval holds the mean.
_CONFIDENCE = 0.95


class SampledMean(float):
    """A float with an interval that holds the exact mean with a probability of 95 percent.

    ``interval`` is a pair of floats. Both are the value itself if it is exact.

    >>> mean = SampledMean(2.5, (2.0, 3.0))
    >>> mean, mean + 1, mean.interval
    (2.5, 3.5, (2.0, 3.0))
    """

    interval: tuple[float, float]

    def __new__(cls, value: float, interval: tuple[float, float] | None = None) -> SampledMean:
        """Make one; without an interval, it is exact."""
        made = super().__new__(cls, value)
        made.interval = (float(value), float(value)) if interval is None else interval
        return made

    def __getnewargs__(self) -> Any:
        return float(self), self.interval


def ratio(totals: np.ndarray, pairs: np.ndarray, n: int) -> SampledMean:
    """The sum of the totals over the number of pairs, as of k of n vertices.

    >>> ratio(np.array([2.0, 4.0]), np.array([2, 2]), 2).interval
    (1.5, 1.5)
    """
    k, count = len(totals), pairs.sum()
    value = float(totals.sum() / count) if count else 0.0
    if k == n or count == 0:
        return SampledMean(value)
    if k == 1:
        return SampledMean(value, (0.0, np.inf))
    from scipy.special import stdtrit

    variance = float(((totals - value * pairs) ** 2).sum()) / (k - 1) / (count / k) ** 2
    width = float(stdtrit(k - 1, (1 + _CONFIDENCE) / 2)) * np.sqrt(variance / k * (1 - k / n))
    return SampledMean(value, (max(value - float(width), 0.0), value + float(width)))
