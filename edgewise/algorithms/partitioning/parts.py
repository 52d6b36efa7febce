"""The result of a partitioner: an array of part numbers over vertices with extra methods.

On a GPU and on a grid, functions of this family return that engine's own array instead;
``Parts(parts, k)`` makes one of an array from a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partition import Partition
from edgewise.graph.transfer import host

__all__ = ["Parts", "as_parts"]


class Parts(Partition):
    """The part of each vertex, a number from 0 to ``k - 1``: an array with extra methods.

    Some parts are empty if the graph has fewer than k vertices.

    Parameters
    ----------
    parts : array of int over vertices
        The part of each vertex. An array from a GPU is copied to host memory.
    k : int, optional
        The number of parts; by default the largest part number plus 1.

    >>> Parts([0, 1, 0, 2], k=4)
    Parts(4 parts of 4 vertices)
    [0 1 0 2]
    """

    _word = "parts"
    k: int

    def __new__(cls, parts: Any, k: int | None = None) -> Any:
        found = super().__new__(cls, host(parts))
        found.k = int(found.labels.max(initial=-1)) + 1 if k is None else int(k)
        return found

    def sizes(self) -> np.ndarray:
        """Return the number of vertices of each part.

        >>> Parts([0, 1, 0, 2], k=4).sizes().tolist()
        [2, 1, 1, 0]
        """
        return np.bincount(self.labels, minlength=self.k)

    def groups(self) -> list[np.ndarray]:
        """Return the vertices of each part in ascending order, as a list of k arrays.

        >>> [group.tolist() for group in Parts([0, 1, 0], k=2).groups()]
        [[0, 2], [1]]
        """
        order = np.argsort(self.labels, kind="stable")
        return np.split(order, np.cumsum(self.sizes())[:-1]) if self.k else []

    def _facts(self) -> str:
        return f"{self.k:,} parts of {len(self):,} vertices"

    def _kept(self) -> dict[str, Any]:
        return {"k": self.k}


def as_parts(parts: Any, k: int) -> Any:
    """Return host parts as `Parts`, and arrays of other engines unchanged."""
    return Parts(parts, k) if type(parts) is np.ndarray else parts
