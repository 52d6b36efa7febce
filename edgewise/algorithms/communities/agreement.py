"""Agreement of two partitions: normalized mutual information and the adjusted Rand index.

Both are computed from the contingency table of the two partitions, which sorting produces. The
adjusted Rand index counts pairs in integers, so only its final division rounds. Both measures are
1 for equal partitions, whatever the label values are. Random partitions have an expected adjusted
Rand index of 0 [1]. Their mutual information is slightly above 0 and grows with the number of
labels [2].

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

__all__ = ["adjusted_rand_score", "normalized_mutual_info_score"]


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Return the normalized mutual information of two partitions.

    Parameters
    ----------
    labels_true, labels_pred : array of int or str
        The two partitions, arrays of equal length. Their order does not matter.
    average_method : {"arithmetic", "geometric", "min", "max"}
        The mean of the two entropies by which the mutual information is divided.

    Returns
    -------
    float
        From 0 to 1. Equal partitions score 1, also when both have a single label.

    Raises
    ------
    ValueError
        If the two arrays differ in length.

    See Also
    --------
    adjusted_rand_score : Corrects for chance agreement.

    Notes
    -----
    O(n log n) time for n labels.

    Examples
    --------
    >>> normalized_mutual_info_score([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> normalized_mutual_info_score([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    check_choice(average_method, "average_method", _MEANS)
    counts = _counted(labels_true, labels_pred)
    entropies = _entropy(counts.first), _entropy(counts.second)
    if entropies == (0.0, 0.0):
        return 1.0
    shared = entropies[0] + entropies[1] - _entropy(counts.both)
    mean = _MEANS[average_method](*entropies)
    return min(max(shared / mean, 0.0), 1.0) if mean > 0 else 0.0


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the adjusted Rand index of two partitions.

    Parameters
    ----------
    labels_true, labels_pred : array of int or str
        The two partitions, arrays of equal length. Their order does not matter.

    Returns
    -------
    float
        At most 1, for equal partitions. Random partitions score 0 on average. It is negative if
        they agree on fewer pairs than expected by chance.

    Raises
    ------
    ValueError
        If the two arrays differ in length.

    See Also
    --------
    normalized_mutual_info_score : Measures shared information instead of pairs.

    Notes
    -----
    O(n log n) time for n labels.

    Examples
    --------
    >>> adjusted_rand_score([0, 0, 1, 1], [5, 5, 3, 3])
    1.0
    >>> adjusted_rand_score([0, 0, 1, 1], [0, 1, 0, 1])
    -0.5
    """
    counts = _counted(labels_true, labels_pred)
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


def _counted(truth: Any, labels: Any) -> _Counts:
    first, second = _numbered(truth, "labels_true"), _numbered(labels, "labels_pred")
    if len(first) != len(second):
        raise ValueError(
            "labels_true and labels_pred must have the same length, "
            f"got {len(first)} and {len(second)}"
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
