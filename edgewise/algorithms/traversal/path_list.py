"""PathList: the result of `simple_paths`, `all_shortest_paths` and `k_shortest_paths`."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["PathList"]


class PathList(NamedTuple):
    """Path i has the vertices ``vertices[indptr[i]:indptr[i + 1]]``, in order.

    ``complete`` is False if there are more paths than were asked for.

    >>> import numpy as np
    >>> PathList(np.array([0, 2, 5]), np.array([0, 2, 0, 1, 2]), True).lists()
    [[0, 2], [0, 1, 2]]
    """

    indptr: Any
    vertices: Any
    complete: bool

    @property
    def num_paths(self) -> int:
        """The number of paths."""
        return len(self.indptr) - 1

    def row(self, i: int) -> Any:
        """Return the vertices of path ``i``; negative numbers count from the end."""
        i = range(self.num_paths)[i]
        return self.vertices[self.indptr[i] : self.indptr[i + 1]]

    def lists(self) -> list[list[int]]:
        """Return the paths as lists of vertices."""
        return [self.row(i).tolist() for i in range(self.num_paths)]
