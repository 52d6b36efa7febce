"""Communities by greedy modularity maximization (Clauset, Newman and Moore [1]).

At first every vertex is a community. The pair of adjacent communities whose merge increases
modularity most is merged, until no two are adjacent. Once no merge increases modularity, none does
later. Rows of neighbors are linked lists, and a heap holds the best merge of every community
(`agglomerating`). Communities with many neighbors keep a short list of the best ones
(`hub_merges`). One thread. O(m d log n) time at most, d being the depth of the tree of merges.

[1] A. Clauset, M. Newman, C. Moore. Finding community structure in very large networks. Phys. Rev.
    E 70, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.agglomerating import Best, Merges, Rows, merge_all
from edgewise.algorithms.communities.dendrograms import Dendrogram
from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hub_merges import CLASSES, MOST, Hubs
from edgewise.algorithms.communities.pair_table import pair_table
from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import check_number, check_undirected
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import sequential

__all__ = ["greedy_modularity"]

#: Communities with more neighbors are hubs.
_LONG = 256


@takes_graph
def greedy_modularity(
    graph: LocalGraphLike, *, weights: Any = "weight", resolution: float = 1.0
) -> Communities:
    """Return communities found by greedy modularity maximization.

    Parameters
    ----------
    graph : Graph
        Undirected. A self-loop adds its weight twice to the strength of its vertex.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite and nonnegative.
    resolution : float
        Larger values give smaller communities. 1 is the usual modularity.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex. ``dendrogram``
        of the result has all merges, also those that decrease modularity:
        ``dendrogram.cut(k)`` returns k communities.

    See Also
    --------
    louvain, leiden : Faster, and usually of higher modularity.

    Notes
    -----
    O(m d log n) time on one thread at most, where d is the depth of the tree of merges, and
    O(n + m) memory. Results always repeat. Of equal gains, other libraries may take another one
    first.

    Examples
    --------
    >>> from edgewise.generators import karate_club
    >>> found = greedy_modularity(karate_club())
    >>> found.sizes().tolist(), round(found.modularity, 4)
    ([8, 9, 17], 0.3807)
    """
    check_host(graph, "greedy_modularity")
    check_undirected(graph, "greedy_modularity")
    resolution = check_number(resolution, "resolution")
    if not resolution >= 0:
        raise ValueError(f"resolution must not be negative, got {resolution}")
    n, found = graph.num_vertices, balanced(graph, weights)[1]
    sources, targets, _ = graph.arcs()
    amounts = np.ones(graph.num_arcs) if found is None else found.astype(np.float64)
    twice = np.where(sources == targets, 2 * amounts, amounts)
    mass = np.bincount(sources, twice, n).astype(np.float64)
    total, ids = mass.sum(), np.arange(n)
    merges = Merges(np.empty((n, 2), np.int64), np.empty(n), ids.copy(), np.zeros(1, np.int64))
    if total > 0:
        kept = (sources != targets) & (amounts > 0)
        rows = _linked(n, sources[kept], targets[kept], amounts[kept])
        best = Best(ids.copy(), ids.copy(), ids.copy(), np.empty(n), np.zeros(n, np.int64),
                    ids.copy())  # fmt: skip
        pairs = pair_table(sources[kept], targets[kept], n)
        state = rows, mass.copy(), resolution / total, merges, best, pairs, _no_hubs(n, rows)
        sequential(merge_all, state, steps=n, work=len(rows.other), phase="merge")
    # A merge adds 2 (weight - resolution mass mass / total) / total to the modularity.
    done, scale = int(merges.number[0]), 1.0 / (total or 1.0)
    loops = (twice - amounts).sum() * 2 * scale
    first = loops - resolution * ((mass * scale) ** 2).sum()
    with np.errstate(over="ignore"):  # a resolution may be as large as a float
        quality = first + np.cumsum(np.append(0.0, 2 * scale * merges.gain[:done]))
    tree = Dendrogram(ids.astype(graph.id_dtype), merges.nodes[:done],
                      np.arange(1.0, done + 1), quality)  # fmt: skip
    gaining = int(np.append(merges.gain[:done] <= 0, True).argmax())
    return as_communities(graph, tree.cut(n - gaining).labels, weights, dendrogram=tree)


def _no_hubs(n: int, rows: Rows) -> Hubs:
    """No community is a hub yet; there are lists for all rows that may become long."""
    entries, slots = len(rows.other), len(rows.other) // _LONG + 1
    return Hubs(
        slot=np.full(n, -1),
        free=np.arange(slots),
        state=np.array([slots, _LONG]),
        unit=np.array([rows.weight.min(initial=np.inf)]),
        filled=np.zeros(slots, np.int64),
        listed=np.empty((slots, MOST), np.int64),
        is_listed=np.zeros(entries, bool),
        loss=np.empty(entries),
        start=np.empty(slots),
        least=np.empty((slots, CLASSES)),
        light=np.empty((slots, CLASSES)),
    )


def _linked(n: int, sources: np.ndarray, targets: np.ndarray, amounts: np.ndarray) -> Rows:
    """The rows of a graph without loops as linked lists."""
    length = np.bincount(sources, minlength=n)
    starts, places = offsets(length), np.arange(len(sources))
    after, before = places + 1, places - 1
    filled = length > 0
    after[starts[1:][filled] - 1] = -1
    before[starts[:-1][filled]] = -1
    twin = np.empty(len(sources), np.int64)
    twin[np.lexsort((sources, targets))] = places
    head = np.where(filled, starts[:-1], -1)
    return Rows(head, after, before, twin, targets.astype(np.int64), amounts, length)
