"""The partitions of all levels of `louvain` and `leiden`, the finest first."""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.communities.constant_potts import constant_potts
from edgewise.algorithms.communities.dendrograms import Hierarchy
from edgewise.algorithms.communities.leiden import search as leiden_search
from edgewise.algorithms.communities.louvain import search as louvain_search
from edgewise.algorithms.communities.modularity import modularity
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph

__all__ = ["leiden_partitions", "louvain_partitions"]


@takes_graph
def louvain_partitions(
    graph: GraphLike,
    *,
    weights: Any = "weight",
    resolution: float = 1.0,
    refine: bool = True,
    deterministic: bool = False,
    vertex_following: bool = False,
    coloring: bool = False,
    minimum_label: bool = False,
    threshold_scaling: bool = True,
    early_termination: float = 0.0,
    max_level: int = 32,
    tol: float = 1e-4,
    seed: int = 0,
) -> Hierarchy:
    """Return the communities of every level of the Louvain method, and their modularity.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Directed graphs use directed modularity.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    resolution : float
        Larger values give smaller communities. 1 is the usual modularity.
    refine, deterministic, vertex_following, coloring, minimum_label, threshold_scaling : bool
        As for `louvain`.
    early_termination : float
        As for `louvain`.
    max_level : int
        The largest number of levels.
    tol : float
        A level ends when a pass over it adds no more than this to the modularity.
    seed : int
        Different seeds may give different communities.

    Returns
    -------
    Hierarchy
        ``levels`` is a list of arrays over vertices, the finest first. The last one is the result
        of `louvain`. ``quality`` holds the modularity of each level at this resolution.

    See Also
    --------
    louvain : Returns the last level only.

    Notes
    -----
    O(n + m) time per pass, and O(n) memory per level for the result.

    Examples
    --------
    >>> from edgewise.generators import cycle
    >>> levels, quality = louvain_partitions(cycle(60), deterministic=True)
    >>> len(levels) > 1, quality[0] < quality[-1]
    (True, True)
    """
    levels = louvain_search(
        graph, weights, resolution=resolution, refine=refine, deterministic=deterministic,
        vertex_following=vertex_following, coloring=coloring, minimum_label=minimum_label,
        threshold_scaling=threshold_scaling, early_termination=early_termination,
        max_level=max_level, tol=tol, seed=seed, every_level=True,
    )  # fmt: skip
    return _rated(graph, levels, modularity, weights, resolution)


@takes_graph
def leiden_partitions(
    graph: GraphLike,
    *,
    objective: str = "modularity",
    weights: Any = "weight",
    resolution: float = 1.0,
    max_iter: int = 100,
    tol: float = 5e-4,
    theta: float = 0.01,
    seed: int = 0,
    deterministic: bool = False,
) -> Hierarchy:
    """Return the communities of the Leiden method and the nested groups inside them.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Directed graphs use directed modularity.
    objective : {"modularity", "constant_potts"}
        The quality function to maximize, as for `leiden`.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    resolution : float
        Larger values give smaller communities.
    max_iter : int
        The largest number of iterations.
    tol : float
        Stop when an iteration gains no more than this.
    theta : float
        The randomness of the refinement, as for `leiden`.
    seed : int
        Different seeds may give different communities.
    deterministic : bool
        As for `leiden`.

    Returns
    -------
    Hierarchy
        ``levels`` is a list of arrays over vertices, the smallest groups first. All groups are
        connected. The last array is the result of `leiden`. ``quality`` holds the objective at each
        level, as computed by `modularity` or `constant_potts`.

    See Also
    --------
    leiden : Returns the last level only.

    Notes
    -----
    O(n + m) time per pass, and O(n) memory per level for the result.

    Examples
    --------
    >>> from edgewise.generators import cycle
    >>> levels, quality = leiden_partitions(cycle(60))
    >>> len(levels) > 1, quality[0] < quality[-1]
    (True, True)
    """
    levels = leiden_search(
        graph, weights, objective=objective, resolution=resolution, max_iter=max_iter, tol=tol,
        theta=theta, seed=seed, deterministic=deterministic, every_level=True,
    )  # fmt: skip
    measure = modularity if objective == "modularity" else constant_potts
    return _rated(graph, levels, measure, weights, resolution)


def _rated(
    graph: AnyGraph, levels: list[Any], measure: Any, weights: Any, resolution: float
) -> Hierarchy:
    given: dict[str, Any] = {"weights": Arcs(weights), "resolution": resolution}
    return Hierarchy(levels, [measure(graph, one, **given) for one in levels])
