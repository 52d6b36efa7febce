"""Contracts of the operators on members one by one: `compute`, `filter`, `reduce_all`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.base.checks import check_dtype, check_flag
from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier
from edgewise.operators.monoids import Monoid

__all__ = ["compute", "filter", "reduce_all"]


def compute(
    graph: Any, frontier: Frontier | None, function: Callable[..., Any], state: Any
) -> None:
    """Call ``function(vertex, *state)`` once for every member; on an edge frontier
    ``function(source, target, edge, *state)``.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        None means all vertices.
    function : callable
        Changes elements of ``state``; what it returns is dropped.
    state : array or tuple of arrays

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
    run(graph, "compute")(graph, frontier, function, state)


def filter(
    graph: Any,
    frontier: Frontier | None,
    predicate: Callable[..., Any],
    state: Any = (),
    *,
    split: bool = False,
) -> Any:
    """Keep the members for which ``predicate(member, *state)`` is true, each once.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        None means all vertices.
    predicate : callable
    state : array or tuple of arrays
    split : bool
        Give both piles: the members kept, and the others (near and far).

    Returns
    -------
    Frontier, or with ``split`` a pair of them.

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
    split = check_flag(split, "split")
    near, far = run(graph, "filter")(graph, frontier, predicate, state, split)
    return (near, far) if split else near


def reduce_all(
    graph: Any,
    values: Any,
    *,
    reduce: Monoid,
    frontier: Frontier | None = None,
    function: Callable[..., Any] | None = None,
    dtype: Any = None,
) -> Any:
    """Reduce a state array to one number, the same one for every number of threads.

    Parameters
    ----------
    graph : Graph
    values : array, or tuple of arrays with a ``function``
    reduce : Monoid
    frontier : Frontier, optional
        Only these members.
    function : callable, optional
        ``function(member, *values)`` gives what is reduced, instead of the elements of ``values``.
    dtype : optional
        The type to reduce in: by default float64 for floats and for what a ``function`` gives,
        int64 (or uint64) for integers.

    Returns
    -------
    number
        The identity for an empty array.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import MAX, reduce_all
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> reduce_all(graph, np.array([0.5, 2.0, 1.0]), reduce=MAX)
    2.0
    """
    check_dtype(dtype)
    return run(graph, "reduce_all")(graph, values, reduce, frontier, function, dtype)
