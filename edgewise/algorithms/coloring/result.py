"""The result of a coloring: an array of colors over vertices with extra methods.

On a GPU and on a grid, functions of this family return that engine's own array instead;
``Coloring(colors)`` makes one of an array from a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partition import Partition

__all__ = ["Coloring", "as_coloring"]


class Coloring(Partition):
    """The color of each vertex, an integer from 0 on: an array with extra methods.

    >>> Coloring([0, 1, 0, 2])
    Coloring(3 colors of 4 vertices)
    [0 1 0 2]
    """

    _word = "colors"

    @property
    def num_colors(self) -> int:
        """The number of colors.

        >>> Coloring([0, 1, 0, 2]).num_colors
        3
        """
        return int(self.labels.max()) + 1 if len(self) else 0

    def class_sizes(self) -> np.ndarray:
        """Return the number of vertices of each color.

        >>> Coloring([0, 1, 0, 2]).class_sizes().tolist()
        [2, 1, 1]
        """
        return np.bincount(self.labels, minlength=self.num_colors)


def as_coloring(colors: Any) -> Any:
    """Return host colors as a `Coloring`, and arrays of other engines unchanged."""
    return colors.view(Coloring) if type(colors) is np.ndarray else colors
