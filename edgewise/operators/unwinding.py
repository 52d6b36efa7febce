"""Contract of `unwind`: back over the levels that a frontier went forward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import (
    check_edges,
    check_params,
    check_used,
    function_by_position,
    message_function,
    state_arrays,
)
from edgewise.operators.engines import check_graph, run
from edgewise.operators.functions import MESSAGE_NAMES
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.requests import Unwinding

__all__ = ["unwind"]


@on_every_rank
def unwind(
    graph: AnyGraph,
    depths: Any,
    message: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid,
    own: Any = None,
    finish: Callable[..., Any] | None = None,
    params: dict[str, Any] | None = None,
    mode: str = "out",
    weights: Any = "weight",
) -> None:
    """Update values level by level, from the deepest level of `propagate` back to the first.

    Each vertex v of a level gets ``values[v] = finish(total, own[v])``. ``total`` reduces the
    messages along the edges from v to the vertices u of the next deeper level, where ``depths[u] ==
    depths[v] + 1``. ``value`` is ``values[u]``, which is already final.

    Parameters
    ----------
    graph : Graph
    depths : array of int32
        The depths from `propagate`, with 0 at the sources. A negative depth or ``2**31 - 1`` means
        no level.
    message : callable
        Names the arguments it needs among ``value, weight, source, edge, own``; source is u.
    values : array
        The state over vertices, changed in place.
    reduce : Monoid
        How messages combine.
    own : array, optional
        The array that ``own`` reads; by default ``values`` from before the call.
    finish : callable, optional
        ``finish(total, own)`` gives the new value; by default ``total``.
    params, mode, weights
        As for `advance`.

    Examples
    --------
    How many vertices hang below each one in a tree:

    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, unwind
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 3])
    >>> below = graph.full(0.0)
    >>> unwind(graph, np.array([0, 1, 1, 2], np.int32), lambda value: value + 1, below, reduce=ADD)
    >>> below.tolist()
    [3.0, 1.0, 0.0, 0.0]
    """
    check_graph(graph)
    named = check_params(graph, params)
    request = Unwinding(
        depths,
        message_function(message, named, MESSAGE_NAMES),
        values,
        reduce,
        own,
        function_by_position(finish, "finish", ("total", "own"), named),
        mode,
        weights,
    )
    check_used(named, request.message, request.finish)
    check_monoid(reduce, single=True)
    check_edges(graph, mode, weights)
    state_arrays(graph, depths, "depths")
    state_arrays(graph, values, "values", writable=True)
    if isinstance(values, tuple) or depths.dtype != np.int32:
        raise TypeError("unwind needs one array of values and depths of int32")
    if own is not None:
        state_arrays(graph, own, "own")
    heard = check_narrowing(
        graph, request.message, [values.dtype], value=values, own=own, weights=weights
    )
    run(graph, "unwind")(graph, request._replace(message=heard))
