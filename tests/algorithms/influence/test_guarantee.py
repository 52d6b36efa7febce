"""The bounds of IMM and OPIM-C: as published, and true of coins as often as they promise."""

from __future__ import annotations

from math import ceil, comb, e, exp, log, log2, sqrt

import numpy as np
import pytest

from edgewise.algorithms.influence.guarantee import (
    corrected_trust,
    final_factor,
    guess_factor,
    log_choose,
    lower_bound,
    online_sizes,
    upper_bound,
)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 0), (10, 3), (500, 499), (2000, 50)])
def test_choices(n, k):
    assert log_choose(n, k) == pytest.approx(log(comb(n, k)), abs=1e-6)


def test_factors_as_published():
    """Equations 6 and 9 of Tang, Shi, Xiao, with l = 1."""
    n, k, epsilon, ell = 1000, 10, 0.3, 1
    choices, wide = log(comb(n, k)), sqrt(2) * epsilon
    first = (2 + 2 / 3 * wide) * (choices + ell * log(n) + log(log2(n))) * n / wide**2
    assert guess_factor(n, choices, epsilon, ell * log(n)) == pytest.approx(first)
    alpha = sqrt(ell * log(n) + log(2))
    beta = sqrt((1 - 1 / e) * (choices + ell * log(n) + log(2)))
    second = 2 * n * ((1 - 1 / e) * alpha + beta) ** 2 / epsilon**2
    assert final_factor(n, choices, epsilon, ell * log(n)) == pytest.approx(second)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (7, 2), (7115, 50), (10**7, 100)])
@pytest.mark.parametrize("epsilon", [0.01, 0.13, 0.9])
def test_correction_is_enough_and_no_more(n, k, epsilon):
    """With gamma of Chen's second remedy, ceil(lambda*(l + gamma)) is n^gamma."""
    choices, trust = log_choose(n, k), log(2 * n)
    more = corrected_trust(n, choices, epsilon, trust) - trust
    needed = ceil(final_factor(n, choices, epsilon, trust + more))
    assert needed <= exp(more) * (1 + 1e-6) <= needed * (1 + 1e-3)


def test_sizes_of_two_collections():
    """Theta_max and theta_0 of Tang, Tang, Xiao, Yuan; the last doubling reaches theta_max."""
    n, k, epsilon, delta = 1000, 10, 0.3, 0.001
    part, trust, choices = 1 - 1 / e, log(6 / delta), log(comb(n, k))
    most = 2 * n * (part * sqrt(trust) + sqrt(part * (choices + trust))) ** 2 / (epsilon**2 * k)
    sizes = online_sizes(n, k, choices, epsilon, delta)
    assert (sizes.first, sizes.most) == (ceil(most * epsilon**2 * k / n), ceil(most))
    assert sizes.first * 2 ** (sizes.rounds - 1) >= most > sizes.first * 2 ** (sizes.rounds - 3)


@pytest.mark.parametrize("chance", [0.001, 0.02, 0.5, 0.99])
@pytest.mark.parametrize("samples", [50, 5000])
def test_bounds_hold_as_often_as_they_promise(chance, samples):
    n, delta, trials = 1000, 0.05, 4000
    found = np.random.default_rng(samples).binomial(samples, chance, trials)
    low = np.array([lower_bound(int(one), samples, n, log(1 / delta)) for one in found])
    high = np.array([upper_bound(int(one), samples, n, log(1 / delta)) for one in found])
    assert (low > chance * n).mean() <= delta
    assert (high < chance * n).mean() <= delta
    assert (low <= found * n / samples).all() and (high >= found * n / samples).all()
    if chance * samples > 1000:
        assert low.mean() > 0.9 * chance * n and high.mean() < 1.1 * chance * n
