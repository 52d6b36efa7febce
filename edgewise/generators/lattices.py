"""Regular grids, triangular meshes and bands; vertices are numbered row by row.

All edges are shifted copies of the array of ids, so a lattice takes a few NumPy passes.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type, uniforms
from edgewise.graph import Graph

__all__ = ["banded", "grid_2d", "grid_3d", "lattice_edges", "triangular_mesh"]


def grid_2d(rows: int, columns: int, *, periodic: bool = False, diagonals: bool = False) -> Graph:
    """Return the 2D grid graph of ``rows`` x ``columns`` vertices.

    Vertex (i, j) is ``i * columns + j``.

    Parameters
    ----------
    rows, columns : int
        The size of the grid.
    periodic : bool
        Join the last row to the first and the last column to the first (a torus). Sides shorter
        than three stay as they are.
    diagonals : bool
        Join diagonal neighbors too, for eight neighbors inside.

    Returns
    -------
    Graph
        An undirected graph.

    See Also
    --------
    grid_3d : The 3D grid graph.

    Notes
    -----
    This is the pattern of the 5-point stencil, and with ``diagonals`` of the 9-point stencil. If
    both sides are at least 3 and the grid is not periodic, the chromatic number is 2, or 4 with
    diagonals. A distance-2 coloring needs 5 colors, or 9.

    Examples
    --------
    >>> grid_2d(3, 4).num_edges
    17
    >>> set(grid_2d(5, 5, periodic=True, diagonals=True).degrees().tolist())
    {8}
    """
    shape = check_count(rows, "rows"), check_count(columns, "columns")
    return _graph(shape, lattice_edges(shape, periodic=periodic, diagonals=diagonals))


def grid_3d(
    rows: int,
    columns: int,
    *,
    layers: int,
    periodic: bool = False,
    diagonals: bool = False,
) -> Graph:
    """Return the 3D grid graph of ``rows`` x ``columns`` x ``layers`` vertices.

    Vertex (i, j, k) is ``(i * columns + j) * layers + k``.

    Parameters
    ----------
    rows, columns, layers : int
        The size of the grid.
    periodic : bool
        Join opposite faces (a 3D torus). Sides shorter than three stay as they are.
    diagonals : bool
        Join diagonal neighbors too, for 26 neighbors inside.

    Returns
    -------
    Graph
        An undirected graph.

    See Also
    --------
    grid_2d : The 2D grid graph.

    Notes
    -----
    This is the pattern of the 7-point stencil, and with ``diagonals`` of the 27-point stencil. If
    all sides are at least 3 and the grid is not periodic, the chromatic number is 2, or 8 with
    diagonals. A distance-2 coloring needs 7 colors, or 27.

    Examples
    --------
    >>> grid_3d(2, 2, layers=2).num_edges
    12
    """
    shape = tuple(
        check_count(side, name)
        for side, name in ((rows, "rows"), (columns, "columns"), (layers, "layers"))
    )
    return _graph(shape, lattice_edges(shape, periodic=periodic, diagonals=diagonals))


def banded(n: int, width: int) -> Graph:
    """Return the graph of a banded matrix: vertices whose numbers differ by at most ``width``.

    The chromatic number is ``width + 1``. A distance-2 coloring needs ``2 * width + 1`` colors.
    Neither is more than n.

    Parameters
    ----------
    n : int
        The number of vertices.
    width : int
        The number of diagonals on each side of the main diagonal: the bandwidth.

    Returns
    -------
    Graph
        An undirected graph without self-loops.

    See Also
    --------
    path : The band of width 1.

    Examples
    --------
    >>> banded(6, 2).degrees().tolist()
    [2, 3, 4, 4, 3, 2]
    """
    n, width = check_count(n, "n", most=MOST_VERTICES), check_count(width, "width")
    ids = np.arange(n, dtype=id_type(n))
    steps = range(1, min(width, n - 1) + 1)
    sources = [ids[:0], *(ids[:-step] for step in steps)]
    targets = [ids[:0], *(ids[step:] for step in steps)]
    return Graph.from_edges(np.concatenate(sources), np.concatenate(targets), num_vertices=n)


def triangular_mesh(
    rows: int,
    columns: int,
    *,
    diagonals: str = "same",
    periodic: bool = False,
    seed: int = 0,
) -> Graph:
    """Return a triangular mesh: a grid graph with one diagonal in each square.

    Parameters
    ----------
    rows, columns : int
        The size of the grid of vertices. Vertex (i, j) is ``i * columns + j``.
    diagonals : {"same", "alternate", "random"}
        The direction of the diagonals. "same": all run down to the right. "alternate": it changes
        from row to row, as with equilateral triangles. "random": each is drawn at random.
    periodic : bool
        Join opposite sides (a triangulated torus). Both sides need at least three vertices.
    seed : int
        The seed of the random diagonals.

    Returns
    -------
    Graph
        An undirected graph.

    Examples
    --------
    >>> mesh = triangular_mesh(3, 3)
    >>> mesh.num_edges
    16
    >>> set(triangular_mesh(4, 4, periodic=True).degrees().tolist())
    {6}
    """
    shape = check_count(rows, "rows"), check_count(columns, "columns")
    check_choice(diagonals, "diagonals", ("same", "alternate", "random"))
    periodic = check_flag(periodic, "periodic")
    if periodic and min(shape) < 3:
        raise ValueError(f"periodic needs rows and columns of at least 3, got {rows} x {columns}")
    key = check_seed(seed)
    corner, right, below, opposite = _squares(shape, periodic)
    if diagonals == "same":
        falling = np.ones(corner.shape, bool)
    elif diagonals == "alternate":
        falling = np.broadcast_to(np.arange(len(corner))[:, None] % 2 == 1, corner.shape)
    else:
        falling = (uniforms(key, corner.size) < 0.5).reshape(corner.shape)
    first, second = np.where(falling, corner, right), np.where(falling, opposite, below)
    sources, targets = lattice_edges(shape, periodic=periodic, diagonals=False)
    edges = (
        np.concatenate([sources, first.ravel()]),
        np.concatenate([targets, second.ravel()]),
    )
    return _graph(shape, edges)


def lattice_edges(
    shape: tuple[int, ...], *, periodic: bool, diagonals: bool, xp: Any = np
) -> tuple[Any, Any]:
    """Every vertex joined to its neighbors in half of the directions: each edge once.

    Short periodic sides bring loops and repeats, which the graph leaves out.
    """
    periodic, diagonals = check_flag(periodic, "periodic"), check_flag(diagonals, "diagonals")
    ids = _ids(shape, xp)
    origin = (0,) * len(shape)
    steps = [
        step
        for step in product((-1, 0, 1), repeat=len(shape))
        if step > origin and (diagonals or sum(map(abs, step)) == 1)
    ]
    axes = tuple(range(len(shape)))
    ends = [
        (ids, xp.roll(ids, [-move for move in step], axes))
        if periodic
        else (ids[tuple(map(_stay, step))], ids[tuple(map(_move, step))])
        for step in steps
    ]
    sources, targets = zip(*ends, strict=True)
    return (
        xp.concatenate([part.ravel() for part in sources]),
        xp.concatenate([part.ravel() for part in targets]),
    )


def _stay(move: int) -> slice:
    return (slice(None), slice(None, -1), slice(1, None))[move]


def _move(move: int) -> slice:
    return (slice(None), slice(1, None), slice(None, -1))[move]


def _squares(shape: tuple[int, ...], periodic: bool) -> tuple[np.ndarray, ...]:
    """The four corners of every square: upper left, upper right, lower left, lower right."""
    ids = _ids(shape)
    if periodic:
        ids = np.pad(ids, ((0, 1), (0, 1)), mode="wrap")
    return ids[:-1, :-1], ids[:-1, 1:], ids[1:, :-1], ids[1:, 1:]


def _ids(shape: tuple[int, ...], xp: Any = np) -> Any:
    n = math.prod(shape)
    if n > MOST_VERTICES:
        sides = " x ".join(map(str, shape))
        raise ValueError(f"rows x columns must be at most 2**31 vertices, got {sides}")
    return xp.arange(n, dtype=id_type(n)).reshape(shape)


def _graph(shape: tuple[int, ...], edges: tuple[np.ndarray, np.ndarray]) -> Graph:
    return Graph.from_edges(
        *edges, num_vertices=math.prod(shape), duplicates="first", self_loops="drop"
    )
