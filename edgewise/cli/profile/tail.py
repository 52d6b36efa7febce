"""Is the tail of a degree distribution a power law? An exponent, and how good its fit is.

The law is p(x) = x^-a / zeta(a, q) for x >= q. For each candidate q the exponent a is the most
likely one; the q is taken whose fit lies nearest to the data (Kolmogorov-Smirnov distance). The
p-value comes from samples drawn from that fit, with the data's own degrees below q, that are fitted
in the same way: it is the share of them that lie no nearer to their fit than the data do. Below
0.1 a power law is refused [1].

Degrees come as distinct values with counts, so the work depends on these and not on the number of
vertices: some milliseconds for the fit, and as much for each of the samples.

[1] A. Clauset, C. Shalizi, M. Newman. Power-law distributions in empirical data. SIAM Review 2009.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["PLAUSIBLE", "tail"]

#: The p-value from which on a power law is a plausible description.
PLAUSIBLE = 0.1

_LEAST_TAIL = 50  # vertices that a fit takes at least
_CANDIDATES, _PLACES = 40, 300  # starts, and degrees, that are tried
_SAMPLES, _FEW = 100, 50  # fits of samples; if none of a few is as far off, no more are drawn
_HEAD = 1000  # values of a sample that are counted at once; those above are drawn one by one
_LOW, _HIGH = 1.05, 8.0  # the exponents that are looked at


class _Fit(NamedTuple):
    start: int
    exponent: float
    distance: float
    vertices: int


def tail(values: np.ndarray, counts: np.ndarray, *, seed: int = 0) -> dict[str, Any] | None:
    """The power law that fits the upper degrees best, with its misfit and p-value.

    ``values`` are the distinct positive degrees in ascending order, ``counts`` how many vertices
    have each. None if no decade of degrees has vertices enough for a fit.

    >>> degrees = np.arange(1, 5)
    >>> tail(degrees, 100 * degrees) is None
    True
    """
    fit = _best(values, counts)
    if fit is None:
        return None
    rng = np.random.default_rng(seed)
    worse = samples = 0
    while samples < _SAMPLES and (worse or samples < _FEW):  # by then it is as good as sure
        drawn = _best(*_sample(rng, values, counts, fit), start=fit.start)
        worse += drawn is not None and drawn.distance >= fit.distance
        samples += 1
    p_value = worse / samples
    return {
        "exponent": fit.exponent,
        "error": _error(fit),
        "from_degree": fit.start,
        "vertices": fit.vertices,
        "misfit": fit.distance,
        "p_value": p_value,
        "samples": samples,
        "plausible": p_value >= PLAUSIBLE,
    }


def _best(values: np.ndarray, counts: np.ndarray, start: int | None = None) -> _Fit | None:
    """The best fit over all candidates, or else from ``start`` on."""
    above = np.cumsum(counts[::-1])[::-1]
    candidates = np.flatnonzero((above >= _LEAST_TAIL) & (values * 10 <= values[-1:].sum()))
    if not len(candidates):
        if start is None:
            return None
        candidates = np.searchsorted(values, [start])
        if candidates[0] == len(values):
            return None
    candidates = candidates[_spread(len(candidates), _CANDIDATES)]
    logs = np.cumsum((counts * np.log(values))[::-1])[::-1]
    starts = values[candidates].astype(np.float64)
    exponents = _most_likely(starts, logs[candidates] / above[candidates])
    best = None
    for i, q, a in zip(candidates.tolist(), starts.tolist(), exponents.tolist(), strict=True):
        distance = _misfit(values[i:], above[i:], q, a)
        if best is None or distance < best.distance:
            best = _Fit(int(values[i]), a, distance, int(above[i]))
    return best


def _misfit(values: np.ndarray, above: np.ndarray, q: float, a: float) -> float:
    """The distance between the shares of vertices with at least a degree, found and fitted.

    It is largest at a degree that occurs or just above one; of many, some hundreds are tried.
    """
    at = _spread(len(values), _PLACES)
    found = np.append(above, 0) / above[0]
    whole = _zeta(a, np.array([q]))
    here = _zeta(a, values[at].astype(np.float64)) / whole
    next_one = _zeta(a, values[at] + 1.0) / whole
    return float(max(np.abs(found[at] - here).max(), np.abs(found[at + 1] - next_one).max()))


def _spread(count: int, most: int) -> np.ndarray:
    """All of 0..count-1, or at most so many of them, denser at the small ones."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.geomspace(1, count, most).astype(np.int64) - 1)


def _most_likely(starts: np.ndarray, mean_log: np.ndarray) -> np.ndarray:
    """For each start the exponent that minimizes log zeta(a, q) + a * mean(log x): it is convex."""
    low, high = np.full(len(starts), _LOW), np.full(len(starts), _HIGH)
    step = 1e-5
    for _ in range(24):
        middle = (low + high) / 2
        slope = np.log(_zeta(middle + step, starts) / _zeta(middle - step, starts)) / (2 * step)
        rising = slope + mean_log > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return (low + high) / 2


def _zeta(a: Any, q: np.ndarray) -> np.ndarray:
    """Hurwitz zeta: ten terms, and Euler and Maclaurin's formula for the rest."""
    near = q < 10
    total = np.zeros(len(q))
    if near.any():
        power = np.broadcast_to(a, q.shape)[near]
        total[near] = sum((q[near] + k) ** -power for k in range(10))
        q = np.where(near, q + 10, q)
    more = a / (12 * q) - a * (a + 1) * (a + 2) / (720 * q**3)
    return total + q**-a * (q / (a - 1) + 0.5 + more)


def _error(fit: _Fit) -> float:
    """The standard error of the exponent: from the curvature of its likelihood."""
    q, h = np.array([float(fit.start)]), 1e-3
    around = [np.log(_zeta(fit.exponent + d, q))[0] for d in (-h, 0, h)]
    curvature = (around[0] - 2 * around[1] + around[2]) / h**2
    return float(1 / np.sqrt(fit.vertices * curvature))


def _sample(rng: Any, values: np.ndarray, counts: np.ndarray, fit: _Fit) -> tuple[Any, Any]:
    """As many degrees as the data have: below the start theirs, drawn anew, above it the law's."""
    below = values < fit.start
    n = int(counts.sum())
    upper = int(rng.binomial(n, fit.vertices / n))
    lower_values, lower = values[below], counts[below]
    drawn = rng.multinomial(n - upper, lower / max(1, lower.sum())) if len(lower) else lower
    a, q = fit.exponent, float(fit.start)
    head = q + np.arange(_HEAD + 1.0)
    reach = _zeta(a, head) / _zeta(a, head[:1])
    part = rng.multinomial(upper, np.append(-np.diff(reach), reach[-1]).clip(0))
    far = head[-1] - 0.5
    rest = far * (1 - rng.random(int(part[-1]))) ** (-1 / (a - 1)) + 0.5
    rest_values, rest_counts = np.unique(
        np.minimum(rest, 2.0**52).astype(np.int64), return_counts=True
    )
    every = np.concatenate([lower_values, head[:-1].astype(np.int64), rest_values])
    many = np.concatenate([drawn, part[:-1], rest_counts])
    return every[many > 0], many[many > 0]
