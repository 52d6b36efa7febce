"""The contract of `multisplit`: a frontier into several, by a function that names the bucket [1].

`filter` keeps some members; this splits all of them into up to 1,024 frontiers: kept and others,
levels of priority, classes of degree, turns. Members keep their order, so a split by digits is a
sort.

[1] S. Ashkiani, A. Davidson, U. Meyer, J. Owens. GPU multisplit. PPoPP 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edgewise.base.checks import check_count
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import state_tuple
from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier, check_members
from edgewise.operators.requests import Splitting

__all__ = ["MOST", "check_buckets", "multisplit"]

#: The most buckets of one call.
MOST = 1024


@on_every_rank
def multisplit(
    graph: AnyGraph,
    frontier: Frontier | None,
    bucket: Callable[..., Any],
    state: Any = (),
    *,
    num_buckets: int,
    work: int | None = None,
) -> tuple[Frontier, ...]:
    """Return ``num_buckets`` frontiers: the members of each bucket ``bucket(member, *state)``.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    bucket : callable
        Returns an integer below ``num_buckets``. A member with a negative bucket is left out. For a
        predicate, False is bucket 0 and True is bucket 1.
    state : array or tuple of arrays
        The arrays that ``bucket`` reads.
    num_buckets : int
        The number of buckets, from 1 to 1024.
    work : int, optional
        As for `compute`.

    Returns
    -------
    tuple of Frontier
        One frontier per bucket, with its members in the order of ``frontier``.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import multisplit
    >>> star = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2])
    >>> def by_degree(v, degrees):
    ...     return 3 - degrees[v]
    >>> parts = multisplit(star, None, by_degree, star.degrees(), num_buckets=3)
    >>> [part.ids.tolist() for part in parts]
    [[0], [1, 2], [3]]
    >>> def has_two(v, degrees):
    ...     return degrees[v] > 1
    >>> others, kept = multisplit(star, None, has_two, star.degrees(), num_buckets=2)
    >>> kept.ids.tolist()
    [0, 1, 2]
    """
    num_buckets = check_count(num_buckets, "num_buckets", 1, MOST)
    work = None if work is None else check_count(work, "work")
    operator = run(graph, "multisplit")
    if graph.engine == "local":
        check_members(graph, frontier)
    return operator(
        graph, Splitting(frontier, bucket, state_tuple(graph, state), num_buckets, work)
    )


def check_buckets(highest: int, count: int) -> None:
    """ValueError if the highest number that ``bucket`` gave is none of a bucket."""
    if highest >= count:
        raise ValueError(f"bucket must return integers below num_buckets ({count}), got {highest}")
