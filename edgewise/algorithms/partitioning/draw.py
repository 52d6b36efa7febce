"""A picture of a partition: a mesh drawn by part, with matplotlib (``edgewise[plot]``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import check_coordinates
from edgewise.algorithms.partitioning.imbalance import check_parts
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import host

__all__ = ["draw"]

#: The view of coordinates in three dimensions: from above one corner.
_VIEW = np.array([[0.87, -0.35, 0.35], [0.5, 0.61, -0.61], [0.0, 0.71, 0.71]])
_COLORS = 20
_DISTINCT = 12  # neighboring part numbers get distant colors


@takes_graph
def draw(graph: LocalGraphLike, parts: Any, *, coordinates: Any, ax: Any = None) -> Any:
    """Return a picture of a partition: edges inside parts in the part's color, cut edges in black.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, on CPU or GPU.
    parts : array of int over vertices
        The part of each vertex, from 0.
    coordinates : array of float, n x 2 or n x 3
        The position of each vertex. Positions in three dimensions are projected onto a plane.
    ax : matplotlib Axes, optional
        The axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        ``ax.figure.savefig("parts.png")`` writes the picture to a file.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.generators import grid_2d
    >>> places = np.stack(np.divmod(np.arange(12), 4), axis=1)
    >>> ax = draw(grid_2d(3, 4), np.arange(12) % 4 // 2, coordinates=places)
    >>> ax.figure.savefig("parts.png")  # doctest: +SKIP
    """
    try:
        from matplotlib import colormaps
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("draw needs matplotlib: pip install 'edgewise[plot]'") from None
    places = check_coordinates(host(coordinates), graph.num_vertices, (2, 3))
    key = host(check_parts(graph, parts)[0])
    if places.shape[1] == 3:
        places = (places @ _VIEW)[:, :2]
    if ax is None:
        ax = Figure(figsize=(7, 7), layout="constrained").add_subplot()
    sources, targets, _ = map(host, graph.edges()[:2] + (np.zeros(0),))
    colors = colormaps["tab20"](key * _DISTINCT % (_COLORS - 1) / _COLORS)
    lines = np.stack([places[sources], places[targets]], axis=1)
    cut = key[sources] != key[targets]
    thin = np.clip(60 / np.sqrt(max(graph.num_edges, 1)), 0.2, 1.6)
    ax.add_collection(LineCollection(lines[~cut], colors=colors[sources[~cut]], linewidths=thin))
    ax.add_collection(LineCollection(lines[cut], colors="black", linewidths=thin / 2))
    ax.scatter(*places.T, s=4 * thin**2, c=colors, linewidths=0, zorder=3)
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.set_title(f"{int(cut.sum()):,} of {graph.num_edges:,} edges cut", fontsize=10)
    return ax
