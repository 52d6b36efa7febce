"""Contracts of the operators that follow pointers, not edges: `look_up` and `deliver`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import state_arrays
from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier, check_vertex_members
from edgewise.operators.indirection import check_as_many, check_ids
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.requests import Delivery, LookUp
from edgewise.operators.results import several

__all__ = ["deliver", "look_up"]


@on_every_rank
def look_up(
    graph: AnyGraph, values: Any, at: Any, *, frontier: Frontier | None = None, out: Any = None
) -> Any:
    """Return the array of ``values[at[v]]`` for each vertex v, or for the members of a frontier.

    Parameters
    ----------
    graph : Graph
    values : array over vertices, or tuple of two to four
        The values to read.
    at : array of int over vertices
        The vertex that each vertex points to.
    frontier : Frontier, optional
        Read only for these vertices. The pointers of other vertices are not read.
    out : array, or tuple of arrays, optional
        The array for the result, of the type of ``values``. It may be ``at`` but not ``values``.
        Only elements of members are written, so the cost depends on the number of members.

    Returns
    -------
    array over vertices, or tuple of them
        ``out``, or new arrays that are 0 outside the frontier.

    Raises
    ------
    ValueError
        If ``at`` holds anything but vertex ids; ``out`` is then unchanged.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import look_up
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> parent = np.array([0, 0, 1])
    >>> look_up(graph, parent, parent).tolist()
    [0, 0, 0]
    """
    operator = run(graph, "look_up")
    check_vertex_members(graph, frontier)
    request = LookUp(
        state_arrays(graph, values, "values"),
        check_ids(state_arrays(graph, at, "at")),
        frontier,
        None if out is None else state_arrays(graph, out, "out", writable=True),
    )
    return operator(graph, request)


@on_every_rank
def deliver(
    graph: AnyGraph,
    values: Any,
    at: Any,
    messages: Any,
    *,
    reduce: Monoid,
    frontier: Frontier | None = None,
) -> Frontier:
    """Combine each vertex's message into the vertex it points to; return the changed vertices.

    For each v with ``at[v] >= 0``, ``values[at[v]]`` is combined with ``messages[v]``. Pointers and
    messages are read from before the call, even if they are ``values`` itself.

    Parameters
    ----------
    graph : Graph
    values : array over vertices, or tuple of two to four
        The state, changed in place.
    at : array of int over vertices
        The vertex that each vertex points to, or -1 to send nothing.
    messages : array over vertices, or tuple of as many as ``values``
        The messages, cast to the types of ``values``. Fractions need values of a float type.
    reduce : Monoid
        How messages combine; over tuples for tuples of arrays.
    frontier : Frontier, optional
        Only these vertices send. The pointers of other vertices are not read.

    Returns
    -------
    Frontier
        The vertices whose value changed, in ascending order.

    Raises
    ------
    ValueError
        If ``at`` holds anything but vertex ids and -1; ``values`` is then unchanged.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, deliver
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> children = graph.full(0)
    >>> changed = deliver(graph, children, np.array([-1, 0, 0]), graph.full(1), reduce=ADD)
    >>> children.tolist(), changed.ids.tolist()
    ([2, 0, 0], [0])
    """
    operator = run(graph, "deliver")
    check_monoid(reduce)
    check_vertex_members(graph, frontier)
    request = Delivery(
        state_arrays(graph, values, "values", writable=True),
        check_ids(state_arrays(graph, at, "at")),
        state_arrays(graph, messages, "messages"),
        reduce,
        frontier,
    )
    check_as_many("messages", messages, values)
    for kept, sent in zip(several(values), several(messages), strict=True):
        if sent.dtype.kind == "f" != kept.dtype.kind:
            raise TypeError(f"messages of {sent.dtype} do not fit values of {kept.dtype}")
        _check_range(graph, frontier, sent, kept.dtype)
    return operator(graph, request)


def _check_range(graph: AnyGraph, frontier: Frontier | None, sent: Any, kind: Any) -> None:
    """OverflowError if members send numbers that the values' type cannot hold."""
    narrow = kind.kind in "iu" and sent.dtype.kind in "iu" and not np.can_cast(sent.dtype, kind)
    if narrow and frontier is not None and graph.engine == "local":
        sent = sent[frontier.ids]
    if not narrow or len(sent) == 0:
        return
    limits, low, high = np.iinfo(kind), int(sent.min()), int(sent.max())
    if low < limits.min or high > limits.max:
        raise OverflowError(f"messages from {low} to {high} do not fit values of {kind}")
