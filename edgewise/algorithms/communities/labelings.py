"""Checks of partitions, and the weight of each vertex's edges inside and between communities."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.weighting import finite_amounts
from edgewise.graph.anywhere import numbered
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, deliver, reduce_neighbors
from edgewise.operators.monoids import add_each

__all__ = ["as_labels", "gathered", "shares"]


def as_labels(graph: AnyGraph, labels: Any, name: str = "communities") -> Any:
    """One number per vertex as an array of int64 from 0 to n - 1, equal where the given are equal.

    These may be any whole numbers, and booleans.
    """
    n, xp = graph.num_vertices, graph.xp
    try:
        given = xp.asarray(labels)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be whole numbers, got {labels!r:.80}") from None
    if tuple(given.shape) != (n,):
        raise ValueError(f"{name} must have one entry per vertex ({n}), got shape {given.shape}")
    if n and given.dtype.kind not in "biu":
        raise TypeError(f"{name} must be whole numbers, got dtype {given.dtype}")
    if n < 2:
        return graph.full(0, np.int64)
    if given.dtype.kind == "b" or (given.min() >= 0 and given.max() < n):
        return xp.ascontiguousarray(given.astype(np.int64))
    return numbered(graph, given)


def shares(
    graph: AnyGraph, key: Any, weights: Any, *, mode: str = "out", loop: float | None = None
) -> tuple[Any, Any]:
    """For every vertex the weight of its edges, and of those that leave its community.

    A self-loop counts ``loop`` times: by default twice in an undirected graph, as both its ends
    are there. The weights are checked.
    """
    finite_amounts(graph, weights)
    if loop is None:
        loop = 1.0 if graph.directed else 2.0
    ids = graph.vertex_ids()
    found = reduce_neighbors(
        graph, None, _amounts, (key, ids), reduce=add_each(2), params={"loop": float(loop)},
        mode=mode, weights=weights, dtype=(np.float64, np.float64),
    )  # fmt: skip
    return found[0], found[1]


def gathered(graph: AnyGraph, key: Any, amounts: Any) -> Any:
    """The sum of the amounts of each community, where its label is the position."""
    sums = graph.full(0, amounts.dtype)
    deliver(graph, sums, key, amounts, reduce=ADD)
    return sums


def _amounts(value, weight, own, loop):
    amount = weight * loop if value[1] == own[1] else weight * 1.0
    return amount, amount if value[0] != own[0] else 0.0
