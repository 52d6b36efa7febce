"""The most that a part may weigh: (1 + imbalance) * ceil(total / k), as KaHIP and KaMinPar say."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

__all__ = ["check_limit", "part_limit"]


def part_limit(masses: np.ndarray, k: int, imbalance: float) -> float:
    """Return the most that a part may weigh, if the heaviest vertex is not heavier.

    >>> round(part_limit(np.ones(10), 3, 0.0), 6)
    4.0
    """
    total = masses.sum()
    whole = bool((masses == np.rint(masses)).all())
    limit = float((1 + imbalance) * (np.ceil(total / k) if whole else total / k))
    if len(masses) and masses.max() > limit:
        raise ValueError(
            f"imbalance must allow for the heaviest vertex, which weighs {masses.max():g}: a part "
            f"may weigh {limit:g}"
        )
    return limit * (1 + 1e-12)


def check_limit(name: str, heaviest: float, limit: float) -> NoReturn:
    """Raise the error of a partitioner that found no partition within the imbalance."""
    raise ValueError(
        f"{name} found no partition within the imbalance: a part weighs {heaviest:g}, and the most "
        f"allowed is {limit:g}; give another seed or a larger imbalance"
    )
