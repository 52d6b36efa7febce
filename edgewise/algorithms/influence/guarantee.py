"""Sample sizes and proofs for influence maximization: the bounds of IMM [1, 2] and OPIM-C [3].

A sample is the set of vertices that reach a random vertex along live edges. The expected spread of
seeds is n times the probability that a sample contains one of them. So the fraction of samples that
do estimates the spread. The bounds limit the error except with probability delta. *trust* is
log(1 / delta), and *choices* is the logarithm of the number of possible seed sets.

[1] Y. Tang, Y. Shi, X. Xiao. Influence maximization in near-linear time: a martingale approach.
    SIGMOD 2015.
[2] W. Chen. An issue in the martingale analysis of the influence maximization algorithm IMM.
    CSoNet 2018.
[3] J. Tang, X. Tang, X. Xiao, J. Yuan. Online processing algorithms for influence maximization.
    SIGMOD 2018.
"""

from __future__ import annotations

from math import ceil, e, inf, lgamma, log, log2, sqrt
from typing import NamedTuple

__all__ = [
    "GREEDY",
    "Sizes",
    "corrected_trust",
    "final_factor",
    "guess_factor",
    "log_choose",
    "lower_bound",
    "online_sizes",
    "upper_bound",
]

#: What greedy choices reach of the best, at least.
GREEDY = 1 - 1 / e


def log_choose(n: int, k: int) -> float:
    """The logarithm of the number of ways to choose k of n.

    >>> round(log_choose(5, 2), 6) == round(log(10), 6)
    True
    """
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def guess_factor(n: int, choices: float, epsilon: float, trust: float) -> float:
    """The lambda' of [1]: so many samples over x show whether some seeds have a spread of x."""
    wide = sqrt(2) * epsilon
    return (2 + 2 / 3 * wide) * (choices + trust + log(log2(n))) * n / wide**2


def final_factor(n: int, choices: float, epsilon: float, trust: float) -> float:
    """The lambda* of [1]: so many samples over the best spread are enough for a guarantee.

    >>> round(final_factor(1000, log_choose(1000, 10), 0.5, log(1000)))
    509344
    """
    alpha = sqrt(trust + log(2))
    beta = sqrt(GREEDY * (choices + trust + log(2)))
    return 2 * n * (GREEDY * alpha + beta) ** 2 / epsilon**2


def corrected_trust(n: int, choices: float, epsilon: float, trust: float) -> float:
    """The trust for samples whose number depends on themselves (the second remedy of [2]).

    They must be right for every number that may come out, from 1 to lambda*: delta is shared by all
    of these, which makes lambda* a little larger, and so on until both agree.
    """
    more = 700.0  # from above, where it is more than enough at each step
    for _ in range(100):
        less = log(ceil(final_factor(n, choices, epsilon, trust + more)))
        if more - less < 1e-9:
            break
        more = less
    return trust + more


class Sizes(NamedTuple):
    """Samples in each of two collections: at first, and at most; they double in between."""

    first: int
    most: int
    rounds: int


def online_sizes(n: int, k: int, choices: float, epsilon: float, delta: float) -> Sizes:
    """Theta_0, theta_max and i_max of [3]; a round more, so that the last one has theta_max."""
    trust = log(6 / delta)
    most = 2 * n * (GREEDY * sqrt(trust) + sqrt(GREEDY * (choices + trust))) ** 2
    most /= epsilon**2 * k
    first = most * epsilon**2 * k / n
    return Sizes(ceil(first), ceil(most), 1 + max(0, ceil(log2(most / first))))


def lower_bound(covered: int, samples: int, n: int, trust: float) -> float:
    """At least this is the spread of seeds that were chosen without a look at these samples [3].

    >>> round(lower_bound(500, 1000, 100, log(100)), 2), lower_bound(0, 1000, 100, log(100))
    (43.51, 0.0)
    """
    if covered == 0:
        return 0.0
    found = (sqrt(covered + 2 * trust / 9) - sqrt(trust / 2)) ** 2 - trust / 18
    return max(found, 0.0) * n / samples


def upper_bound(covered: float, samples: int, n: int, trust: float) -> float:
    """At most this is the best spread, if no seeds are in more than ``covered`` samples [3].

    >>> round(upper_bound(500, 1000, 100, log(100)), 2), upper_bound(1, 0, 100, 1.0)
    (57.26, inf)
    """
    if samples == 0:
        return inf
    return (sqrt(covered + trust / 2) + sqrt(trust / 2)) ** 2 * n / samples
