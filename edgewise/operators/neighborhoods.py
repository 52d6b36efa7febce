"""Contracts of the operators over neighborhoods: `reduce_neighbors`, `sweep`, `intersect`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.base.checks import check_count, check_dtype, check_flag
from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier
from edgewise.operators.monoids import Monoid

__all__ = ["intersect", "reduce_neighbors", "sweep"]


def reduce_neighbors(
    graph: Any,
    frontier: Frontier | None,
    message: Callable[..., Any],
    values: Any,
    *,
    reduce: Monoid,
    own: Any = None,
    key: Any = None,
    choose: str | None = None,
    edges: str = "in",
    weights: Any = None,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    """Reduce over the neighborhood of every member: one value per vertex.

    Member v receives ``message`` along every edge u -> v (``edges="out"``: along every edge v -> u
    walked backwards), where ``value`` is ``values[u]`` and ``own`` is ``own[v]``. Vertices outside
    the frontier, and members without neighbors, get the identity of ``reduce``.

    With ``key`` (an integer per vertex) the messages to v are reduced apart for each ``key[u]``.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    message : callable
        Names what it needs among ``value, weight, source, edge, own``; here source is u.
    values : array
        What ``value`` reads.
    reduce : Monoid
    own : array, optional
        What ``own`` reads, by default ``values``.
    key : array of int, optional
        Groups the neighbors.
    choose : {"max", "min"}, optional
        With ``key``: for each member, keep only the key of the greatest (least) total; among equal
        totals the least key.
    edges, weights
        As for `advance`.
    dtype : dtype, optional
        Of the result; that of ``values`` by default.
    out : array, optional
        Where the result goes; it must have the result's type.

    Returns
    -------
    array over vertices; with ``key`` a `Grouped` ``(indptr, keys, totals)`` in rows like a graph's,
    keys ascending; with ``key`` and ``choose`` a `Chosen` ``(key, total)`` over vertices, where a
    member without neighbors has key -1.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, reduce_neighbors
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> reduce_neighbors(graph, None, lambda value: value, np.arange(4.0), reduce=ADD).tolist()
    [6.0, 0.0, 0.0, 0.0]
    >>> one = lambda: 1
    >>> labels = np.array([7, 5, 5, 9])
    >>> chosen = reduce_neighbors(graph, None, one, labels, reduce=ADD, key=labels, choose="max")
    >>> chosen.key.tolist(), chosen.total.tolist()
    ([5, 7, 7, 7], [2, 1, 1, 1])
    """
    if key is not None and out is not None:
        raise TypeError("out has no meaning with key")
    if key is None and choose is not None:
        raise TypeError("choose belongs to key: give a key with it")
    for one in dtype if isinstance(dtype, tuple) else (dtype,):
        check_dtype(one)
    return run(graph, "reduce_neighbors")(
        graph, frontier, message, values, reduce, own, key, choose, edges, weights, dtype, out
    )


def sweep(
    graph: Any,
    message: Callable[..., Any],
    values: Any,
    finish: Callable[..., Any],
    state: Any,
    *,
    reduce: Monoid,
    out: Any,
    edges: str = "in",
    weights: Any = None,
    sums: int = 1,
) -> Any:
    """One round of a fixed-point iteration over all vertices; return how much changed.

    For every vertex v, ``total`` reduces the messages as in `reduce_neighbors`, and
    ``finish(v, total, *state)`` gives a tuple: what ``out[v]`` becomes, and ``sums`` numbers to add
    up over all vertices, such as the amount of change. Floats are totalled in float64, whatever the
    arrays are; on a grid each rank's part is, and travels in the type of ``out``.

    Parameters
    ----------
    graph : Graph
    message : callable
        Names what it needs among ``value, weight, source, edge``.
    values : array
        What ``value`` reads; not changed.
    finish : callable
    state : array, number, or tuple of them
        What ``finish`` reads beside the total.
    reduce : Monoid
    out : array
        Where the new values go; not ``values`` itself.
    edges, weights
        As for `advance`; messages come along "in"-edges by default.
    sums : int
        How many numbers ``finish`` gives after the value, at least one.

    Returns
    -------
    float, or tuple of floats if there are several
        The sums, the same ones for every number of threads.

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
    sums = check_count(sums, "sums", least=1)
    return run(graph, "sweep")(
        graph, message, values, finish, state, reduce, out, edges, weights, sums
    )


def intersect(
    graph: Any,
    pairs: Any = None,
    function: Callable[..., Any] | None = None,
    state: Any = (),
    *,
    each: bool = True,
    lists: bool = False,
    ordered: bool = False,
) -> Any:
    """Intersect the neighbor lists of pairs of vertices.

    Parameters
    ----------
    graph : Graph
    pairs : None, Frontier of edges, or pair of arrays
        Whose lists: the two ends of every edge (None), of the frontier's edges, or ``(us, vs)``.
    function : callable, optional
        ``function(u, v, common, *state)`` is called once for every common neighbor.
    state : array or tuple of arrays
        What ``function`` reads and changes, with `edgewise.atomic`.
    each : bool
        Give the count of every pair; without it only the total is kept.
    lists : bool
        Also give the common neighbors themselves.
    ordered : bool
        Of all edges, only those with u > v, and only common neighbors less than v: every triangle
        once.

    Returns
    -------
    Common
        ``total``; ``counts`` (an int64 per pair; pairs in the order given, edges in the order of
        their ids; None without ``each``); ``indptr`` and ``members``, the common neighbors in rows
        (None without ``lists``).

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import intersect
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> intersect(graph, ([0, 0], [1, 3])).counts.tolist()
    [1, 1]
    """
    each, lists = check_flag(each, "each"), check_flag(lists, "lists")
    ordered = check_flag(ordered, "ordered")
    return run(graph, "intersect")(graph, pairs, function, state, each, lists, ordered)
