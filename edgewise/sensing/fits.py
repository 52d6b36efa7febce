"""Fits of distributions that are counted in bins of powers of two.

The chance of a value d is taken to be in proportion to ``(d + offset) ** -exponent``, for d from 1
to the top of the highest bin that holds anything: the law of Zipf and Mandelbrot [1], and without
an offset a power law. The parameters are those under which the counts of the bins are most likely,
which needs no binned point to be weighed against another as least squares on logarithms does [2].
Small bins are summed value by value, large ones by Euler and Maclaurin's formula.

[1] J. Kepner et al. Hypersparse neural network analysis of large-scale internet traffic. HPEC 2019.
[2] Y. Virkar, A. Clauset. Power-law distributions in binned empirical data. Annals of Applied
Statistics 8(1), 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.sensing.quantities import BINS

__all__ = ["Fit", "power_law", "zipf_mandelbrot"]

_EXACT = 11  # bins from here on are wide enough for the formula
_EXPONENT = (1e-3, 20.0)  # where to look for it
_OFFSET = (-4.0, 14.0)  # the logarithms of 1 + offset that are tried


class Fit(NamedTuple):
    """A law fitted to a distribution."""

    exponent: float  #: the exponent; NaN if fewer than two bins are nonempty
    offset: float  #: 0 for a power law
    distance: float  #: the Kolmogorov-Smirnov distance to the data, from 0 to 1
    expected: np.ndarray  #: the expected count of each bin


def power_law(distribution: Any) -> Fit:
    """Return the power law that best fits a binned distribution.

    Parameters
    ----------
    distribution : array of 64 counts
        A field of `Distributions`: bin i counts the values above ``2**(i - 1)`` up to ``2**i``.

    Returns
    -------
    Fit
        A fit with offset 0.

    Examples
    --------
    >>> values = np.arange(1, 257)
    >>> counts = np.zeros(64)
    >>> np.add.at(counts, np.ceil(np.log2(values)).astype(int), 1e6 * values**-2.0)
    >>> fit = power_law(counts)
    >>> round(fit.exponent, 3), fit.offset, round(fit.distance, 3)
    (2.0, 0.0, 0.0)
    """
    counts = _counts(distribution)
    return _fit(counts, _exponent(counts, 0.0), 0.0)


def zipf_mandelbrot(distribution: Any) -> Fit:
    """Return the Zipf-Mandelbrot law that best fits a binned distribution.

    With fewer than three nonempty bins, which do not determine two parameters, it is a power law.

    Parameters
    ----------
    distribution : array of 64 counts
        A field of `Distributions`: bin i counts the values above ``2**(i - 1)`` up to ``2**i``.

    Returns
    -------
    Fit

    Examples
    --------
    >>> values = np.arange(1, 4097)
    >>> counts = np.zeros(64)
    >>> np.add.at(counts, np.ceil(np.log2(values)).astype(int), 1e9 * (values + 3.0) ** -2.5)
    >>> fit = zipf_mandelbrot(counts)
    >>> round(fit.exponent, 2), round(fit.offset, 1)
    (2.5, 3.0)
    """
    counts = _counts(distribution)
    if np.count_nonzero(counts) < 3:
        return power_law(counts)
    from scipy.optimize import minimize_scalar

    def surprise_of(t: float) -> float:
        offset = np.expm1(t)
        return _surprise(_exponent(counts, offset), offset, counts)

    tried = np.linspace(*_OFFSET, 19)  # the best of a grid, then inside its neighbors
    best = int(np.argmin([surprise_of(t) for t in tried]))
    inside = tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)]
    found = minimize_scalar(surprise_of, bounds=inside, method="bounded", options={"xatol": 1e-6})
    offset = float(np.expm1(found.x))
    return _fit(counts, _exponent(counts, offset), offset)


def _counts(distribution: Any) -> np.ndarray:
    counts = np.asarray(distribution, np.float64)
    if counts.shape != (BINS,):
        raise ValueError(f"distribution must have {BINS} bins, got shape {counts.shape}")
    if not (counts >= 0).all():
        raise ValueError(f"distribution must hold counts of 0 or more, got {counts.min()}")
    return counts


def _exponent(counts: np.ndarray, offset: float) -> float:
    """The most likely exponent for an offset."""
    from scipy.optimize import minimize_scalar

    if np.count_nonzero(counts) < 2:
        return float("nan")
    found = minimize_scalar(
        _surprise, bounds=_EXPONENT, args=(offset, counts), method="bounded",
        options={"xatol": 1e-7},
    )  # fmt: skip
    return float(found.x)


def _surprise(exponent: float, offset: float, counts: np.ndarray) -> float:
    """Minus the mean logarithm of the chances that a law gives to the values' bins."""
    top = _top(counts)
    chances = np.maximum(_chances(exponent, offset, top), 1e-300)
    return -float(counts[:top] @ np.log(chances)) / float(counts.sum())


def _fit(counts: np.ndarray, exponent: float, offset: float) -> Fit:
    expected = np.zeros(BINS)
    if np.isnan(exponent):
        return Fit(exponent, offset, float("nan"), expected)
    top, all_ = _top(counts), counts.sum()
    expected[:top] = _chances(exponent, offset, top) * all_
    distance = np.abs(np.cumsum(expected - counts)).max() / all_
    return Fit(exponent, offset, float(distance), expected)


def _top(counts: np.ndarray) -> int:
    """One more than the highest bin that holds anything."""
    return int(np.flatnonzero(counts)[-1]) + 1


def _chances(exponent: float, offset: float, top: int) -> np.ndarray:
    """The chance of each of the first bins under a law, if a value must be in one of them."""
    few = min(top, _EXACT)
    values = np.arange(1, (1 << few - 1) + 1) + offset
    scale = np.log(values[0])  # so that nothing is too small for a number
    each = np.exp(-exponent * (np.log(values) - scale))
    sums = np.add.reduceat(each, [0, *(1 << np.arange(few - 1))])
    edges = 2.0 ** np.arange(_EXACT - 1, max(top, _EXACT)) + offset
    at = np.exp(-exponent * (np.log(edges) - scale))
    slope = -exponent * at / edges
    whole = _integral(exponent, edges, scale)
    wide = np.diff(whole) + np.diff(at) / 2 + np.diff(slope) / 12
    chances = np.concatenate((sums, wide))
    return chances / chances.sum()


def _integral(exponent: float, edges: np.ndarray, scale: float) -> np.ndarray:
    """The integral of ``(x / exp(scale)) ** -exponent``, up to a constant."""
    power = 1.0 - exponent
    logs = np.log(edges)
    if abs(power) < 1e-9:
        return np.exp(exponent * scale) * logs
    return np.exp(power * logs + exponent * scale) / power
