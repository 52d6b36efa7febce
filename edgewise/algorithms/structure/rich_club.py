"""The rich-club coefficient [1]: the density among vertices of high degree.

phi(k) = 2 E(k) / (N(k) (N(k) - 1)), where N(k) vertices have a degree above k and E(k) edges join
them. Vertices of high degree are adjacent more often in any graph, so phi is divided by that of a
random graph with the same degrees. Linear work, plus linear work for each rewiring sweep.

[1] J. McAuley, L. da Fontoura Costa, T. Caetano. The rich-club phenomenon across complex network
    hierarchies. Applied Physics Letters 91, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.structure.rewiring import rewired
from edgewise.base.checks import check_count, check_flag, check_one_device, check_undirected
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["rich_club_coefficient"]

_MOST = 10_000


@takes_graph
def rich_club_coefficient(
    graph: LocalGraphLike, *, normalized: bool = True, Q: int = 10, seed: int = 0
) -> Any:
    """Return the rich-club coefficient for each degree k: the density among degrees above k.

    Parameters
    ----------
    graph : Graph
        Undirected. Weights and self-loops are ignored (NetworkX rejects self-loops).
    normalized : bool
        Whether to divide by the coefficient of a random graph with the same degrees.
    Q : int
        Number of attempted swaps per edge that make the random graph, at most 10,000.
        A larger ``Q`` gives a more random graph and takes longer. NetworkX's default is 100.
    seed : int
        Seed of the random graph. The same seed gives the same result on every device and for any
        number of threads.

    Returns
    -------
    array of float64
        Entry k holds for degrees above k, as long as there are at least two such vertices. It is
        empty if there are no edges. If the random graph has no edge among them, the entry is
        infinity, or NaN if the graph has none either.

    Notes
    -----
    O(n + m) time, plus O(n + m) per rewiring sweep.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 4])
    >>> rich_club_coefficient(graph, normalized=False).tolist()
    [0.6, 0.8333333333333334, 1.0]
    """
    check_one_device(graph, "rich_club_coefficient")
    check_undirected(graph, "rich_club_coefficient")
    normalized, sweeps = check_flag(normalized, "normalized"), 2 * check_count(Q, "Q", 0, _MOST)
    check_seed(seed)
    graph = graph.without_self_loops()
    if graph.num_edges == 0:
        return graph.xp.zeros(0)
    sources, targets, _ = graph.edges()
    dense = _density(graph, sources, targets)
    if normalized:
        others = _density(graph, *rewired(graph, sources, targets, sweeps, seed))
        with np.errstate(divide="ignore", invalid="ignore"):
            dense = dense / others
    return dense


def _density(graph: Graph, sources: Any, targets: Any) -> Any:
    """phi, for these edges among the vertices of a graph, whose degrees are theirs."""
    xp, degree = graph.xp, graph.row_lengths()
    rich = graph.num_vertices - xp.cumsum(xp.bincount(degree))
    rich = rich[rich > 1].astype(np.float64)
    least = xp.minimum(degree[sources], degree[targets])
    edges = len(sources) - xp.cumsum(xp.bincount(least, minlength=len(rich)))[: len(rich)]
    return 2 * edges / (rich * (rich - 1))
