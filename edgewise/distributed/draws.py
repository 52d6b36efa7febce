"""Random graphs drawn on a grid: every rank draws its own share of the edges.

Edge e of a generator is a function of (seed, e) alone, so the shares together are the edges that
one device would draw, and the graph is the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.shares import from_edges, together
from edgewise.generators.draws import check_multiplicity
from edgewise.generators.kronecker import Edges, check_scale, rmat_edges
from edgewise.generators.random_graphs import uniform_edges, urand_edges
from edgewise.generators.weights import integer_weights
from edgewise.graph import Graph

__all__ = ["generate"]

_BY_SCALE = {"rmat": rmat_edges, "urand": urand_edges}
_PART = 1 << 16


def generate(
    grid: Grid,
    kind: str,
    *,
    seed: int = 0,
    directed: bool = False,
    duplicates: str = "merge",
    self_loops: str = "drop",
    max_weight: int | None = None,
    distribution: str = "striped",
    **options: Any,
) -> GridGraph:
    """The graph that a generator of `edgewise.generators` makes, on a grid.

    Parameters
    ----------
    grid : Grid
    kind : {"rmat", "urand", "uniform"}
        The generator; its size is an option: ``scale`` and perhaps ``edge_factor`` for the first
        two, ``n`` and ``m`` for the last.
    seed, directed, duplicates, self_loops
        As for the generator; `uniform` has neither duplicates nor loops.
    max_weight : int, optional
        Give the edges integer weights from 1 to this one, as ``random_weights(graph, "integer",
        high=max_weight, seed=seed)`` does.
    distribution : {"striped", "block", "random"}
        Which vertices go together; ``seed`` draws the random one.
    **options
        The generator's own.

    Returns
    -------
    GridGraph

    Examples
    --------
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> from edgewise.generators import rmat
    >>> made = run_threads(lambda comm: generate(Grid(comm), "rmat", scale=8).num_edges, 4)
    >>> made[3] == rmat(8).num_edges
    True
    """
    world = grid.world
    given = (kind, seed, directed, duplicates, self_loops, max_weight, distribution, options)
    world.check_same("the options of generate", given)
    with together(world, "drawing its edges"):
        check_choice(kind, "kind", (*_BY_SCALE, "uniform"))
        check_multiplicity(duplicates, self_loops)
        if max_weight is not None and check_count(max_weight, "max_weight") < 1:
            raise ValueError(f"max_weight must be at least 1, got {max_weight}")
        if kind == "uniform":
            n, edges = _uniform(grid, seed, directed, **options)
        else:
            n, edges = _by_scale(grid, kind, seed, **options)
    counted = duplicates == "count"
    graph = from_edges(
        grid,
        *edges,
        np.ones(len(edges.sources), np.int32) if counted and kind != "uniform" else None,
        directed=directed,
        num_vertices=n,
        duplicates="sum" if counted else "first",
        self_loops=self_loops,
        distribution=distribution,
        seed=seed,
    )
    return graph if max_weight is None else _weighted(graph, max_weight, seed)


def _by_scale(
    grid: Grid, kind: str, seed: int, *, scale: int, edge_factor: int = 16, **more: Any
) -> tuple[int, Edges]:
    n = 1 << check_scale(scale)
    part = _share(grid, n * check_count(edge_factor, "edge_factor"))
    draw: Any = _BY_SCALE[kind]
    return n, draw(scale, edge_factor=edge_factor, seed=seed, part=part, **more)


def _uniform(grid: Grid, seed: int, directed: bool, *, n: int, m: int) -> tuple[int, Edges]:
    part = _share(grid, check_count(m, "m"))
    return n, uniform_edges(n, m, directed=directed, seed=seed, part=part)


def _share(grid: Grid, m: int) -> tuple[int, int]:
    """The edges that this rank draws."""
    return m * grid.rank // grid.size, m * (grid.rank + 1) // grid.size


def _weighted(graph: GridGraph, high: int, seed: int) -> GridGraph:
    """The same with integer weights by the ids of the two ends."""
    block, ids = graph.block, graph.ids
    parts = [integer_weights(ids[:0], ids[:0], high=high, directed=graph.directed, seed=seed)]
    for low in range(0, block.num_arcs, _PART):
        arcs = np.arange(low, min(low + _PART, block.num_arcs))
        rows = np.searchsorted(block.indptr, arcs, side="right") - 1
        ends = ids[rows], ids[block.indices[low : low + _PART]]
        parts.append(integer_weights(*ends, high=high, directed=graph.directed, seed=seed))
    weights = np.concatenate(parts)
    weighted = Graph(block.indptr, block.indices, weights, directed=block.directed)
    return GridGraph(
        graph.grid, graph.layout, weighted, directed=graph.directed, labels=graph.labels
    )
