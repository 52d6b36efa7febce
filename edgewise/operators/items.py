"""Things that are no vertices, for `compute` and `filter`: walks, chosen pairs, members of a list.

They are what these operators ask of a graph: how many there are, and where their arrays lie.

>>> import numpy as np
>>> from edgewise import Graph
>>> from edgewise.operators import compute
>>> graph = Graph.from_edges([0, 1], [1, 2])
>>> def double(i, numbers):
...     numbers[i] *= 2
>>> numbers = np.arange(5)
>>> compute(Items(graph, 5), None, double, numbers)
>>> numbers.tolist()
[0, 2, 4, 6, 8]
"""

from __future__ import annotations

from typing import Any

__all__ = ["Items"]


class Items:
    """``0..count-1`` on the device of a graph."""

    engine, one_device, directed, labels = "local", True, True, None
    num_arcs = 0

    def __init__(self, graph: Any, count: int):
        self.xp, self.device, self.num_vertices = graph.xp, graph.device, count
        self.indptr = self.indices = graph.indptr[:0]
