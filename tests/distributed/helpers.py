"""Graphs on a grid back to one device, to compare."""

from __future__ import annotations

import numpy as np

from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import GridLabels
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph, Labels

SHAPES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3)]


def gather_graph(graph) -> Graph:
    """The whole of a graph on a grid, on every rank, from the blocks of all ranks."""
    block, world = graph.block, graph.grid.world
    rows = np.repeat(np.arange(block.num_vertices), np.diff(block.indptr))
    columns = [graph.ids[rows], graph.ids[block.indices]]
    if block.weights is not None:
        columns.append(block.weights)
    whole = [world.allgatherv(np.ascontiguousarray(column))[0] for column in columns]
    found = Graph.from_edges(
        *whole, directed=True, num_vertices=graph.num_vertices, duplicates="raise"
    )
    labels = graph.labels
    if isinstance(labels, GridLabels):
        labels = Labels(world.allgatherv(np.ascontiguousarray(labels.values))[0])
    return Graph(found.indptr, found.indices, found.weights, directed=graph.directed, labels=labels)


def on_grid(make, shape) -> list[Graph]:
    """``make(grid)`` gives a graph on a grid: what all ranks gather of it."""
    return run_threads(lambda comm: gather_graph(make(Grid(comm, shape))), shape[0] * shape[1])


def same(found: Graph, expected: Graph) -> bool:
    """Equal, bit by bit, with weights of the same type, and labels."""
    if (found.weights is None) != (expected.weights is None) or found.labels != expected.labels:
        return False
    arrays = [(found.indptr, expected.indptr), (found.indices, expected.indices)]
    if expected.weights is not None:
        arrays.append((found.weights, expected.weights))
    return found.directed == expected.directed and all(
        one.dtype == other.dtype and one.tobytes() == other.tobytes() for one, other in arrays
    )


def some_edges(n, m, seed=0):
    """Ends and weights of many magnitudes."""
    draw = np.random.default_rng(seed)
    return [*draw.integers(0, n, (2, m)), draw.random(m) * 10.0 ** draw.integers(-9, 9, m)]
