"""Negative sampling: random pairs of vertices without an edge, as counterexamples for training.

A target is drawn and rejected while it is a neighbor. After many rejections, the vertices that are
no neighbors are walked through and one of them is drawn exactly. So every draw ends, and its
distribution is that of all non-neighbors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import for_each
from edgewise.operators.helpers import find_edge, lower_bound

__all__ = ["MissingEdges", "sample_missing_edges"]

#: So many proposals are refused before all vertices are looked at.
_PATIENCE = 50
#: What tells the choice of an edge's end from the draws of targets.
_SIDES = 1 << 40


class MissingEdges(NamedTuple):
    """Pairs of vertices without an edge: pair i is ``sources[i]`` with ``targets[i]``."""

    sources: Any
    targets: Any


@takes_graph
def sample_missing_edges(
    graph: LocalGraphLike,
    sources: Any = None,
    *,
    k: int = 1,
    method: str = "uniform",
    seed: int = 0,
) -> MissingEdges:
    """Return random pairs of different vertices that have no edge, k for each source.

    Parameters
    ----------
    graph : Graph
        On one device. A pair of a directed graph has no edge from the source to the target.
    sources : int or str, or several, optional
        The first vertices of the pairs. By default, each edge gives its source, or one of its ends
        at random if the graph is undirected, so that there are k missing edges for each edge.
    k : int
        The number of pairs for each source. They are independent and may repeat.
    method : {"uniform", "degree"}
        Targets are drawn equally, or in proportion to their in-degree to the power of 3/4, as
        word2vec does.
    seed : int
        Seed of the draws. The same seed gives the same pairs on every device, for any number of
        threads.

    Returns
    -------
    MissingEdges
        ``sources`` and ``targets``, two arrays of vertex ids. Those of source i are entries i k to
        (i + 1) k - 1.

    Raises
    ------
    ValueError
        If a source has an edge to every vertex that could be drawn; the message names it.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> found = sample_missing_edges(star, [1, 2], k=2, seed=3)
    >>> found.sources.tolist(), 0 in found.targets
    ([1, 1, 2, 2], False)
    """
    check_one_device(graph, "sample_missing_edges")
    k, hashed = check_count(k, "k", 1, 2**31 - 1), check_seed(seed)
    check_choice(method, "method", ("uniform", "degree"))
    xp = graph.xp
    if sources is None:
        ids = _ends(graph, hashed)
    else:
        ids = xp.asarray(check_vertices(graph, host(sources), "sources"))
    totals = xp.zeros(0)
    if method == "degree":
        totals = xp.cumsum(graph.in_degrees().astype(np.float64) ** 0.75)
    first = xp.repeat(ids.astype(graph.indices.dtype), k)
    targets = xp.empty(len(first), first.dtype)
    state = (first, targets, graph.indptr, graph.indices, totals, graph.num_vertices, hashed)
    for_each(len(first), _draw, state, device=graph.device, work=8 * len(first))
    full = xp.flatnonzero(targets < 0)
    if len(full):
        raise ValueError(
            f"sources must have vertices without an edge to choose from, and vertex "
            f"{int(first[full[0]])} has none"
        )
    return MissingEdges(first, targets)


def _ends(graph: Graph, seed: np.uint64) -> Any:
    """The source of each edge; of an undirected one, either end with equal probability."""
    sources, targets, _ = graph.edges()
    if graph.directed:
        return sources
    sides = random.bits(seed, np.arange(len(sources)), _SIDES) & np.uint64(1)
    return graph.xp.where(graph.xp.asarray(sides != 0), sources, targets)


def _draw(i, sources, targets, indptr, indices, totals, n, seed):
    u, even, share = np.int64(sources[i]), len(totals) == 0, 0.0
    targets[i] = -1
    if not even and totals[n - 1] <= 0:
        return
    for turn in range(_PATIENCE):
        if even:
            v = random.integer(n, seed, i, turn)
        else:
            share = (1.0 - random.uniform(seed, i, turn)) * totals[n - 1]
            v = np.int64(lower_bound(totals, 0, n - 1, share))
        if v != u and find_edge(indptr, indices, u, v) < 0:
            targets[i] = v
            return
    for last in range(2):  # the sum over all non-neighbors, then the one where a share is reached
        total, e = 0.0, indptr[u]
        for v in range(n):
            while e < indptr[u + 1] and indices[e] < v:
                e += 1
            weight = 1.0 if even else totals[v] - (totals[v - 1] if v > 0 else 0.0)
            if v != u and (e == indptr[u + 1] or indices[e] != v) and weight > 0:
                if last == 1 and total < share:
                    targets[i] = v
                total += weight
        share = (1.0 - random.uniform(seed, i, _PATIENCE)) * total
