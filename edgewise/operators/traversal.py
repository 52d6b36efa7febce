"""Contracts of the operators that move a frontier: `advance` and `propagate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import slice_bounds
from edgewise.operators.arguments import (
    DIRECTIONS,
    check_edges,
    check_params,
    check_used,
    function_by_position,
    message_function,
    share_memory,
    shown,
    state_arrays,
    state_tuple,
)
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import TRAVERSAL_NAMES, check_takes, check_visit
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.requests import Traversal, Visit
from edgewise.operators.results import several

__all__ = ["advance", "propagate"]

#: More rounds than any loop has.
_FOREVER = 1 << 62


@on_every_rank
def advance(
    graph: AnyGraph,
    frontier: Frontier | None,
    function: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid | None = None,
    source_values: Any = None,
    where: Callable[..., Any] | None = None,
    params: dict[str, Any] | None = None,
    mode: str = "out",
    weights: Any = "weight",
    depths: Any = None,
    direction: str = "auto",
    neighbors: slice | None = None,
    output: str | None = "vertices",
) -> Frontier:
    """Visit the edges of the frontier once and return the next frontier.

    Message form (with ``reduce``): ``function`` gives the message along each edge u -> v with u in
    the frontier. ``values[v]`` becomes the combination of ``values[v]`` and all messages to v. The
    vertices whose value changed form the next frontier. Messages read the values from before the
    call.

    Edge form (without ``reduce``): ``function(source, target, edge, *values)`` is called once per
    edge. The targets (or edges, see ``output``) for which it returned true form the next frontier.

    An edge frontier stands for the edges that leave the targets of its members.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The vertices that send messages; None means all vertices.
    function : callable
        The message, or the function called per edge. A message names the arguments it needs. They
        are ``value`` (of the source), ``own`` (of the target, from before the call), ``weight``,
        ``source``, ``target``, ``edge``, ``column`` and the names in ``params``.
    values : array, or tuple of arrays
        State over vertices, changed in place; in the edge form, any arrays. An n x k array holds k
        columns, 1 to 64. Functions and ``reduce`` act on each column separately. A vertex has
        changed if any of its columns has.
    reduce : Monoid, optional
        How messages combine: ``MIN MAX ADD ANY OR AND ARGMIN ARGMAX`` or your own.
    source_values : array, or tuple of arrays, optional
        The array that ``value`` reads; by default ``values``.
    where : callable, optional
        ``where(values[v])`` is true for targets v that still accept messages. Message form only.
    params : dict of numbers and arrays, optional
        Further read-only arguments of the functions. New values need no new compilation. Message
        form only.
    mode : {"out", "in", "both"}
        Which edges to visit; "in" traverses each edge backwards.
    weights : str, array over arcs, or None
        The graph's weights by default (unit weights if it has none); None means unit weights.
        Message form only.
    depths : array of int32, optional
        ``depths[v]`` is set to the round in which v changed (1 here).
    direction : {"auto", "push", "pull"}
        How the operator runs; the result is the same. Message form only.
    neighbors : slice, optional
        Visit only this slice of each neighbor list, such as ``slice(0, 1)``. Edge form only.
    output : {"vertices", "edges", None}
        What the next frontier holds. "edges" and None are for the edge form only.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, advance
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], directed=True)
    >>> mass = np.array([1.0, 1.0, 0.0])
    >>> advance(graph, None, lambda value: value / 2, mass, reduce=ADD).ids.tolist()
    [1, 2]
    >>> mass.tolist()
    [1.0, 1.5, 1.0]
    """
    if reduce is None:
        for name, given, default in (
            ("source_values", source_values, None),
            ("where", where, None),
            ("params", params, None),
            ("weights", weights, "weight"),
            ("depths", depths, None),
            ("direction", direction, "auto"),
        ):
            if given is not default and not (isinstance(given, str) and given == default):
                raise TypeError(f"{name} belongs to the message form; give a reduce with it")
        return _visit(graph, frontier, function, values, mode, neighbors, output)
    if neighbors is not None:
        raise TypeError("neighbors belongs to the edge form; leave reduce out with it")
    if output != "vertices":
        raise TypeError(f"output {output!r} belongs to the edge form; leave reduce out with it")
    check_graph(graph)
    named = check_params(graph, params)
    request = Traversal(
        frontier,
        message_function(function, named, _names(values)),
        values,
        reduce,
        source_values,
        function_by_position(where, "where", ("value",), named),
        mode=mode,
        weights=weights,
        depths=depths,
        direction=direction,
        max_iter=1,
    )
    check_used(named, request.message, request.where)
    return run(graph, "propagate")(graph, _as_before(graph, _checked(graph, request)))


@on_every_rank
def propagate(
    graph: AnyGraph,
    frontier: Frontier | None,
    message: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid,
    where: Callable[..., Any] | None = None,
    wake: Callable[..., Any] | None = None,
    params: dict[str, Any] | None = None,
    levels: Any = None,
    mode: str = "out",
    weights: Any = "weight",
    depths: Any = None,
    direction: str = "auto",
    priority: float | None = None,
    schedule: str = "bucketed",
    max_iter: int | None = None,
) -> Frontier:
    """Repeat `advance` until the frontier is empty or ``max_iter`` is reached; return the last one.

    The whole loop runs inside the engine. With an idempotent monoid, a message may read a value
    that changed in the same round. The fixed point is the same, but the state after ``max_iter``
    rounds depends on direction and threads.

    Parameters
    ----------
    graph, frontier, message, values, reduce, where, params, mode, weights, direction
        As for `advance`.
    wake : callable, optional
        ``wake(values[v])`` is true for changed vertices that enter the next frontier. Other changed
        vertices keep their new value and may enter later. With several columns, one true column is
        enough.
    levels : array of numbers, optional
        Peel the graph by levels. When the frontier is empty, the level rises to the smallest value
        among the members that have not sent. Members at or below the level send once. A vertex
        whose value falls to the level sends in the next round. A vertex that has sent accepts no
        more messages. ``levels[v]`` becomes the level at which v sent. Messages may name ``level``
        and must not raise a value; ``own`` may already be lowered in the same round.
    depths : array of int32, optional
        ``depths[v]`` is set to the last round in which v changed; the first round is 1.
    priority : number, optional
        Process better values first, in buckets of this width (delta-stepping). ``reduce`` must be
        MIN or MAX, and ``depths`` is not available. The result is the same, and usually faster.
    schedule : {"bucketed", "near_far"}
        With ``priority``: many buckets, or one near and one far pile.
    max_iter : int, optional
        The maximum number of rounds.

    Returns
    -------
    Frontier
        The last frontier: empty, unless ``max_iter`` ended the loop.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, MIN, frontier, propagate
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.0])
    >>> distance = graph.full(np.inf)
    >>> distance[0] = 0
    >>> through = lambda value, weight: value + weight
    >>> propagate(graph, frontier(graph, 0), through, distance, reduce=MIN, priority=2.0)
    Frontier(0 of 3 vertices)
    >>> distance.tolist()
    [0.0, 1.0, 2.0]

    Only as far as two hops, by `wake`; from two vertices at once, in two columns; and the cores of
    a triangle with a tail, by peeling away whoever has the fewest neighbors left:

    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 4], [1, 2, 2, 3, 4, 5])
    >>> hops = np.full((6, 2), np.inf)
    >>> hops[0, 0] = hops[5, 1] = 0
    >>> step, near = lambda value: value + 1, lambda value, most: value < most
    >>> start = frontier(graph, [0, 5])
    >>> propagate(graph, start, step, hops, reduce=MIN, wake=near, params={"most": 2}).empty()
    True
    >>> hops.T.tolist()
    [[0.0, 1.0, 1.0, 2.0, inf, inf], [inf, inf, inf, 2.0, 1.0, 0.0]]
    >>> neighbors, core = graph.degrees(), graph.full(0)
    >>> propagate(graph, None, lambda: -1, neighbors, reduce=ADD, levels=core).empty()
    True
    >>> core.tolist()
    [2, 2, 2, 1, 1, 1]
    """
    if getattr(priority, "ndim", None) == 0:  # such as weights.mean() on a GPU
        priority = priority.item()  # type: ignore[union-attr]
    check_graph(graph)
    named = check_params(graph, params)
    level = () if levels is None else ("level",)
    request = Traversal(
        frontier,
        message_function(message, named, (*_names(values), *level)),
        values,
        reduce,
        None,
        function_by_position(where, "where", ("value",), named),
        function_by_position(wake, "wake", ("value",), named),
        levels,
        mode,
        weights,
        depths,
        direction,
        priority,
        schedule,
        max_iter,
    )
    check_used(named, request.message, request.where, request.wake)
    return run(graph, "propagate")(graph, _checked(graph, request))


def _as_before(graph: AnyGraph, request: Traversal) -> Traversal:
    """A request of one round whose messages read no value that the round itself has changed."""
    reduce, names, values = request.reduce, request.message.names, request.values
    if not reduce.idempotent or isinstance(values, tuple):
        return request
    apart = graph.engine == "local" or "target" not in names  # on a grid only senders know it
    if "own" in names and not reduce.early_exit and apart:
        return request._replace(reduce=reduce._replace(idempotent=False))
    if "value" not in names or request.sources is not None:
        return request
    senders, before = request.frontier, values
    if isinstance(senders, Frontier) and senders.kind == "vertices" and not senders.dense:
        before = graph.xp.empty_like(values)
        before[senders.ids] = values[senders.ids]
    return request._replace(sources=values.copy() if before is values else before)


def _visit(
    graph: AnyGraph, frontier: Any, function: Any, values: Any, mode: str, neighbors: Any,
    output: Any,
) -> Frontier:  # fmt: skip
    """The edge form of `advance`."""
    check_graph(graph)
    check_visit(function)
    check_edges(graph, mode)
    if output is not None:
        check_choice(output, "output", ("vertices", "edges"))
    state = state_tuple(graph, values, "values")
    check_takes(function, "function", 3 + len(state))
    request = Visit(frontier, function, state, mode, *slice_bounds(neighbors), output)
    return run(graph, "visit")(graph, request)


def _names(values: Any) -> tuple[str, ...]:
    """What messages may name over such state."""
    wide = getattr(values, "ndim", 1) == 2
    return (*TRAVERSAL_NAMES, "column") if wide else TRAVERSAL_NAMES


def _checked(graph: AnyGraph, request: Traversal) -> Traversal:
    """The request, if its parts go together."""
    reduce, values = request.reduce, request.values
    check_monoid(reduce)
    check_choice(request.direction, "direction", DIRECTIONS)
    check_edges(graph, request.mode, request.weights)
    check_choice(request.schedule, "schedule", ("bucketed", "near_far"))
    if request.priority is None and request.schedule != "bucketed":
        raise TypeError(
            f"schedule {request.schedule!r} belongs to priority: give a priority with it"
        )
    if request.max_iter is not None:
        most = min(check_count(request.max_iter, "max_iter"), _FOREVER)
        if most is not request.max_iter:
            request = request._replace(max_iter=most)
    state_arrays(graph, values, "values", writable=True, columns=True)
    reduce.identity_for(*[array.dtype for array in several(values)])  # is there one for each?
    if request.sources is not None:
        state_arrays(graph, request.sources, "source_values", columns=True)
        _check_columns(values, request.sources)
    if request.depths is not None:
        n = graph.num_vertices
        if getattr(request.depths, "dtype", None) != np.int32 or request.depths.shape != (n,):
            raise TypeError(
                f"depths must be an int32 array of {n} entries, got {shown(request.depths)}"
            )
        state_arrays(graph, request.depths, "depths", writable=True)
    if request.priority is not None:
        _check_priority(request)
    if request.levels is not None:
        _check_levels(graph, request)
    kinds = [array.dtype for array in several(values)]
    sent = values if request.sources is None else request.sources
    heard = check_narrowing(
        graph, request.message, kinds, value=sent, own=values, weights=request.weights
    )
    return request if heard is request.message else request._replace(message=heard)


def _check_columns(values: Any, sources: Any) -> None:
    """Where one of the two has columns, the other has as many."""
    wide = 2 in (getattr(values, "ndim", 1), getattr(sources, "ndim", 1))
    if wide and getattr(values, "shape", None) != getattr(sources, "shape", None):
        shapes = " and ".join(str(getattr(one, "shape", "a tuple")) for one in (sources, values))
        raise ValueError(f"source_values must have the shape of values, got {shapes}")


def _check_priority(request: Traversal) -> None:
    """What has no meaning where better values go first."""
    width = request.priority
    for name in ("levels", "wake", "depths", "max_iter"):
        if getattr(request, name) is not None:
            raise TypeError(f"{name} has no meaning with priority: there are no rounds")
    if request.direction == "pull":
        raise TypeError("direction 'pull' has no meaning with priority: it pushes")
    if request.reduce.order == 0 or getattr(request.values, "ndim", 0) != 1:
        raise ValueError("priority needs reduce=MIN or MAX over one array of values")
    if not isinstance(width, (int, float, np.number)) or not width > 0:
        raise ValueError(f"priority must be a positive number, got {width!r}")


def _check_levels(graph: AnyGraph, request: Traversal) -> None:
    """What has no meaning in peeling."""
    for name in ("depths", "where", "wake", "max_iter"):
        if getattr(request, name) is not None:
            raise TypeError(f"{name} has no meaning with levels: every vertex sends once")
    if request.direction == "pull":
        raise TypeError("direction 'pull' has no meaning with levels: it pushes")
    values = request.values
    if getattr(values, "ndim", 0) != 1 or np.dtype(values.dtype).kind not in "iuf":
        raise TypeError("levels needs one array of numbers as values, of one column")
    if np.dtype(getattr(request.levels, "dtype", object)).kind not in "iuf":
        raise TypeError(f"levels must be an array of numbers, got {shown(request.levels)}")
    state_arrays(graph, request.levels, "levels", writable=True)
    if share_memory(graph, values, request.levels):
        raise ValueError("levels must not be values itself: these are compared with the level")
