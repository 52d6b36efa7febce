"""Contracts of the operators on members one by one: `compute`, `filter`, `reduce_all`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_count, check_dtype
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import VertexSet
from edgewise.operators.arguments import state_tuple
from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier, check_members
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.requests import Members, Reduction
from edgewise.operators.results import several

__all__ = ["compute", "filter", "reduce_all"]


@on_every_rank
def compute(
    graph: VertexSet,
    frontier: Frontier | None,
    function: Callable[..., Any],
    state: Any,
    *,
    work: int | None = None,
) -> None:
    """Call ``function(vertex, *state)`` once per member of a frontier, in parallel.

    On an edge frontier the call is ``function(source, target, edge, *state)``.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    function : callable
        A function that changes elements of ``state``. Its return value is ignored.
    state : array or tuple of arrays
        The arrays that ``function`` reads and writes.
    work : int, optional
        An estimate of the items (such as edges) that all calls touch together; by default one per
        member. If it is larger, even a few members are shared among CPU threads.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import compute
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> square = graph.full(0.0)
    >>> def fill(v, out):
    ...     out[v] = v * v
    >>> compute(graph, None, fill, square)
    >>> square.tolist()
    [0.0, 1.0, 4.0]
    """
    operator = run(graph, "compute")
    operator(graph, _members(graph, frontier, function, state, work))


@on_every_rank
def filter(
    graph: VertexSet,
    frontier: Frontier | None,
    predicate: Callable[..., Any],
    state: Any = (),
    *,
    work: int | None = None,
) -> Frontier:
    """Return the members of a frontier for which ``predicate(member, *state)`` is true.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    predicate : callable
        A function that returns a boolean.
    state : array or tuple of arrays
        The arrays that ``predicate`` reads.
    work : int, optional
        As for `compute`.

    Returns
    -------
    Frontier
        The members kept, in the order of ``frontier``. `multisplit` also returns the others.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import filter
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> rank = np.array([0.1, 0.7, 0.2])
    >>> filter(graph, None, lambda v, rank: rank[v] > 0.15, rank).ids.tolist()
    [1, 2]
    """
    operator = run(graph, "filter")
    return operator(graph, _members(graph, frontier, predicate, state, work))


@on_every_rank
def reduce_all(
    graph: VertexSet,
    values: Any,
    *,
    reduce: Monoid,
    frontier: Frontier | None = None,
    function: Callable[..., Any] | None = None,
    dtype: Any = None,
) -> Any:
    """Return the reduction of an array over vertices or edges to a single value.

    Parameters
    ----------
    graph : Graph
    values : array, or tuple of arrays with a ``function`` or with a monoid over as many values
        The values to reduce.
    reduce : Monoid
        How values combine.
    frontier : Frontier, optional
        Reduce only the values of these members.
    function : callable, optional
        ``function(member, *values)`` computes the value to reduce for each member: a number, or a
        tuple for a monoid over tuples.
    dtype : optional
        The type in which values are combined. By default it is float64 for floats and for results
        of ``function``, and int64 (or uint64) for integers. A monoid over tuples takes one type for
        all, or a tuple of types.

    Returns
    -------
    number, or tuple of numbers with a monoid over tuples
        The same value for every number of threads; the identity if there are no values.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import MAX, reduce_all
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> reduce_all(graph, np.array([0.5, 2.0, 1.0]), reduce=MAX)
    2.0

    The greatest value and where it is:

    >>> from edgewise.operators import ARGMAX
    >>> reduce_all(graph, (np.array([0.5, 2.0, 1.0]), np.arange(3)), reduce=ARGMAX)
    (2.0, 1)
    """
    check_monoid(reduce)
    for one in several(dtype):
        check_dtype(one)
    operator = run(graph, "reduce_all")
    if graph.engine == "local":
        check_members(graph, frontier)
    arrays = state_tuple(graph, values, "values")
    if function is None:
        _check_plain(arrays, reduce, frontier)
    dtypes = _reduced_in(arrays, reduce, function, dtype)
    return operator(graph, Reduction(arrays, reduce, dtypes, frontier, function))


def _members(
    graph: VertexSet, frontier: Any, function: Any, state: Any, work: int | None
) -> Members:
    """The request of `compute` or `filter`, checked."""
    work = None if work is None else check_count(work, "work")
    if graph.engine == "local":
        check_members(graph, frontier)
    return Members(frontier, function, state_tuple(graph, state), work)


def _check_plain(values: tuple, reduce: Monoid, frontier: Any) -> None:
    """May the elements of ``values`` be reduced as they are?"""
    width = len(several(reduce.identity))
    if len(values) != width or any(getattr(one, "ndim", 0) != 1 for one in values):
        wanted = f"{width} arrays, as many as reduce combines," if width > 1 else "one array,"
        raise TypeError(f"values must be {wanted} or come with a function of them")
    lengths = {len(one) for one in values}
    if len(lengths) > 1:
        raise ValueError(f"values must be arrays of one length, got {sorted(lengths)}")
    kind = getattr(frontier, "kind", None)  # an engine says what is no frontier
    if kind is not None and lengths != {frontier.size}:
        raise ValueError(
            f"values must have one entry per member of 0..{frontier.size - 1} to take a frontier "
            f"of {kind}, got {lengths.pop()}"
        )


def _reduced_in(values: tuple, reduce: Monoid, function: Any, dtype: Any) -> tuple[np.dtype, ...]:
    """The types to reduce in."""
    width = len(several(reduce.identity))
    if isinstance(dtype, tuple) and len(dtype) != width:
        raise ValueError(f"dtype must be one, or as many as reduce combines ({width}), "
                         f"got {len(dtype)}")  # fmt: skip
    if dtype is not None:
        return tuple(map(np.dtype, dtype if isinstance(dtype, tuple) else (dtype,) * width))
    if function is not None:
        return (np.dtype(np.float64),) * width
    types = [_WIDE.get(one.dtype.kind) for one in values]
    for array, wide in zip(values, types, strict=True):
        if wide is None:
            raise TypeError(f"values must be numbers, got dtype {array.dtype}")
    if np.bool_ in types:  # where two ones make two, booleans are counted
        ones = (1,) * width if isinstance(reduce.identity, tuple) else 1
        both = several(reduce.combine(ones, ones))
        types = [np.int64 if both[i] == 2 and t is np.bool_ else t for i, t in enumerate(types)]
    return tuple(map(np.dtype, types))


_WIDE = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_}
