"""The contract of `sweep`: one reduction for every vertex, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.base.checks import check_count
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import (
    check_edges,
    check_params,
    check_used,
    function_by_position,
    message_function,
    share_memory,
    state_arrays,
    state_tuple,
)
from edgewise.operators.engines import check_graph, run
from edgewise.operators.functions import MESSAGE_NAMES, finish_names
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.neighborhoods import check_shape
from edgewise.operators.requests import Sweep

__all__ = ["sweep"]


@on_every_rank
def sweep(
    graph: AnyGraph,
    message: Callable[..., Any],
    values: Any,
    finish: Callable[..., Any],
    state: Any,
    *,
    reduce: Monoid,
    out: Any,
    params: dict[str, Any] | None = None,
    mode: str = "in",
    weights: Any = "weight",
    sums: int = 1,
) -> Any:
    """Run one round of a fixed-point iteration over all vertices and return the sums of changes.

    For each vertex v, ``total`` reduces the messages as in `reduce_neighbors`. Then ``finish(v,
    total, *state)`` returns a tuple: the new ``out[v]``, and ``sums`` numbers to add up over all
    vertices, such as the amount of change. Floats are summed in float64. On a grid, each rank sums
    its part in float64 and sends it in the type of ``out``.

    Parameters
    ----------
    graph : Graph
    message : callable
        Names the arguments it needs among ``value, weight, source, edge, own``; own is
        ``values[v]``.
    values : array
        The array that ``value`` reads; not changed.
    finish : callable
    state : array, number, or tuple of them
        Further arguments of ``finish``.
    reduce : Monoid
    out : array
        The array for the new values; not ``values`` itself.
    params, mode, weights
        As for `advance`; by default messages come along "in" edges.
    sums : int
        The number of values to add up, from 1 to 64.

    Returns
    -------
    float, or tuple of floats if there are several
        The sums, the same for every number of threads.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, sweep
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> heat, cooler = np.array([4.0, 0.0, 0.0]), graph.full(0.0)
    >>> def mean(v, total, heat, degree):
    ...     new = total / degree[v]
    ...     return new, abs(new - heat[v])
    >>> state = (heat, graph.degrees())
    >>> sweep(graph, lambda value: value, heat, mean, state, reduce=ADD, out=cooler)
    6.0
    >>> cooler.tolist()
    [0.0, 2.0, 0.0]
    """
    check_graph(graph)
    sums = check_count(sums, "sums", least=1, most=64)
    named, arrays = check_params(graph, params), state_tuple(graph, state)
    wide = getattr(values, "ndim", 1) == 2
    names = (*MESSAGE_NAMES, "column") if wide else MESSAGE_NAMES
    check_monoid(reduce, single=True)
    check_edges(graph, mode, weights)
    if finish is None:
        raise TypeError("finish must be a function, got None")
    leading = finish_names("total", states=len(arrays))
    request = Sweep(
        message_function(message, named, names),
        values,
        function_by_position(finish, "finish", leading, named, ("column",) if wide else ()),  # type: ignore[arg-type]
        arrays,
        reduce,
        out,
        mode,
        weights,
        sums,
    )
    check_used(named, request.message, request.finish)
    state_arrays(graph, values, "values", columns=True)
    state_arrays(graph, out, "out", writable=True, columns=True)
    if isinstance(values, tuple) or isinstance(out, tuple) or share_memory(graph, values, out):
        raise ValueError("values and out must be two different arrays")
    check_shape(values, out, "out")
    heard = check_narrowing(
        graph, request.message, [out.dtype], value=values, own=values, weights=weights
    )
    return run(graph, "sweep")(graph, request._replace(message=heard))
