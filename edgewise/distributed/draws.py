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
from edgewise.generators.random_graphs import gnm_random_edges, urand_edges
from edgewise.generators.weights import integer_weights
from edgewise.graph import Graph

__all__ = ["generate"]

_BY_SCALE = {"rmat": rmat_edges, "urand": urand_edges}
_PART = 1 << 16


def generate(
    kind: str,
    *,
    grid: Grid,
    seed: int = 0,
    directed: bool = False,
    count_duplicates: bool = False,
    self_loops: str = "drop",
    high: int | None = None,
    distribution: str = "striped",
    **options: Any,
) -> GridGraph:
    """Return a generated graph on a grid, equal to that of `edgewise.generators`.

    Parameters
    ----------
    kind : {"rmat", "urand", "gnm_random"}
        The generator. Its size is an option: ``scale`` and optionally ``edge_factor`` for the first
        two, ``n`` and ``m`` for the last.
    grid : Grid
        The grid of ranks.
    seed, directed, count_duplicates, self_loops
        As for the generator; `gnm_random` has neither duplicates nor self-loops.
    high : int, optional
        If given, edges get random integer weights from 1 to ``high``, as with
        ``random_weights(graph, "integer", high=high, seed=seed)``.
    distribution : {"striped", "block", "random"}
        How vertices are assigned to ranks; ``seed`` determines the random assignment.
    **options
        Further options of the generator.

    Returns
    -------
    GridGraph

    Examples
    --------
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> from edgewise.generators import rmat
    >>> made = run_threads(lambda comm: generate("rmat", grid=Grid(comm), scale=8).num_edges, 4)
    >>> made[3] == rmat(8).num_edges
    True
    """
    world = grid.world
    given = (kind, seed, directed, count_duplicates, self_loops, high, distribution, options)
    world.check_same("the options of generate", given)
    with together(world, "drawing its edges"):
        check_choice(kind, "kind", (*_BY_SCALE, "gnm_random"))
        check_multiplicity(count_duplicates, self_loops)
        if high is not None and check_count(high, "high") < 1:
            raise ValueError(f"high must be at least 1, got {high}")
        if kind == "gnm_random":
            n, edges = _uniform(grid, seed, directed, **options)
        else:
            n, edges = _by_scale(grid, kind, seed, **options)
    counted = count_duplicates and kind != "gnm_random"
    graph = from_edges(
        *edges,
        np.ones(len(edges.sources), np.int32) if counted else None,
        directed=directed,
        num_vertices=n,
        duplicates="sum" if count_duplicates else "first",
        self_loops=self_loops,
        distribution=distribution,
        seed=seed,
        grid=grid,
    )
    return graph if high is None else _weighted(graph, high, seed)


def _by_scale(
    grid: Grid, kind: str, seed: int, *, scale: int, edge_factor: int = 16, **more: Any
) -> tuple[int, Edges]:
    n = 1 << check_scale(scale)
    part = _share(grid, n * check_count(edge_factor, "edge_factor"))
    draw: Any = _BY_SCALE[kind]
    return n, draw(scale, edge_factor=edge_factor, seed=seed, part=part, **more)


def _uniform(grid: Grid, seed: int, directed: bool, *, n: int, m: int) -> tuple[int, Edges]:
    part = _share(grid, check_count(m, "m"))
    return n, gnm_random_edges(n, m, directed=directed, seed=seed, part=part)


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
