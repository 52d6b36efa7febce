"""The most that a part may weigh: (1 + imbalance) * ceil(total / k), as KaHIP and KaMinPar say."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

__all__ = ["check_limit", "part_limit"]


def part_limit(masses: np.ndarray, k: int, imbalance: float) -> float:
    """Return the most that a part may weigh; ValueError if a vertex is heavier.

    >>> part_limit(np.ones(10), 3, 0.0)
    4.0
    """
    total, whole = float(masses.sum()), bool((masses == np.rint(masses)).all())
    mean = float(np.ceil(total / k)) if whole else total / k * (1 + 1e-12)
    limit = min((1 + imbalance) * mean, total)
    if len(masses) and float(masses.max()) > limit:
        v = int(masses.argmax())
        raise ValueError(
            f"imbalance must be larger: vertex {v} weighs {float(masses[v]):g}, and each of the "
            f"{k} parts may weigh {limit:g} with imbalance={imbalance:g}"
        )
    return float(np.floor(limit + 1e-9) if whole else limit)


def check_limit(name: str, heaviest: float, limit: float) -> NoReturn:
    """Raise the error of a partitioner that found no partition within the imbalance."""
    raise ValueError(
        f"{name} found no partition within the imbalance: a part weighs {heaviest:g}, and the most "
        f"allowed is {limit:g}; give another seed or a larger imbalance"
    )
