"""Things that are no vertices, for `compute` and `filter`: walks, chosen pairs, members of a list.

They are what these operators ask of a graph: how many there are, and where their arrays lie.
`for_each` is a loop over things in host memory, on all threads.

>>> import numpy as np
>>> from edgewise import Graph
>>> from edgewise.operators import compute
>>> graph = Graph.from_edges([0, 1], [1, 2])
>>> def double(i, numbers):
...     numbers[i] *= 2
>>> numbers = np.arange(5)
>>> compute(Items(5, graph.device, np), None, double, numbers)
>>> numbers.tolist()
[0, 2, 4, 6, 8]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from edgewise.graph.anywhere import whole_xp
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import run
from edgewise.operators.requests import Members

__all__ = ["Items", "for_each"]


@dataclass
class Items:
    """So many members on a device, for operators that need no edges."""

    num_vertices: int
    device: str
    xp: Any
    engine: str = "local"
    directed: bool = False

    @classmethod
    def beside(cls, graph: AnyGraph, count: int) -> Items:
        """So many members whose arrays are where the graph's are; on a grid, whole in host memory.

        >>> from edgewise import Graph
        >>> Items.beside(Graph.from_edges([0], [1]), 5).num_vertices
        5
        """
        return cls(count, graph.device if graph.one_device else "cpu", whole_xp(graph))

    @property
    def indptr(self) -> Any:
        """No rows; kernels that take any array in the place of one that they do not read."""
        return self.xp.zeros(1, np.int64)


def for_each(
    count: int, function: Callable[..., Any], *state: Any, work: int | None = None
) -> None:
    """Call ``function(i, *state)`` for all i below ``count``, on CPU threads; see `compute`.

    ``state`` are arrays in host memory, numbers, and NamedTuples of these; they are not checked.

    >>> squares = np.zeros(4, np.int64)
    >>> def fill(i, out):
    ...     out[i] = i * i
    >>> for_each(4, fill, squares)
    >>> squares.tolist()
    [0, 1, 4, 9]
    """
    items = Items(count, "cpu", np)
    run(items, "compute")(items, Members(None, function, state, work=work))
