"""Temporal paths: walks along edges at times that do not decrease [1].

arrival[v] is the earliest time at which a walk that starts at the source can be at v. An arc passes
on the first of its times that is not before the arrival at its source. Earlier arrivals never make
a later one, so `propagate` with the minimum finds the fixed point, on every engine.

[1] H. Wu, J. Cheng, S. Huang, Y. Ke, Y. Lu, Y. Xu. Path problems in temporal graphs. PVLDB 7, 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_number, check_one_device, check_vertex
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.time_windows import as_time, edge_times
from edgewise.operators import MIN, frontier, propagate
from edgewise.operators.helpers import lower_bound

__all__ = ["earliest_arrival", "temporally_reachable"]


@takes_graph
def earliest_arrival(
    graph: LocalGraphLike,
    source: int | str,
    *,
    time: str = "time",
    start: float | None = None,
    duration: float = 0.0,
) -> Any:
    """Return the earliest time at which a temporal path from a source can reach each vertex.

    A temporal path uses edges at times that do not decrease. If edges take time, the next one
    begins when the one before has ended, or later.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges. An undirected edge works both ways.
    source : int or str
        The vertex to start from, by id or label.
    time : str
        The column of edges with their times: one number per edge, or a list of numbers, as
        ``Graph.from_edges(..., duplicates={"time": "list"})`` collects them.
    start : float, optional
        When paths may begin; before all times by default.
    duration : float
        How long every edge takes, at least 0.

    Returns
    -------
    array of float64 over vertices
        inf for vertices that no temporal path reaches. The source has ``start``, by default -inf.

    Notes
    -----
    O(m log c) time per round of `propagate`, where c is the largest number of times of an edge.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": [5, 8, 6]})
    >>> earliest_arrival(graph, 0, start=0).tolist()
    [0.0, 5.0, 8.0, inf]
    >>> earliest_arrival(graph, 0, start=0, duration=4).tolist()
    [0.0, 9.0, inf, inf]
    """
    check_one_device(graph, "earliest_arrival")
    source = check_vertex(graph, source)
    begin = -np.inf if start is None else float(as_time(start, "start"))
    duration = check_number(duration, "duration")
    times, xp = edge_times(graph, time), graph.xp
    if times.unit is not None:
        raise TypeError(f"earliest_arrival needs times that are numbers, got dates in {time!r}")
    bounds = xp.asarray(offsets(np.bincount(times.edges, minlength=graph.num_edges)))
    arrival = graph.full(np.inf)
    arrival[source] = begin
    params = {"edges": graph.arc_to_edge, "bounds": bounds, "duration": duration,
              "times": xp.asarray(times.values.astype(np.float64))}  # fmt: skip
    propagate(graph, frontier(graph, source), _next, arrival, reduce=MIN, params=params)
    return arrival


def temporally_reachable(
    graph: LocalGraphLike,
    source: int | str,
    *,
    time: str = "time",
    start: float | None = None,
    end: float | None = None,
    duration: float = 0.0,
) -> Any:
    """Return a boolean mask of the vertices that a temporal path from a source reaches.

    Parameters
    ----------
    graph, source, time, start, duration
        As in `earliest_arrival`.
    end : float, optional
        When paths must have ended; no limit by default.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": [5, 8, 6]})
    >>> temporally_reachable(graph, 0).tolist()
    [True, True, True, False]
    """
    arrival = earliest_arrival(graph, source, time=time, start=start, duration=duration)
    if end is None:
        return arrival < np.inf
    return arrival <= as_time(end, "end")


def _next(value, edge, edges, bounds, times, duration):
    last = bounds[edges[edge] + 1]
    at = lower_bound(times, bounds[edges[edge]], last, value)
    return times[at] + duration if at < last else np.inf
