"""Fits of binned distributions, on samples drawn from known laws."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.sensing import power_law, zipf_mandelbrot
from edgewise.sensing.quantities import BINS, bins


def sample(exponent, offset, count, most=1 << 16, seed=1):
    """Values with chances in proportion to a power of the value and an offset, in bins."""
    values = np.arange(1, most + 1)
    chances = (values + offset) ** -exponent
    drawn = np.random.default_rng(seed).choice(values, count, p=chances / chances.sum())
    return np.bincount(bins(drawn), minlength=BINS)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.5, 2.0, 3.0])
def test_power_laws_are_found_again(exponent):
    counts = sample(exponent, 0, 200_000)
    fit = power_law(counts)
    assert fit.exponent == pytest.approx(exponent, abs=0.02)
    assert fit.offset == 0
    assert fit.distance < 0.01
    assert fit.expected.sum() == pytest.approx(counts.sum())


@pytest.mark.parametrize(("exponent", "offset"), [(1.5, 5.0), (2.5, 20.0), (2.0, 0.0), (2.0, -0.5)])
def test_zipf_mandelbrot_is_found_again(exponent, offset):
    counts = sample(exponent, offset, 1_000_000)
    fit = zipf_mandelbrot(counts)
    assert fit.exponent == pytest.approx(exponent, rel=0.03)
    assert 1 + fit.offset == pytest.approx(1 + offset, rel=0.08)
    assert fit.distance < 0.005
    assert fit.distance <= power_law(counts).distance + 1e-3


def test_wide_bins_are_summed_as_if_value_by_value():
    most = 1 << 20
    values = np.arange(1, most + 1)
    counts = np.zeros(BINS)
    np.add.at(counts, bins(values), 1e9 * (values + 7.0) ** -1.3)
    fit = zipf_mandelbrot(counts)
    assert fit.exponent == pytest.approx(1.3, abs=1e-4)
    assert fit.offset == pytest.approx(7, abs=1e-2)
    assert fit.distance < 1e-6


def test_too_little_to_fit():
    for counts in (np.zeros(BINS), np.eye(BINS)[3]):
        for fit in (power_law(counts), zipf_mandelbrot(counts)):
            assert np.isnan(fit.exponent)
            assert np.isnan(fit.distance)
    two = zipf_mandelbrot(np.eye(BINS)[0] * 4 + np.eye(BINS)[1])
    assert (two.offset, np.isfinite(two.exponent)) == (0, True)


def test_wrong_distributions():
    with pytest.raises(ValueError, match=r"distribution must have 64 bins, got shape \(3,\)"):
        power_law([1, 2, 3])
    with pytest.raises(ValueError, match="counts of 0 or more, got -1"):
        zipf_mandelbrot(-np.ones(BINS))
