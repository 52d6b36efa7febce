"""Overlapping communities by speaker-listener label propagation (SLPA [1]).

Every vertex has a memory of labels, at first its own. In each round every vertex speaks one label
of its memory, drawn at random. Then every vertex adds to its memory the label of largest total
weight that its neighbors speak. In the end, a vertex belongs to the labels that make up a large
share of its memory. Ties are broken at random. O(n + m) time per round.

All vertices listen at once and a vertex speaks the same label to all neighbors, so that the result
does not depend on the number of threads.

[1] J. Xie, B. Szymanski, X. Liu. SLPA: uncovering overlapping communities in social networks via a
    speaker-listener interaction dynamic process. ICDM Workshops 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.label_votes import vote, votes_of
from edgewise.algorithms.communities.overlapping import OverlappingCommunities, from_memberships
from edgewise.base.checks import check_count, check_fraction, check_one_device, check_undirected
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, shuffling, uniform
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import host
from edgewise.operators import ADD, compute, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["slpa"]

_uniform = inner(uniform)


@takes_graph
def slpa(
    graph: LocalGraphLike,
    *,
    weights: Any = None,
    num_rounds: int = 50,
    min_share: float = 0.1,
    seed: int = 0,
) -> OverlappingCommunities:
    """Return overlapping communities found by speaker-listener label propagation (SLPA).

    Parameters
    ----------
    graph : Graph
        Undirected. A self-loop adds weight to the label of its own vertex.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        The weight of each neighbor's label; nonnegative.
    num_rounds : int
        The number of rounds. From 20 on, results are stable.
    min_share : float
        A vertex belongs to the labels that make up at least this share of its memory, or to
        the most frequent one. Above 0.5 communities do not overlap.
    seed : int
        With integer weights whose sum is below 2**63, the same seed gives the same communities on
        every device.

    Returns
    -------
    OverlappingCommunities
        Lists of vertices. Every vertex is in at least one community. Its shares are in proportion
        to the frequencies of the labels in its memory.

    See Also
    --------
    k_clique_communities : Overlapping communities by k-clique percolation.
    label_propagation : Communities that do not overlap.

    Notes
    -----
    O(n + m) time per round, and O(n) memory per round for the labels.

    References
    ----------
    J. Xie, B. Szymanski, X. Liu. SLPA: uncovering overlapping communities in social networks via a
    speaker-listener interaction dynamic process. ICDM Workshops 2011.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> [one.tolist() for one in slpa(graph, min_share=0.3).lists()]
    [[0, 1, 2], [3, 4, 5]]
    """
    check_one_device(graph, "slpa")
    check_undirected(graph, "slpa")
    rounds = check_count(num_rounds, "num_rounds", least=1, most=2**20)
    least, seed = check_fraction(min_share, "min_share"), int(check_seed(seed))
    n, votes = graph.num_vertices, votes_of(graph, weights)[1]
    kind, ids = graph.id_dtype, graph.vertex_ids()
    memory = graph.xp.empty((rounds + 1, n), kind)
    memory[0] = ids
    spoken, names = graph.full(0, kind), graph.full(0, kind)
    best = graph.full(-1), graph.full(0, votes["dtype"])
    votes = {"reduce": ADD, "choose": "max", "out": best, **votes}
    for turn in range(1, rounds + 1 if n else 1):
        numbers = (names, *shuffling(n, seed, turn), n)
        compute(graph, None, _speak, (spoken, memory, ids, turn, seed, *numbers))
        reduce_neighbors(graph, None, vote, spoken, key=spoken, **votes)
        compute(graph, None, _listen, (memory, ids, best[0], names, turn))
        notify(turn - 1, phase="spread")
    return _memberships(np.sort(host(memory).T, axis=1), least)


def _memberships(memory: np.ndarray, least: float) -> OverlappingCommunities:
    """The communities of memories, which are sorted rows."""
    n, size = memory.shape
    flat = memory.ravel()
    new = np.ones((n, size), bool)
    new[:, 1:] = memory[:, 1:] != memory[:, :-1]
    first = np.flatnonzero(new)
    counts = np.diff(np.append(first, n * size))
    owners, labels = first // size, flat[first]
    largest = np.zeros(n, np.int64)
    np.maximum.at(largest, owners, counts)
    kept = (counts >= least * size) | (counts == largest[owners])
    return from_memberships(labels[kept], owners[kept], counts[kept], n)


def _speak(v, spoken, memory, ids, turn, seed, names, factor, shift, n):
    """Draw a label of the memory; labels have other numbers in each round, which breaks ties."""
    names[(ids[v] * factor + shift) % n] = ids[v]
    drawn = np.int64(memory[np.int64(_uniform(seed, ids[v], turn) * turn), v])
    spoken[v] = (drawn * factor + shift) % n


def _listen(v, memory, ids, best, names, turn):
    memory[turn, v] = names[best[v]] if best[v] >= 0 else ids[v]
