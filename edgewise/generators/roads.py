"""Road-like networks: a grid of crossings with many streets removed, weighted by length.

Every crossing is moved slightly at random. Each street of the grid is removed with probability
``removals``. Then removed streets are restored, in random order, if they join two components. So
the network is connected and has exactly ``rows * columns`` vertices. By default it has about 1.2
edges per vertex, as real road networks have. The weights are the straight-line lengths between the
moved crossings, in grid steps. Near-linear work.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_fraction
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, stream, uniforms
from edgewise.generators.lattices import lattice_edges
from edgewise.graph import Graph

__all__ = ["road", "road_coordinates"]

#: A crossing moves at most this far along each axis, in grid steps.
_JITTER = 0.35


def road(rows: int, columns: int, *, removals: float = 0.4, seed: int = 0) -> Graph:
    """Return a connected road-like network, weighted by street lengths.

    Parameters
    ----------
    rows, columns : int
        The size of the grid of crossings. Crossing (i, j) is vertex ``i * columns + j``.
    removals : float
        The probability that a street of the grid is removed. Streets that connectivity needs are
        restored. 1 leaves a random spanning tree.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph with float64 weights. `road_coordinates` returns the crossings.

    Notes
    -----
    Near-linear time in the number of crossings.

    Examples
    --------
    >>> graph = road(20, 30)
    >>> graph.num_vertices, graph.weights.dtype
    (600, dtype('float64'))
    >>> road(20, 30, removals=1.0).num_edges
    599
    """
    from edgewise.generators.cpu.streets import reconnect

    rows, columns = check_count(rows, "rows"), check_count(columns, "columns")
    n = rows * columns
    if n > MOST_VERTICES:
        raise ValueError(f"rows x columns must be at most 2**31, got {rows} x {columns}")
    check_fraction(removals, "removals")
    places, key = road_coordinates(rows, columns, seed=seed), check_seed(seed)
    sources, targets = lattice_edges((rows, columns), periodic=False, diagonals=False)
    keep = uniforms(stream(key, 1), len(sources)) >= removals
    with threads(1):
        launch(reconnect, stream(key, 2), sources, targets, keep, np.arange(n), work=2 * n)
    sources, targets = sources[keep], targets[keep]
    lengths = np.linalg.norm(places[sources] - places[targets], axis=1)
    return Graph.from_edges(sources, targets, lengths, num_vertices=n)


def road_coordinates(rows: int, columns: int, *, seed: int = 0) -> np.ndarray:
    """Return the coordinates of the crossings of `road`, one row per vertex.

    Parameters
    ----------
    rows, columns, seed
        As for `road`.

    Returns
    -------
    numpy.ndarray, n x 2
        The coordinates (x, y) in grid steps; x follows the columns.

    Examples
    --------
    >>> road_coordinates(4, 5).shape
    (20, 2)
    """
    rows, columns = check_count(rows, "rows"), check_count(columns, "columns")
    n = rows * columns
    if n > MOST_VERTICES:
        raise ValueError(f"rows x columns must be at most 2**31, got {rows} x {columns}")
    key = check_seed(seed)
    i, j = np.divmod(np.arange(n), max(columns, 1))
    moves = [_JITTER * (2 * uniforms(key, n, axis) - 1) for axis in (0, 1)]
    return np.stack([j + moves[0], i + moves[1]], axis=1)
