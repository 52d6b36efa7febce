"""A graph that every rank has in memory, onto a grid: each rank keeps its own arcs and columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.distributed.columns import arc_rows, names_of
from edgewise.distributed.estimating import check_free, needs
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.layout import Layout
from edgewise.graph import Graph, Labels
from edgewise.graph.attribute_tables import Columns, select
from edgewise.graph.transfer import row_ids

__all__ = ["add_columns", "assemble", "distribute"]


def distribute(
    graph: Graph, *, grid: Grid, distribution: str = "striped", seed: int = 0, parts: Any = None
) -> GridGraph:
    """Return a graph distributed over a grid, from a graph that every rank has in memory.

    MemoryError is raised on all ranks if the graph cannot fit into free memory of their machines
    (see `estimate`); if it may not, rank 0 warns.

    Parameters
    ----------
    graph : Graph
        The same graph on all ranks, in host memory. Each rank keeps the columns of its own arcs
        and vertices.
    grid : Grid
        The grid of ranks.
    distribution : {"striped", "block", "random"}
        How vertices are assigned to ranks; ``seed`` determines the random assignment.
    parts : array of int over vertices, optional
        A partition that replaces ``distribution``: vertices are placed part by part. If there are
        as many parts as ranks, of equal size, rank r owns part r. See `Layout` for shapes.
    """
    grid.check_alike("distribute", num_vertices=graph.num_vertices, directed=graph.directed,
                     distribution=distribution, seed=seed, parts=parts, indptr=graph.indptr,
                     indices=graph.indices, weights=graph.weights,
                     columns=[names_of(graph.columns, part) for part in Columns._fields],
                     )  # fmt: skip
    check_free(grid.world, needs(graph, grid.shape, whole=True))
    layout = Layout(graph.num_vertices, grid.shape, distribution, seed, parts)
    sources = layout.position(row_ids(graph).astype(layout.dtype))
    targets = layout.position(np.asarray(graph.indices))
    mine = layout.rank(sources, targets) == grid.rank
    weights = None if graph.weights is None else graph.weights[mine]
    made = assemble(grid, layout, sources[mine], targets[mine], weights, directed=graph.directed,
                    labels=graph.labels)  # fmt: skip
    if graph.columns is not None:
        rows = np.flatnonzero(mine)
        rows = rows if graph.directed else graph.arc_to_edge[rows]
        add_columns(made, graph.columns, sources[mine], targets[mine], rows)
    return made


def add_columns(made: GridGraph, whole: Columns, sources: Any, targets: Any, rows: Any) -> None:
    """Give a graph on a grid its part of the columns; arcs, by position, have these rows."""
    local = made.numbering.local
    rows = arc_rows(made.block, local(sources), local(targets), rows)
    made.columns = Columns(select(whole.edges, rows), select(whole.vertices, made.ids))


def assemble(
    grid: Grid, layout: Layout, sources: Any, targets: Any, weights: Any = None, *,
    directed: bool, duplicates: str = "sum", labels: Labels | None = None,
) -> GridGraph:  # fmt: skip
    """The graph on a grid whose arcs, by position, are where they belong."""
    numbering = layout.numbering(grid.rank)
    ends = numbering.local(sources), numbering.local(targets)
    stored = Graph.from_edges(*ends, weights, directed=True, num_vertices=numbering.size,
                              duplicates=duplicates)  # fmt: skip
    block = Graph(stored.indptr, stored.indices, stored.weights, directed=False)
    return GridGraph(grid, layout, block, directed=directed, labels=labels)
