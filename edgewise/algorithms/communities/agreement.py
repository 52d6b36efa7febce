"""How well two labellings agree: normalized mutual information, and the adjusted Rand index.

Both follow from how many elements have each pair of labels, which sorting finds. The index counts
pairs in whole numbers, so that only its last division rounds. Both are 1 for equal partitions,
whatever the labels are called; that of chance is 0 for the index [1], and a little above for the
information [2], the more so the more labels there are.

[1] L. Hubert, P. Arabie. Comparing partitions. J. Classification 2, 1985.
[2] N. Vinh, J. Epps, J. Bailey. Information theoretic measures for clusterings comparison. J.
    Machine Learning Research 11, 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.transfer import host

__all__ = ["adjusted_rand_index", "normalized_mutual_information"]


def normalized_mutual_information(labels: Any, truth: Any, *, average: str = "arithmetic") -> float:
    """What one labelling tells about the other, from 0 to 1.

    Parameters
    ----------
    labels, truth : array of int or str
        Of equal length; the order of the two does not matter.
    average : {"arithmetic", "geometric", "min", "max"}
        The mean of the two entropies that the information is divided by.

    Returns
    -------
    float
        1 for equal partitions, also where nothing is divided at all.

    Examples
    --------
    >>> normalized_mutual_information([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> normalized_mutual_information([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    check_choice(average, "average", _MEANS)
    counts = _counted(labels, truth)
    entropies = _entropy(counts.first), _entropy(counts.second)
    if entropies == (0.0, 0.0):
        return 1.0
    shared = entropies[0] + entropies[1] - _entropy(counts.both)
    mean = _MEANS[average](*entropies)
    return min(max(shared / mean, 0.0), 1.0) if mean > 0 else 0.0


def adjusted_rand_index(labels: Any, truth: Any) -> float:
    """On how many pairs of elements two labellings agree: 1 on all, 0 on as many as by chance.

    Parameters
    ----------
    labels, truth : array of int or str
        Of equal length; the order of the two does not matter.

    Returns
    -------
    float
        At most 1; negative where they agree on fewer than by chance.

    Examples
    --------
    >>> adjusted_rand_index([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> adjusted_rand_index([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    counts = _counted(labels, truth)
    both, first, second = map(_pairs, (counts.both, counts.first, counts.second))
    n = counts.size
    everything = n * (n - 1) // 2
    # (both - expected) / ((first + second) / 2 - expected), where expected = first second / all
    top = 2 * (both * everything - first * second)
    bottom = (first + second) * everything - 2 * first * second
    return top / bottom if bottom else 1.0


class _Counts(NamedTuple):
    """How many elements have each label of the one, of the other, and each pair of both."""

    both: np.ndarray
    first: np.ndarray
    second: np.ndarray
    size: int


def _counted(labels: Any, truth: Any) -> _Counts:
    first, second = _numbered(labels, "labels"), _numbered(truth, "truth")
    if len(first) != len(second):
        raise ValueError(
            f"labels and truth must have the same length, got {len(first)} and {len(second)}"
        )
    pairs = first * (int(second.max(initial=0)) + 1) + second
    counts = np.bincount(first), np.bincount(second)
    return _Counts(np.unique(pairs, return_counts=True)[1], *counts, len(first))


def _numbered(labels: Any, name: str) -> np.ndarray:
    """The labels as numbers from 0 on."""
    given = np.asarray(host(labels)) if hasattr(labels, "dtype") else _array(labels, name)
    if given.ndim != 1 or given.dtype.kind not in "biuUST" and given.size:
        raise TypeError(
            f"{name} must be a list of whole numbers or texts, got {given.dtype} of shape "
            f"{given.shape}"
        )
    return np.unique(given, return_inverse=True)[1].astype(np.int64)


def _array(labels: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(labels)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be a list of labels, got {labels!r:.80}") from None


def _entropy(counts: np.ndarray) -> float:
    """In nats, of the distribution that has these counts; exactly 0 if there is only one."""
    if len(counts) < 2:
        return 0.0
    share = counts / counts.sum()
    return -float((share * np.log(share)).sum())


def _pairs(counts: np.ndarray) -> int:
    """How many pairs of elements are alike; a Python number, so nothing overflows."""
    return sum(one * (one - 1) // 2 for one in counts.tolist())


_MEANS: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: float(np.sqrt(a * b)),
    "min": min,
    "max": max,
}
