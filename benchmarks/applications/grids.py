"""Power grids and direct solvers: buses of a reduced model, and entries of factors."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["POWER_GRID", "SOLVERS"]

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def power_rows(quick: bool) -> Iterator[tuple]:
    """Buses that are left in the reduced model, by the way in which areas are found."""
    import edgewise as ew

    for side in (10,) if quick else (30, 100, 300):
        streets = ew.generators.road(side, side, removals=0.3, seed=4)
        grid = streets.with_weights(1 / np.maximum(streets.edges()[2], 0.05))
        n, rng = grid.num_vertices, np.random.default_rng(2)
        leiden = partial(ew.communities.leiden, grid, deterministic=True)
        leiden()  # compiles
        spent, areas = timed(leiden, 3)
        areas = np.unique(np.asarray(areas), return_inverse=True)[1]
        size = int(areas.max()) + 1
        divide = partial(ew.partitioning.multilevel, streets, size, seed=1)
        divide()
        parts_time, parts = timed(divide, 3)
        for way, one, seconds in (
            ("communities (Leiden)", areas, spent),
            ("partition into equal parts", np.asarray(parts), parts_time),
            ("slices by number", np.arange(n) * size // n, None),
            ("random areas", rng.integers(0, size, n), None),
        ):
            left = int(ew.partitioning.boundary(grid, one).sum())
            yield way, n, size, left, 100 * left / n, seconds


def solver_rows(quick: bool) -> Iterator[tuple]:
    """Entries of the factors, and the time to find them, by the order of the vertices."""
    import edgewise as ew

    factored = runpy.run_path(str(_EXAMPLES / "solver_ordering.py"))["factored"]
    for side in (12,) if quick else (45, 120):
        mesh = ew.generators.grid_2d(side, side, diagonals=True)
        mesh = mesh.permute(ew.ordering.random_order(mesh, seed=1))
        ways = {
            "shuffled": None,
            "reverse Cuthill-McKee": partial(ew.ordering.reverse_cuthill_mckee, mesh),
            "nested dissection": partial(ew.ordering.nested_dissection, mesh, seed=1),
        }
        for way, order in ways.items():
            if way == "shuffled" and side > 60:
                continue  # gigabytes
            ordering, there = None, mesh
            if order is not None:
                order()  # compiles
                ordering, positions = timed(order, 3)
                there = mesh.permute(positions)
            spent, (entries, _) = timed(partial(factored, there), 3)
            yield way, mesh.num_vertices, entries, ordering, spent
        for name, spec in (
            ("SuperLU's minimum degree", "MMD_AT_PLUS_A"),
            ("SuperLU's COLAMD", "COLAMD"),
        ):
            spent, entries = timed(lambda: by_superlu(mesh, spec), 3)  # noqa: B023
            yield f"{name} (order and factors)", mesh.num_vertices, entries, None, spent


def by_superlu(mesh, spec: str) -> int:
    """Entries of the factors in an order of SuperLU's own."""
    from scipy.sparse import identity
    from scipy.sparse.linalg import splu

    import edgewise as ew

    matrix = (ew.laplacian_matrix(mesh) + identity(mesh.num_vertices)).tocsc()
    factors = splu(matrix, permc_spec=spec, diag_pivot_thresh=0, options={"SymmetricMode": True})
    return factors.L.nnz + factors.U.nnz


POWER_GRID = Part(
    "Areas of a power grid",
    "Synthetic grids of roads; buses with lines to other areas are left in the reduced model.",
    {"areas by": "word", "buses": "count", "areas": "count", "left": "count", "left, %": "percent",
     "time": "time"},
    power_rows,
)  # fmt: skip
SOLVERS = Part(
    "Orders for a solver",
    "The Laplacian matrix of a shuffled mesh with diagonals, factored by SuperLU.",
    {"order": "word", "vertices": "count", "entries of the factors": "count",
     "time of the order": "time", "time of the factors": "time"},
    solver_rows,
)  # fmt: skip
