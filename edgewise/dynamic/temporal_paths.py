"""Temporal paths: walks along edges at times that do not decrease [1].

arrival[v] is the earliest time at which a walk that starts at the source can be at v. An arc passes
on the first of its times that is not before the arrival at its source. Earlier arrivals never make
a later one, so `propagate` with the minimum finds the fixed point, on every engine. Dates are
counted in whole units, the finest of all that are given.

[1] H. Wu, J. Cheng, S. Huang, Y. Ke, Y. Lu, Y. Xu. Path problems in temporal graphs. PVLDB 7, 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_number, check_one_device, check_vertex
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.time_windows import as_date, as_span, as_time, edge_times
from edgewise.graph.transfer import host
from edgewise.operators import MIN, frontier, propagate
from edgewise.operators.helpers import lower_bound

__all__ = ["earliest_arrival", "temporally_reachable"]

#: Before all dates, and after them: for vertices that are not reached.
_FIRST, _NEVER = -(2**63) + 1, 2**63 - 1


@takes_graph
def earliest_arrival(
    graph: LocalGraphLike,
    source: int | str,
    *,
    time: str = "time",
    start: Any = None,
    duration: Any = 0.0,
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
        The column of edges with their times: one number or date per edge, or a list of them, as
        ``Graph.from_edges(..., duplicates={"time": "list"})`` collects them.
    start : number or date, optional
        When paths may begin; before all times by default.
    duration : number, or datetime.timedelta for dates
        How long every edge takes, at least 0.

    Returns
    -------
    array of float64 or datetime64 over vertices
        inf for vertices that no temporal path reaches. The source has ``start``, by default -inf.
        Of dates, NaT for vertices that are not reached; the source has ``start``, by default the
        earliest of all times. Dates are in host memory.

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

    Dates, as NumPy, pandas and the standard library have them:

    >>> days = np.array(["2024-05-03", "2024-05-07"], "datetime64[D]")
    >>> graph = Graph.from_edges([0, 1], [1, 2], edge_columns={"time": days})
    >>> earliest_arrival(graph, 0, start="2024-05-01").astype(str).tolist()
    ['2024-05-01', '2024-05-03', '2024-05-07']
    """
    check_one_device(graph, "earliest_arrival")
    source = check_vertex(graph, source)
    arrival, unit = _arrivals(graph, source, time, start, duration)
    if unit is None:
        return arrival
    found = host(arrival).astype(unit)
    if start is None:
        values = edge_times(graph, time).values
        found[source] = values.min().astype(edge_times(graph, time).unit) if len(values) else "NaT"
    found[host(arrival) == _NEVER] = "NaT"
    return found


def temporally_reachable(
    graph: LocalGraphLike,
    source: int | str,
    *,
    time: str = "time",
    start: Any = None,
    end: Any = None,
    duration: Any = 0.0,
) -> Any:
    """Return a boolean mask of the vertices that a temporal path from a source reaches.

    Parameters
    ----------
    graph, source, time, start, duration
        As in `earliest_arrival`.
    end : number or date, optional
        When paths must have ended; no limit by default.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": [5, 8, 6]})
    >>> temporally_reachable(graph, 0).tolist()
    [True, True, True, False]
    """
    check_one_device(graph, "temporally_reachable")
    source = check_vertex(graph, source)
    arrival, unit = _arrivals(graph, source, time, start, duration, end)
    if end is None:
        return arrival < (np.inf if unit is None else _NEVER)
    return arrival <= (as_time(end, "end") if unit is None else _counted(as_date(end, "end"), unit))


def _arrivals(
    graph: Graph, source: int, time: str, start: Any, duration: Any, end: Any = None
) -> tuple[Any, Any]:
    """The earliest arrivals as float64; of dates as int64 in units that are returned, too."""
    times, xp = edge_times(graph, time), graph.xp
    bounds = xp.asarray(offsets(np.bincount(times.edges, minlength=graph.num_edges)))
    params = {"edges": graph.arc_to_edge, "bounds": bounds}
    if times.unit is None:
        unit, function = None, _next
        arrival = graph.full(np.inf)
        arrival[source] = -np.inf if start is None else float(as_time(start, "start"))
        values = times.values.astype(np.float64)
        params["duration"] = check_number(duration, "duration")
    else:
        function = _next_date
        dates = [as_date(one, name) for one, name in ((start, "start"), (end, "end"))
                 if one is not None]  # fmt: skip
        steps = [] if isinstance(duration, (int, float)) and duration == 0 else [_span(duration)]
        unit = np.result_type(times.unit, *(one.dtype for one in [*dates, *steps]))
        arrival = graph.full(_NEVER, np.int64)
        arrival[source] = _FIRST if start is None else _counted(dates[0], unit)
        values = times.values.astype(times.unit).astype(unit).astype(np.int64)
        kind = np.dtype(unit.str.replace("M", "m", 1))  # durations
        params["duration"] = int(steps[0].astype(kind).astype(np.int64)) if steps else 0
    params["times"] = xp.asarray(values)
    propagate(graph, frontier(graph, source), function, arrival, reduce=MIN, params=params)
    return arrival, unit


def _span(duration: Any) -> np.timedelta64:
    """How long an edge takes, where times are dates."""
    span = as_span(duration, "duration")
    if span < np.timedelta64(0, "s"):
        raise ValueError(f"duration must not be negative, got {duration!r}")
    return span


def _counted(date: np.datetime64, unit: Any) -> int:
    """A date as a number of units."""
    return int(date.astype(unit).astype(np.int64))


def _next_date(value, edge, edges, bounds, times, duration):
    last = bounds[edges[edge] + 1]
    at = lower_bound(times, bounds[edges[edge]], last, value)
    return times[at] + duration if at < last else _NEVER


def _next(value, edge, edges, bounds, times, duration):
    last = bounds[edges[edge] + 1]
    at = lower_bound(times, bounds[edges[edge]], last, value)
    return times[at] + duration if at < last else np.inf
