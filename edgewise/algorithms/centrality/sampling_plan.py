"""When to stop sampling: bounds on binomial fractions, and the parts of the probability to fail.

See `approximate_betweenness_centrality`. ``share`` is the fraction of samples that count for each
vertex. Trust is ln(1 / d), where d is the probability that a bound of a vertex does not hold.
"""

from __future__ import annotations

from math import ceil, log
from typing import Any

import numpy as np

__all__ = ["errors", "is_ranked", "most_samples", "plan"]

#: Of the probability of failure, the part that all vertices share evenly.
_EVEN = 0.1
#: Samples at a check, over those at the one before; about as many checks there are.
_RATIO, _CHECKS = 1.15, 16


def most_samples(n: int, error: float, delta: float, checks: int) -> int:
    """Return the samples that are enough for all vertices by Hoeffding's bound and even parts."""
    return ceil(log(2 * n * checks / (_EVEN * delta)) / (2 * error**2))


def errors(share: np.ndarray, trust: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors downward and upward; ``trust`` is that of a bound over the samples."""
    most = np.sqrt(trust / 2)
    below = np.minimum(np.sqrt(2 * share * trust), most)
    return below, np.minimum(trust + np.sqrt(trust * (trust + 2 * share)), most)


def plan(
    counts: np.ndarray, first: int, error: float, delta: float, k: int | None
) -> tuple[list[int], np.ndarray]:
    """Return the numbers of samples at which to check, and the trust of each vertex's bounds."""
    n, share = len(counts), counts / first
    wanted = np.full(n, error) if k is None else _targets(share, k, error)
    likely = (counts + np.sqrt(counts) + 1) / first  # a high guess
    # So much does ln(1 / d) grow with each sample where the error is the wanted one.
    rate = wanted**2 * np.maximum(0.5 / (likely + wanted), 2)
    rates, numbers = np.unique(rate, return_counts=True)

    def enough(checks: int) -> float:
        """The samples that divide the rest of the probability by these rates."""
        low, high = 0.0, most_samples(n, error, delta, checks) * 1.0
        for _ in range(50):
            middle = (low + high) / 2
            used = 2 * float(numbers @ np.exp(-rates * middle))
            low, high = (low, middle) if used <= (1 - _EVEN) * delta / checks else (middle, high)
        return high

    checks = _CHECKS
    for _ in range(4):
        start, last = enough(checks), most_samples(n, error, delta, checks)
        sizes = [ceil(start)]
        while sizes[-1] < last:
            sizes.append(min(ceil(sizes[-1] * _RATIO), last))
        if len(sizes) <= checks:
            break
        checks = len(sizes)
    even = log(2 * n * len(sizes) / (_EVEN * delta))
    return sizes, -np.logaddexp(-rate * enough(len(sizes)), -even)


def _targets(share: np.ndarray, k: int, error: float) -> np.ndarray:
    """The errors that tell the first k vertices apart, from one another and from the others."""
    order = np.argsort(-share, kind="stable")
    ranked = share[order]
    gaps = np.r_[np.inf, ranked[:-1] - ranked[1:], np.inf]
    wanted = np.minimum(gaps[:-1], gaps[1:]) / 2
    wanted[k:] = (ranked[k - 1] - ranked[k:]) / 2
    found = np.empty_like(wanted)
    found[order] = np.clip(wanted, error, 1)
    return found


def is_ranked(share: Any, below: Any, above: Any, k: int, error: float) -> bool:
    """Return whether the first k vertices are told apart from all others, up to the error."""
    order = np.argsort(-share, kind="stable")
    close = (np.maximum(below, above) <= error)[order]
    low, high = (share - below)[order], (share + above)[order]
    floor = np.r_[np.inf, np.minimum.accumulate(low)[:-1]]  # of all before
    ceiling = np.r_[np.maximum.accumulate(high[::-1])[::-1][1:], -np.inf]  # of all after
    apart = (high <= floor) & (low >= ceiling)
    apart[k:] = high[k:] <= low[:k].min()
    return bool((close | apart).all())
