"""Shared parts of orders and measures: undirected views, orders from sorted keys, and checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_one_device
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transform import check_permutation
from edgewise.operators import ADD, MIN, deliver, reduce_all
from edgewise.operators.engines import by_rows_or

__all__ = ["both_ways", "check_places", "placed"]


def both_ways(graph: AnyGraph, name: str) -> Any:
    """The graph without weights, undirected: the edges of a directed one are read both ways."""
    if graph.directed:
        check_one_device(graph, f"{name} of a directed graph")
        return graph.with_weights(None).to_undirected()
    return graph


def check_places(graph: AnyGraph, positions: Any) -> Any:
    """The position of every vertex, in the type of ids: those of an order, or as they are stored.

    ValueError unless the order holds each position once.
    """
    if positions is None:
        return graph.vertex_ids(graph.id_dtype)
    return by_rows_or(graph, check_permutation, _check_spread)(graph, positions, "positions")


def _check_spread(graph: AnyGraph, order: Any, name: str) -> Any:
    """`check_permutation` where every rank has its part of the order."""
    n, order = graph.num_vertices, graph.xp.asarray(order)
    seen = graph.full(0, np.int64)
    try:
        deliver(graph, seen, order, graph.full(1, np.int64), reduce=ADD)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must hold each of 0 to {n - 1} once: {error}") from None
    if n and int(reduce_all(graph, seen, reduce=MIN)) < 1:
        raise ValueError(f"{name} must hold each of 0 to {n - 1} once")
    return order.astype(graph.id_dtype)


def placed(graph: AnyGraph, positions: Any, name: str) -> Any:
    """The graph as it is stored in an order, read both ways."""
    check_one_device(graph, name)
    graph = both_ways(graph, name)
    if positions is None:
        return graph
    return graph.with_weights(None).with_labels(None).permute(check_places(graph, positions))
