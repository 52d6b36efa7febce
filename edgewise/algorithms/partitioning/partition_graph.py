"""One function for all graph partitioners: the same arguments and result, the method by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import (
    check_number_of_parts,
    check_point_weights,
)
from edgewise.algorithms.partitioning.limits import check_limit, part_limit
from edgewise.base.checks import check_choice, check_number, check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import host

__all__ = ["partition"]

_MODULES = {"multilevel": "multilevel", "spectral": "spectral", "metis": "external",
            "kaminpar": "external", "kahip": "external"}  # fmt: skip


@takes_graph
def partition(
    graph: LocalGraphLike,
    k: int,
    *,
    method: str = "multilevel",
    imbalance: float = 0.03,
    weights: Any = "weight",
    vertex_weights: Any = None,
    seed: int = 0,
    options: dict[str, Any] | None = None,
) -> Any:
    """Return a partition into k parts of about equal weight with few edges between them.

    Parameters
    ----------
    graph : Graph
        Undirected. On CPU or GPU for "multilevel" and "spectral", else in host memory.
    k : int
        The number of parts, at least 1.
    method : {"multilevel", "spectral", "metis", "kaminpar", "kahip"}
        The algorithm. The last three call packages that must be installed:
        ``pip install 'edgewise[partition]'``.
    imbalance : float
        No part weighs more than ``(1 + imbalance) * ceil(total / k)``, where ``total`` is the
        weight of all vertices. The ceiling is left out if vertex weights are not integers.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    vertex_weights : array over vertices, optional
        Finite and nonnegative; 1 for each vertex by default.
    seed : int
        The same seed gives the same parts.
    options : dict, optional
        Further keyword arguments of the method, such as ``{"mode": "strong"}`` for KaHIP.

    Returns
    -------
    Parts
        The part of each vertex.

    Raises
    ------
    ImportError
        If the method's package is not installed.
    ValueError
        If the graph is directed, or no partition within the imbalance exists or is found.

    See Also
    --------
    quality : A report on a partition.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> partition(grid_2d(4, 12), 2, method="spectral").sizes().tolist()
    [24, 24]
    """
    check_one_device(graph, "partition")
    module = _MODULES[check_choice(method, "method", _MODULES)]
    function = getattr(import_module(f"{__package__}.{module}"), method)
    k = check_number_of_parts(k, graph.num_vertices)
    imbalance = check_number(imbalance, "imbalance")
    given = {"weights": weights, "vertex_weights": vertex_weights, "seed": seed, **(options or {})}
    if method != "spectral":
        return function(graph, k, imbalance=imbalance, **given)
    masses = check_point_weights(vertex_weights, graph.num_vertices)
    limit = part_limit(masses, k, imbalance)
    parts = function(graph, k, **given)
    heaviest = np.bincount(host(parts), masses, minlength=k).max()
    return parts if heaviest <= limit else check_limit(method, heaviest, limit)
