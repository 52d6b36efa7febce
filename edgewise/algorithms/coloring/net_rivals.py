"""How many vertices compete for colors in the nets (closed neighborhoods) of each vertex."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, advance, compute, reduce_neighbors

__all__ = ["count_rivals", "nets_of"]


def nets_of(graph: AnyGraph, active: Any, state: Any) -> Any:
    """The frontier of all nets of some vertices.

    ``near`` has the number of the last call that reached a vertex, and ``calls`` counts them: only
    vertices with a smaller number change, and are found.
    """
    params = {"turn": next(state.calls)}
    return active | advance(graph, active, _turn, state.near, reduce=MAX, params=params)


def count_rivals(graph: AnyGraph, active: Any, state: Any) -> None:
    """Set ``rivals`` to the largest number of active vertices in one net of each active vertex.

    ``tried`` is -1 for all others, and 0 for the active ones from then on.
    """
    count, rivals, tried = state.count, state.rivals, state.tried
    compute(graph, active, _set_zero, tried)
    nets = nets_of(graph, active, state)
    reduce_neighbors(graph, nets, _is_trying, tried, reduce=ADD, out=count)
    compute(graph, nets, _own_too, (count, tried))
    reduce_neighbors(graph, active, _same, count, reduce=MAX, out=rivals)
    compute(graph, active, _most, (rivals, count))


def _same(value):
    return value


def _turn(turn):
    return np.int32(turn)


def _set_zero(v, tried):
    tried[v] = 0


def _is_trying(value):
    return np.int64(value >= 0)


def _own_too(v, count, tried):
    if tried[v] >= 0:
        count[v] += 1


def _most(v, rivals, count):
    rivals[v] = max(rivals[v], count[v])
