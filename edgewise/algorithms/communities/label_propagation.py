"""Communities by label propagation [1].

label[v] is the community of v; at first every vertex has its own. In each round, a random half of
the vertices take the label of largest total weight among their neighbors. Half of them, so that
adjacent vertices do not swap labels forever. Ties are broken at random.

In the first rounds a vertex gives up its label in a tie: small communities merge, and sparse graphs
do not break into pieces. Later it keeps its label. Only vertices near a change are examined again.
In the end every label is a best one. O(n + m) time per round. `small_labels` is sequential.

[1] U. Raghavan, R. Albert, S. Kumara. Near linear time algorithm to detect community structures in
    large-scale networks. Physical Review E 76, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.asynchronous_labels import one_by_one
from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.communities.label_votes import all_at_once, take, vote, votes_of
from edgewise.algorithms.communities.small_labels import (
    AHEAD,
    BEHIND,
    DRIFT,
    is_drawn,
    rated,
    small_labels,
)
from edgewise.base.checkpoints import resumable
from edgewise.base.checks import check_choice, check_count, check_undirected
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed, shuffling
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, MIN, advance, compute, filter, reduce_neighbors
from edgewise.operators.sequential import sequential_or

__all__ = ["label_propagation"]

#: One thread takes less time than two up to half a million arcs, and as many vertices.
_ALONE, _FEW = 16, 1 << 19


@takes_graph
@streams(160)
def label_propagation(
    graph: GraphLike, *, weights: Any = None, max_iter: int | None = None, seed: int = 0,
    schedule: str = "half",
) -> Communities:  # fmt: skip
    """Return communities found by label propagation.

    Parameters
    ----------
    graph : Graph
        Undirected. A self-loop adds weight to the label of its own vertex.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        The weight of each neighbor's label; nonnegative.
    max_iter : int, optional
        The largest number of rounds; by default until all labels are stable (50 to 100).
    seed : int
        With integer weights whose sum is below 2**63, the same seed gives the same communities on
        every device.
    schedule : {"half", "all", "asynchronous"}
        The vertices that change in a round. "all" is LDBC Graphalytics' CDLP and needs
        ``max_iter``. "asynchronous" changes one vertex after the other, in random order, on one CPU
        thread.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> label_propagation(graph, seed=3).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_undirected(graph, "label_propagation")
    check_choice(schedule, "schedule", ("half", "all", "asynchronous"))
    most = None if max_iter is None else check_count(max_iter, "max_iter")
    if schedule == "all" and most is None:
        raise ValueError('max_iter must be given with schedule="all", got None')
    seed, (lengths, votes) = int(check_seed(seed)), votes_of(graph, weights)
    if schedule == "all":
        return as_communities(graph, all_at_once(graph, votes, most), votes["weights"])
    if schedule == "asynchronous":
        found = one_by_one(graph, lengths, votes, most, seed)
        return as_communities(graph, found, votes["weights"])
    small = small_labels if graph.num_vertices < _FEW else _by_halves
    found = sequential_or(graph, small, _by_halves, lengths, votes, most, seed, times=_ALONE)
    return as_communities(graph, found, votes["weights"])


def _by_halves(graph: AnyGraph, lengths: Any, votes: dict[str, Any], most: Any, seed: int) -> Any:
    """Half of those that wait look at a time, drawn at random."""
    ids, label = graph.vertex_ids(), graph.vertex_ids(graph.id_dtype)
    n, active = graph.num_vertices, graph.full(1, np.int32)
    votes = {"reduce": ADD, "choose": _rated, "stay": label, **votes}
    best = graph.full(-1), graph.full(0.0)
    iteration = 0
    with resumable(graph, "label propagation") as loop:
        while most is None or iteration < most:
            _, iteration = loop((label, active), iteration)
            drifting = iteration < DRIFT
            waiting = filter(graph, None, _is_set, active)
            if waiting.empty():
                break
            _renumber(graph, label, seed, iteration)
            looking = filter(graph, waiting, _drawn, (ids, hashed(seed, iteration)))
            compute(graph, looking, _clear, active)
            if iteration == 0 and lengths is None:  # one vote each: the least of the others' labels
                reduce_neighbors(graph, looking, _other_label, label, reduce=MIN, out=best[0])
            else:
                votes["params"] = {"lead": BEHIND if drifting else AHEAD}
                reduce_neighbors(graph, looking, vote, label, key=label, out=best, **votes)
            moved = filter(graph, looking, _is_other, (best[0], label, n))
            compute(graph, moved, take, (label, best[0], active, int(drifting)))
            advance(graph, moved, _one, active, reduce=MAX)
            notify(iteration, phase="spread")
            iteration += 1
    return named(graph, label, ids)


def _renumber(graph: AnyGraph, label: Any, seed: int, iteration: int) -> None:
    """Give every label another number below n: x becomes factor * x + shift mod n."""
    n = graph.num_vertices
    factor, shift = shuffling(n, seed, iteration)
    compute(graph, None, _other_number, (label, factor, shift, n))


def _other_number(v, label, factor, shift, n):
    label[v] = (np.int64(label[v]) * factor + shift) % n


def _one():
    return 1


def _other_label(value, own):
    """A neighbor's label; none, which is less than any, if that is its own, by a loop."""
    return value if value != own else -1


def _rated(total, key, own, lead):
    return rated(total, lead) if key == own else total


def _is_set(v, active):
    return active[v] > 0


def _drawn(v, ids, key):
    return is_drawn(ids[v], key)


def _clear(v, active):
    active[v] = 0


def _is_other(v, best, label, n):
    return 0 <= best[v] < n and best[v] != label[v]
