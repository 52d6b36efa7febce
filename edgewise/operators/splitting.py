"""The contract of `multisplit`: a frontier into several, by a function that names the bucket [1].

`filter` with ``split=True`` knows two piles; this knows up to 1,024: levels of priority, classes of
degree, turns. Members keep their order, so a split by digits is a sort.

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
    count: int,
    work: int | None = None,
) -> tuple[Frontier, ...]:
    """Split members into ``count`` frontiers, by ``bucket(member, *state)``, in one pass.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        None means all vertices.
    bucket : callable
        Gives a whole number below ``count``; a negative one leaves the member out.
    state : array or tuple of arrays
    count : int
        From 1 to 1024.
    work : int, optional
        As for `compute`.

    Returns
    -------
    tuple of Frontier
        One for each bucket; its members are in the order of ``frontier``.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import multisplit
    >>> star = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2])
    >>> def by_degree(v, degrees):
    ...     return 3 - degrees[v]
    >>> [part.ids.tolist() for part in multisplit(star, None, by_degree, star.degrees(), count=3)]
    [[0], [1, 2], [3]]
    """
    count = check_count(count, "count", 1, MOST)
    work = None if work is None else check_count(work, "work")
    operator = run(graph, "multisplit")
    if graph.engine == "local":
        check_members(graph, frontier)
    return operator(graph, Splitting(frontier, bucket, state_tuple(graph, state), count, work))


def check_buckets(highest: int, count: int) -> None:
    """ValueError if the highest number that ``bucket`` gave is none of a bucket."""
    if highest >= count:
        raise ValueError(f"bucket must give whole numbers below count ({count}), got {highest}")
