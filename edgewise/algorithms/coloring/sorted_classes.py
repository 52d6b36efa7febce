"""Classes of a coloring sorted by size, so that a change of a size by one is a swap."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inlined

__all__ = ["grow", "shrink", "sorted_classes"]


class _Classes(NamedTuple):
    """Classes sorted by size, the largest first, so that a change by one is a swap."""

    size: Any
    listed: Any  #: the classes by descending size
    place: Any  #: where each class is in the list
    larger: Any  #: larger[s] classes have more than s vertices


def sorted_classes(sizes: np.ndarray, n: int) -> _Classes:
    """Return classes of the given sizes, for n vertices."""
    listed = np.argsort(-sizes, kind="stable")
    larger = len(sizes) - np.cumsum(np.bincount(sizes, minlength=n + 1))
    return _Classes(sizes, listed, np.argsort(listed), larger)


@inlined
def grow(c, classes):
    """Add a vertex to a class, which goes to the front of the classes of its size."""
    size, listed, place, larger = classes
    _swap(place[c], larger[size[c]], listed, place)
    larger[size[c]] += 1
    size[c] += 1


@inlined
def shrink(c, classes):
    """Take a vertex out of a class, which goes to the end of the classes of its size."""
    size, listed, place, larger = classes
    size[c] -= 1
    larger[size[c]] -= 1
    _swap(place[c], larger[size[c]], listed, place)


@inlined
def _swap(i, j, listed, place):
    listed[i], listed[j] = listed[j], listed[i]
    place[listed[i]], place[listed[j]] = i, j
