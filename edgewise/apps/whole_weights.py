"""Weights as whole multiples of one step, so that their sums have no rounding errors.

Sums of such weights are exact in float64, in any order. So a deterministic method gives the same
result for any number of threads, also for fractional weights.
"""

from __future__ import annotations

import numpy as np

__all__ = ["STEPS", "whole_weights"]

#: The largest weight becomes this number of steps. Sums are exact below 2**53.
STEPS = 2.0**24


def whole_weights(weights: np.ndarray) -> np.ndarray:
    """Return weights in steps of 2**-24 of the largest, rounded to whole numbers of float64.

    A positive weight has at least one step, so that no edge disappears.

    >>> (whole_weights(np.array([0.5, 1.0, 0.0])) / STEPS).tolist()
    [0.5, 1.0, 0.0]
    """
    most = float(np.abs(weights).max(initial=0.0))
    if not 0 < most < np.inf:
        return weights.astype(np.float64)
    steps = np.multiply(weights, STEPS / most, dtype=np.float64)
    small = (steps > 0) & (steps < 0.5)
    np.rint(steps, out=steps)
    steps[small] = 1.0
    return steps
