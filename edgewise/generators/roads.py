"""Road-like networks: a grid of crossings, many streets missing, lengths as weights.

Every crossing is moved a little at random. Each street of the grid is removed with probability
``removals``; then removed streets come back, in random order, wherever they join two parts that
are still apart. So the network is connected, has exactly ``rows * columns`` vertices, long
detours and, by default, about 1.2 edges per vertex, as measured road networks have. The weights
are the straight-line lengths between the moved crossings, in grid steps. Near-linear work.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count, check_fraction
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, stream, uniforms
from edgewise.generators.lattices import lattice_edges
from edgewise.graph import Graph

__all__ = ["road", "road_positions"]

#: A crossing moves at most this far along each axis, in grid steps.
_JITTER = 0.35


def road(rows: int, columns: int, *, removals: float = 0.4, seed: int = 0) -> Graph:
    """A connected road-like network with lengths as weights.

    Parameters
    ----------
    rows, columns : int
        Size of the grid of crossings; crossing (i, j) is vertex ``i * columns + j``.
    removals : float
        Probability with which a street of the grid is removed; the ones that the connection
        needs come back. 1 leaves a random spanning tree.
    seed : int
        The same seed gives the same graph, whatever the number of threads.

    Returns
    -------
    Graph
        Weighted by the lengths of the streets (float64). `road_positions` gives the places.

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
    places, key = road_positions(rows, columns, seed=seed), check_seed(seed)
    sources, targets = lattice_edges((rows, columns), periodic=False, diagonals=False)
    keep = uniforms(stream(key, 1), len(sources)) >= removals
    with threads(1):
        launch(reconnect, stream(key, 2), sources, targets, keep, np.arange(n), work=2 * n)
    sources, targets = sources[keep], targets[keep]
    lengths = np.linalg.norm(places[sources] - places[targets], axis=1)
    return Graph.from_edges(sources, targets, lengths, num_vertices=n)


def road_positions(rows: int, columns: int, *, seed: int = 0) -> np.ndarray:
    """Where the crossings of `road` lie, for drawing and for distance bounds.

    Parameters
    ----------
    rows, columns, seed
        As for `road`.

    Returns
    -------
    numpy.ndarray
        One line (x, y) per vertex, in grid steps; x follows the columns.

    Examples
    --------
    >>> road_positions(4, 5).shape
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
