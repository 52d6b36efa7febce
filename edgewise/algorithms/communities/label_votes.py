"""Votes of neighbors for their labels, and label propagation in which all vertices change at once.

`label_propagation` and `slpa` share these steps, so they share their kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.weighting import check_lengths, edge_weights
from edgewise.base.observe import notify
from edgewise.base.ranges import factor_for, whole_sum
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, filter, reduce_neighbors

__all__ = ["all_at_once", "take", "vote", "votes_of"]


def votes_of(graph: AnyGraph, weights: Any) -> tuple[Any, dict[str, Any]]:
    """The weights of votes over arcs or None, and the options by which operators add them up."""
    lengths = edge_weights(graph, weights)
    factor = factor_for(check_lengths(graph, lengths, weights).largest)
    if lengths is not None and factor != 1.0:
        weights = lengths = lengths * factor
    return lengths, {"weights": weights, "dtype": _votes_in(lengths, graph.num_vertices)}


def all_at_once(graph: AnyGraph, votes: dict[str, Any], most: Any) -> Any:
    """Everyone takes the most frequent label of its neighbors, the least of equals."""
    label, active = graph.vertex_ids(graph.id_dtype), graph.full(1, np.int32)
    best = graph.full(-1), graph.full(0, votes["dtype"])
    votes = {"reduce": ADD, "choose": "max", **votes}
    for iteration in range(most):
        reduce_neighbors(graph, None, vote, label, key=label, out=best, **votes)
        moved = filter(graph, None, _hears_other, (best[0], label))
        if moved.empty():
            break
        compute(graph, moved, take, (label, best[0], active, 1))
        notify(iteration, phase="spread")
    return named(graph, label)


def vote(weight):
    """The weight of a vote."""
    return weight


def take(v, label, best, active, again):
    """Take the best label, and be active again or not."""
    label[v], active[v] = best[v], again


def _votes_in(lengths: Any, n: int) -> Any:
    """The type in which votes are added up."""
    if lengths is None:
        return np.int32 if n < 2**31 else np.int64  # half the memory, where it is enough
    return np.int64 if lengths.dtype.kind == "i" and whole_sum(lengths) < 2**63 else np.float64


def _hears_other(v, best, label):
    return best[v] >= 0 and best[v] != label[v]
