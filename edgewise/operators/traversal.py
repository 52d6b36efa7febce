"""Contracts of the operators that move a frontier: `advance`, `propagate`, `unwind`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import check_visit
from edgewise.operators.monoids import Monoid

__all__ = ["advance", "propagate", "unwind"]


def advance(
    graph: Any,
    frontier: Frontier | None,
    function: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid | None = None,
    sources: Any = None,
    where: Callable[..., Any] | None = None,
    edges: str = "out",
    weights: Any = None,
    depths: Any = None,
    direction: str = "auto",
    neighbors: slice | None = None,
    output: str | None = "vertices",
) -> Frontier:
    """Visit the edges of the frontier once; return the next frontier.

    Message form (with ``reduce``): over every edge u -> v with u in the frontier and v listening,
    ``function`` is the message sent. ``values[v]`` becomes the combination of ``values[v]`` and all
    messages that reach v; the vertices whose value changed are the next frontier, each once. Source
    values are those from before the call; only idempotent monoids may read newer ones.

    Edge form (without ``reduce``): calls ``function(source, target, edge, *values)`` once for every
    edge; the targets (or edges, see ``output``) for which it returned true are the next frontier.

    An edge frontier stands for the edges that leave its members' targets.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        Who sends; None means all vertices.
    function : callable
        The message, or the visit.
    values : array, or tuple of arrays
        State over vertices; changed in place. For the edge form, any arrays.
    reduce : Monoid, optional
        How messages combine: ``MIN MAX ADD ANY ARGMIN ARGMAX`` or your own.
    sources : array, or tuple of arrays, optional
        What ``value`` reads, if not ``values``.
    where : callable, optional
        ``where(values[v])`` says which targets still listen. Message form only.
    edges : {"out", "in", "both"}
        Along which edges; "in" walks every edge backwards.
    weights : None, "unit" or array
        The graph's own, all one, or an array over edges. Message form only.
    depths : array of int32, optional
        ``depths[v]`` is set to the number of the round in which v changed (1 here).
    direction : {"auto", "push", "pull"}
        How to run; the result is the same. Message form only.
    neighbors : slice, optional
        Visit only this slice of every neighbor list, such as ``slice(0, 1)``. Edge form only.
    output : {"vertices", "edges", None}
        What the next frontier holds (edges and None: edge form only).

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
            ("sources", sources, None),
            ("where", where, None),
            ("weights", weights, None),
            ("depths", depths, None),
            ("direction", direction, "auto"),
        ):
            if given is not default and not (isinstance(given, str) and given == default):
                raise TypeError(f"{name} belongs to the message form; give a reduce with it")
        check_visit(function)
        return run(graph, "visit")(graph, frontier, function, values, edges, neighbors, output)
    if neighbors is not None:
        raise TypeError("neighbors belongs to the edge form; leave reduce out with it")
    if output != "vertices":
        raise TypeError(f"output {output!r} belongs to the edge form; leave reduce out with it")
    return run(graph, "propagate")(
        graph, frontier, function, values, reduce, sources, where, edges, weights, depths,
        direction, None, "bucketed", 1,
    )  # fmt: skip


def propagate(
    graph: Any,
    frontier: Frontier | None,
    message: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid,
    where: Callable[..., Any] | None = None,
    edges: str = "out",
    weights: Any = None,
    depths: Any = None,
    direction: str = "auto",
    priority: float | None = None,
    schedule: str = "bucketed",
    max_rounds: int | None = None,
) -> Frontier:
    """Repeat `advance` until the frontier is empty or ``max_rounds``, wholly inside the engine.

    Parameters
    ----------
    graph, frontier, message, values, reduce, where, edges, weights, direction
        As for `advance`.
    depths : array of int32, optional
        ``depths[v]`` is set to the number of the last round in which v changed; the first is 1.
    priority : number, optional
        Better values first, in steps of this width (delta-stepping); ``reduce`` must be MIN or MAX.
        The result is the same, only sooner. Rounds have no meaning then: no ``depths``.
    schedule : {"bucketed", "near_far"}
        With ``priority``: many buckets, or two piles.
    max_rounds : int, optional
        Stop after so many rounds; what is left is returned.

    Returns
    -------
    Frontier
        The last one: empty, unless ``max_rounds`` ended the loop.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import MIN, frontier, propagate
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.0])
    >>> distance = graph.full(np.inf)
    >>> distance[0] = 0
    >>> through = lambda value, weight: value + weight
    >>> propagate(graph, frontier(graph, 0), through, distance, reduce=MIN, priority=2.0)
    Frontier(0 of 3 vertices)
    >>> distance.tolist()
    [0.0, 1.0, 2.0]
    """
    if getattr(priority, "ndim", None) == 0:  # such as weights.mean() on a GPU
        priority = priority.item()  # type: ignore[union-attr]
    return run(graph, "propagate")(
        graph, frontier, message, values, reduce, None, where, edges, weights, depths,
        direction, priority, schedule, max_rounds,
    )  # fmt: skip


def unwind(
    graph: Any,
    depths: Any,
    message: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid,
    own: Any = None,
    finish: Callable[..., Any] | None = None,
    edges: str = "out",
    weights: Any = None,
) -> None:
    """Go back over the levels that `propagate` went forward, the deepest first.

    Every vertex v of a level gets ``values[v] = finish(total, own[v])``, where ``total`` reduces
    the messages along the edges that lead from v one level deeper, to vertices u with
    ``depths[u] == depths[v] + 1``; there ``value`` is ``values[u]``, finished already.

    Parameters
    ----------
    graph : Graph
    depths : array of int32
        As `propagate` gives it, with 0 for the start; negative or ``2**31 - 1`` means no level.
    message : callable
        Names what it needs among ``value, weight, source, edge, own``; source is u.
    values : array
        Changed in place.
    reduce : Monoid
    own : array, optional
        What ``own`` reads, by default ``values`` as they were.
    finish : callable, optional
        ``finish(total, own)`` gives the value; ``total`` itself by default.
    edges, weights
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
    run(graph, "unwind")(graph, depths, message, values, reduce, own, finish, edges, weights)
