"""A graph that one process has, cut for all ranks of a grid at once.

`distribute` has every rank look at every arc. Where the ranks are simulated in one process, the
arcs are dealt out once, and each rank takes what is its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.distributing import add_columns, assemble
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.layout import Layout
from edgewise.graph import Graph
from edgewise.graph.attribute_tables import Columns, select

__all__ = ["Cut"]


class Cut:
    """The blocks of a graph for a grid of a shape; ``cut.block(grid)`` is that of a rank.

    >>> from edgewise.distributed.rank_threads import run_threads
    >>> from edgewise.generators import cycle
    >>> cut = Cut(cycle(10), (2, 2))
    >>> run_threads(lambda comm: cut.block(Grid(comm, (2, 2))).num_edges, 4)
    [10, 10, 10, 10]
    """

    def __init__(
        self,
        graph: Graph,
        shape: tuple[int, int],
        *,
        distribution: str = "striped",
        seed: int = 0,
        parts: Any = None,
    ):
        self.directed = graph.directed
        self.layout = Layout(graph.num_vertices, shape, distribution, seed, parts)
        ids = np.arange(graph.num_vertices, dtype=self.layout.dtype)
        places = self.layout.position(ids)
        sources = np.repeat(places, np.diff(graph.indptr))
        targets = places[graph.indices]
        ranks = self.layout.rank(sources, targets).astype(np.uint16)
        order = np.argsort(ranks, kind="stable")
        self.starts = offsets(np.bincount(ranks, minlength=self.layout.pieces))
        self.sources, self.targets = sources[order], targets[order]
        self.weights = None if graph.weights is None else graph.weights[order]
        self.columns = graph.columns
        if self.columns is not None:  # the row of each arc in the table of edges
            self.rows = order if graph.directed else graph.arc_to_edge[order]

    def block(self, grid: Grid) -> GridGraph:
        """The graph, as the rank of a grid has it."""
        if grid.shape != self.layout.shape:
            raise ValueError(f"the graph is cut for {self.layout.shape}, not for {grid.shape}")
        sources, targets, weights = self.part(grid.rank)
        made = assemble(grid, self.layout, sources, targets, weights, directed=self.directed)
        if self.columns is not None:
            low, high = self.starts[grid.rank : grid.rank + 2].tolist()
            add_columns(made, self.columns, sources, targets, self.rows[low:high])
        return made

    def part(self, rank: int) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Sources and targets of a rank's arcs, by position, and their weights."""
        part = slice(*self.starts[rank : rank + 2].tolist())
        weights = None if self.weights is None else self.weights[part]
        return self.sources[part], self.targets[part], weights

    def part_of_columns(self, rank: int) -> Columns | None:
        """The rows of a rank's arcs in the table of edges, in their order, and all vertices'."""
        if self.columns is None:
            return None
        low, high = self.starts[rank : rank + 2].tolist()
        return Columns(select(self.columns.edges, self.rows[low:high]), self.columns.vertices)
