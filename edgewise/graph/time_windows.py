"""Windows of time: the edges of a graph whose column of times lies in an interval.

A column holds one number per edge, or a list of numbers (``duplicates={"time": "list"}``). An edge
with a list is in a window if one of its times is.
"""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_number
from edgewise.base.once import once
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["Times", "as_date", "as_span", "as_time", "edge_times", "snapshots", "window"]


def window(graph: Graph, t0: Any, t1: Any, *, time: str = "time") -> Graph:
    """Return the graph of the edges with a time of at least ``t0`` and less than ``t1``.

    Parameters
    ----------
    t0, t1 : number or date
        The interval [t0, t1). Dates are those of NumPy, pandas or the standard library, or text.
    time : str
        The column of edges that holds times: numbers or dates, or lists of them. Edges with a
        missing time are in no window. ``"weight"`` are the graph's weights.

    Returns
    -------
    Graph
        All vertices, and the edges of the window with their weights and columns.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": [5, 7, 9]})
    >>> graph.window(5, 9).edges()[0].tolist()
    [0, 1]
    """
    from edgewise.graph.subgraphs import where

    times = edge_times(graph, time)
    low, high = (times.instant(one, name) for one, name in ((t0, "t0"), (t1, "t1")))
    hits = (times.values >= low) & (times.values < high)
    inside = np.zeros(graph.num_edges, bool)
    inside[times.edges[hits]] = True
    return where(graph, edges=graph.xp.asarray(inside))


def snapshots(
    graph: Graph, step: Any, *, width: Any = None, start: Any = None, time: str = "time"
) -> Iterator[tuple[Any, Graph]]:
    """Return an iterator over windows of time: pairs of the start of a window and its graph.

    Parameters
    ----------
    step : number or duration
        The time from the start of one window to the start of the next: a duration, such as
        `datetime.timedelta`, if times are dates.
    width : number or duration, optional
        The length of every window; ``step`` by default, so that each time is in one window.
    start : number or date, optional
        The start of the first window; the smallest time by default.
    time : str
        The column of times, as in `window`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": [5, 7, 9]})
    >>> [(begin, part.num_edges) for begin, part in graph.snapshots(3)]
    [(5, 2), (8, 1)]
    >>> [part.num_edges for _, part in graph.snapshots(2, width=4)]
    [2, 2, 1]
    >>> from datetime import timedelta
    >>> days = np.array(["2024-05-01", "2024-05-02", "2024-05-08"], "datetime64[D]")
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"time": days})
    >>> [(str(begin), part.num_edges) for begin, part in graph.snapshots(timedelta(weeks=1))]
    [('2024-05-01T00:00:00.000000', 2), ('2024-05-08T00:00:00.000000', 1)]
    """
    times = edge_times(graph, time)
    if len(times.values) == 0:
        return iter(())
    width = step if width is None else width
    step, width = _length(step, "step", times), _length(width, "width", times)
    if start is not None:
        start = (as_time if times.unit is None else as_date)(start, "start")
    return _each(graph, times, step, width, start, time)


def _length(given: Any, name: str, times: Times) -> Any:
    """The length of windows: a number, or a duration if times are dates."""
    if times.unit is None:
        check_number(given, name, positive=True)
        return given
    span = as_span(given, name)
    if not span > np.timedelta64(0, "s"):
        raise ValueError(f"{name} must be positive, got {given!r}")
    return span


def _each(graph: Graph, times: Times, step: Any, width: Any, start: Any, time: str
          ) -> Iterator[tuple[Any, Graph]]:  # fmt: skip
    ends = times.values.min(), times.values.max()
    first, last = (one.item() if times.unit is None else one.astype(times.unit) for one in ends)
    first, turn = first if start is None else start, 0
    while first + turn * step <= last:
        at = first + turn * step
        yield at, window(graph, at, at + width, time=time)
        turn += 1


class Times(NamedTuple):
    """Times of edges: ``values[i]`` belongs to edge ``edges[i]``; both in host memory.

    Edges ascend, and times of one edge, too. Dates are int64 of the given ``unit``.
    """

    values: np.ndarray
    edges: np.ndarray
    unit: Any = None

    def instant(self, one: Any, name: str) -> Any:
        """A limit that a user gives, in the type of the values: the least one not before it."""
        if self.unit is None:
            return as_time(one, name)
        date = as_date(one, name)
        least = date.astype(self.unit)
        return least.astype(np.int64) + int(least < date)


def as_date(one: Any, name: str) -> np.datetime64:
    """``one`` as a date of NumPy, with a unit.

    >>> as_date("2024-05-01", "now")
    np.datetime64('2024-05-01')
    """
    try:
        date = np.datetime64(getattr(one, "to_datetime64", lambda: one)())  # of pandas
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be a date, as the times are: {error}") from None
    if np.isnat(date):
        raise TypeError(f"{name} must be a date, as the times are, got {one!r}")
    return date


def as_span(one: Any, name: str) -> np.timedelta64:
    """``one`` as a duration of NumPy, in weeks or smaller units.

    >>> from datetime import timedelta
    >>> as_span(timedelta(seconds=2), "window")
    np.timedelta64(2000000,'us')
    """
    try:
        if isinstance(one, (str, Number)) and not isinstance(one, np.timedelta64):
            raise TypeError("it is none")
        span = np.timedelta64(getattr(one, "to_timedelta64", lambda: one)())  # of pandas
        span.astype("timedelta64[ns]", casting="same_kind")  # months differ in length
        generic = np.datetime_data(span.dtype)[0] == "generic"
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name} must be a duration such as datetime.timedelta, as for dates, got {one!r}: "
            f"{error}"
        ) from None
    if np.isnat(span) or generic:
        raise TypeError(f"{name} must be a duration such as datetime.timedelta, got {one!r}")
    return span


def as_time(one: Any, name: str) -> Any:
    """``one`` if it is a number, positive or negative."""
    try:
        number = float(one)
    except (TypeError, ValueError):
        number = np.nan
    if np.isnan(number) or isinstance(one, (bool, str, bytes)):
        raise TypeError(f"{name} must be a number, got {one!r}")
    return one


def edge_times(graph: Graph, time: str) -> Times:
    """The times of all edges, from a column of numbers, dates or lists of them.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [1, 1, 2], edge_columns={"at": [5, 3, 4]},
    ...                          duplicates={"at": "list"})
    >>> edge_times(graph, "at").values.tolist(), edge_times(graph, "at").edges.tolist()
    ([3, 5, 4], [0, 0, 1])
    """
    if not isinstance(time, str):
        raise TypeError(f"time must be the name of a column of edges, got {time!r}")
    if time not in graph.edges:
        known = ", ".join(map(repr, graph.edges.columns)) or "none"
        raise ValueError(f"time must name a column of edges, got {time!r}; there are: {known}")
    return once(graph, ("times", time), lambda: _read(graph, time))


def _read(graph: Graph, time: str) -> Times:
    values = host(graph.edges[time])
    edges = np.arange(len(values))
    if values.dtype == object:
        sizes = np.array([0 if one is None else np.size(one) for one in values], np.int64)
        lists = [np.atleast_1d(one) for one in values if one is not None and np.size(one)]
        edges = np.repeat(edges, sizes)
        values = np.concatenate(lists) if lists else np.empty(0)
        if values.dtype == object:
            values = values.astype(np.float64) if _numbers(values) else values
    unit = None
    if values.dtype.kind == "M":
        unit = values.dtype
        known = ~np.isnat(values)
        values, edges = values[known].astype(np.int64), edges[known]
    elif values.dtype.kind not in "iuf":
        raise TypeError(f"time must name a column of numbers, dates or lists, got {time!r} of "
                        f"{values.dtype}")  # fmt: skip
    elif values.dtype.kind == "f":
        known = ~np.isnan(values)
        values, edges = values[known], edges[known]
    order = np.lexsort((values, edges))
    return Times(values[order], edges[order], unit)


def _numbers(values: Any) -> bool:
    return all(one is None or isinstance(one, (int, float)) for one in values.tolist())
