"""The contract of `for_rows`: every member's row reduced, then a function that does what it likes.

It is for algorithms in which a vertex looks through its own row, reads what it wants of others on
the way, and then acts once: proposes, chooses, writes. A row is walked by as many threads as its
length is worth, so that a hub is not the work of one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_dtype
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import (
    check_edges,
    check_params,
    check_used,
    function_by_position,
    message_function,
    state_arrays,
    state_tuple,
)
from edgewise.operators.choices import check_choosing, check_drawing, check_skipping, checked_ids
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier, check_members
from edgewise.operators.functions import MESSAGE_NAMES, finish_names
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.requests import Rows

__all__ = ["ROW_NAMES", "for_rows", "row_request"]

#: What a message may name here: also what has come of the row so far.
ROW_NAMES = (*MESSAGE_NAMES, "total")


@on_every_rank
def for_rows(
    graph: AnyGraph,
    frontier: Frontier | None,
    message: Callable[..., Any],
    finish: Callable[..., Any],
    state: Any,
    *,
    reduce: Monoid,
    values: Any = None,
    own: Any = None,
    key: Any = None,
    choose: str | Callable[..., Any] | None = None,
    by_key: dict[str, Any] | None = None,
    stay: Any = None,
    temperature: float | None = None,
    seed: int = 0,
    skip_empty: bool = False,
    params: dict[str, Any] | None = None,
    mode: str = "out",
    weights: Any = "weight",
    dtype: Any = None,
) -> None:
    """Reduce the messages along the row of each member v, then call ``finish(v, total, *state)``.

    With ``key`` and ``choose``, messages are reduced separately for each key among the neighbors.
    Then the best key is found, and ``finish(v, key, score, *state)`` is called.

    Members are processed in parallel, in any order. Elements that several calls of ``finish`` may
    write need `edgewise.atomic`. A message that reads such an element reads its current value.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    message : callable
        Names the arguments it needs among ``value, weight, source, edge, own``, ``total`` and
        params. ``source`` is the neighbor. A message that names ``total`` gets the partial
        reduction of the row so far, and returns it with its own edge combined. It can skip work
        that cannot change the total.
    finish : callable
        Called once per member. For an empty row, ``total`` is the identity. It changes elements of
        ``state``; its return value is ignored.
    state : array or number, or tuple of them
        Arrays of any length; ``finish`` may read and write any element.
    reduce : Monoid
        How messages combine; of single values or of tuples.
    values : array over vertices, or tuple of them, optional
        The array that ``value`` reads.
    own : array over vertices, or tuple of them, optional
        The array that ``own`` reads; by default ``values``, or v itself without values.
    key, choose, by_key, stay, temperature, seed, skip_empty : optional
        As for `reduce_neighbors`, where ``choose`` is "max", "min" or a score. ``finish`` gets the
        best (or drawn) key and its total or score; the key is -1 if there is no candidate.
        ``finish`` may write ``key`` and the arrays of ``by_key`` if they are also part of
        ``state``. Other members then read the current values, so results may differ between runs.
    params, mode, weights
        As for `advance`. Arrays in ``params`` may have any length. ``finish`` may write them if
        they are also part of ``state``.
    dtype : dtype or tuple of dtypes, optional
        The type of the total; by default that of ``values``, or of the identity.

    Notes
    -----
    On a grid, ``finish`` may index arrays over vertices only at v, as in `compute`. Messages may
    name the arguments that `reduce_neighbors` allows on a grid, but not ``total``. With ``key``,
    all members read the values from before the call.

    Examples
    --------
    Every vertex moves to its heaviest neighbor's side, if that is heavier than itself:

    >>> from edgewise import Graph
    >>> from edgewise.operators import ARGMAX, for_rows
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1, 1], [1, 2, 3])
    >>> size, leader = np.array([1.0, 3.0, 5.0, 4.0]), np.arange(4)
    >>> def follow(v, best, size, leader):
    ...     if best[0] > size[v]:
    ...         leader[v] = best[1]
    >>> for_rows(graph, None, lambda value, source: (value, source), follow, (size, leader),
    ...          reduce=ARGMAX, values=size, dtype=(np.float64, np.int64))
    >>> leader.tolist()
    [1, 2, 2, 3]
    """
    request = row_request(
        graph, frontier, message, finish, state, reduce=reduce, values=values, own=own, key=key,
        choose=choose, by_key=by_key, stay=stay, temperature=temperature, seed=seed,
        skip_empty=skip_empty, params=params, mode=mode, weights=weights, dtype=dtype,
    )  # fmt: skip
    run(graph, "for_rows")(graph, request)


def row_request(
    graph: AnyGraph, frontier: Any, message: Any, finish: Any, state: Any, *, reduce: Any,
    values: Any, own: Any, key: Any, choose: Any, by_key: Any, stay: Any, temperature: Any,
    seed: Any, skip_empty: Any, params: Any, mode: str, weights: Any, dtype: Any,
) -> Rows:  # fmt: skip
    """What `for_rows` is asked for, checked."""
    check_graph(graph)
    named, arrays = check_params(graph, params), state_tuple(graph, state)
    check_monoid(reduce)
    check_edges(graph, mode, weights)
    if finish is None:
        raise TypeError("finish must be a function, got None")
    if (key is None) != (choose is None):
        missing, there = ("key", "choose") if key is None else ("choose", "key")
        raise TypeError(f"{missing} is missing: {there} has no meaning without it")
    for name, given in (("by_key", by_key), ("stay", stay)):
        if key is None and given is not None:
            raise TypeError(f"{name} belongs to key: give a key with it")
    heard = message_function(message, named, ROW_NAMES if key is None else MESSAGE_NAMES)
    result = ("total",) if key is None else ("key", "score")
    leading = finish_names(*result, states=len(arrays))
    last: Any = function_by_position(finish, "finish", leading, named)
    choosing = check_choosing(graph, choose, by_key, stay, named, ("max", "min"))
    draw = check_drawing(temperature, seed, choose)
    score = choosing.choose if callable(choose) else None
    check_used(named, heard, last, score)
    if "value" in heard.names and values is None:
        raise TypeError("values is missing: message names value")
    if graph.engine == "local":
        check_members(graph, frontier)
    for name, given in (("values", values), ("own", own)):
        if given is not None:
            state_arrays(graph, given, name)
    dtypes = _types(reduce, values, dtype)
    reduce.identity_for(*dtypes)
    own = values if own is None else own
    if key is not None:
        if len(dtypes) > 1 or isinstance(values, tuple):
            raise TypeError("key needs one array of values and a monoid of single values")
        key = checked_ids(graph, key, "key")
        stay = None if stay is None else checked_ids(graph, stay, "stay")
        if own is None and "own" in (*heard.names, *(score.names if score else ())):
            own = graph.xp.arange(graph.num_vertices)
    heard = check_narrowing(graph, heard, dtypes, value=values, own=own, weights=weights)
    return Rows(
        frontier, heard, last, arrays, reduce, dtypes, values, own, mode, weights, key, *choosing,
        stay, draw, check_skipping(skip_empty, choose),
    )  # fmt: skip


def _types(reduce: Monoid, values: Any, dtype: Any) -> tuple[np.dtype, ...]:
    """The types of the total's numbers."""
    identity = reduce.identity if isinstance(reduce.identity, tuple) else (reduce.identity,)
    if dtype is not None:
        several = dtype if isinstance(dtype, tuple) else (dtype,) * len(identity)
        for one in several:
            check_dtype(one)
        return tuple(map(np.dtype, several))
    if isinstance(values, tuple):
        return tuple(np.dtype(one.dtype) for one in values)
    if values is not None:
        return (np.dtype(values.dtype),) * len(identity)
    if any(isinstance(one, str) for one in identity):
        raise TypeError(
            f"dtype is missing: without values it gives the type of {reduce.identity!r}, "
            "the identity of reduce"
        )
    return tuple(np.dtype(type(one)) for one in identity)
