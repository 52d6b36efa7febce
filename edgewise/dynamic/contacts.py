"""The contacts of a stream with a window of time: which edges are new, and which too old.

A contact is an edge at a time. How many contacts in the window an edge has is the weight of an arc
in rows that change in place. An edge goes when that number falls to zero. A batch costs its own
contacts and those that have become too old.
"""

from __future__ import annotations

from collections import deque
from numbers import Number
from typing import Any

import numpy as np

from edgewise.base.checks import check_number
from edgewise.dynamic.slack_rows import SlackRows
from edgewise.graph import Graph
from edgewise.graph.batch_ends import Batch
from edgewise.graph.time_windows import as_date, as_span, as_time, edge_times
from edgewise.graph.transfer import host

__all__ = ["Contacts"]


class Contacts:
    """Contacts of the last ``window`` units of time; host memory.

    Times are numbers, or dates if the window is a duration.
    """

    def __init__(self, graph: Graph, window: Any, time: str):
        self.dates = not isinstance(window, Number) or isinstance(window, np.timedelta64)
        if self.dates:
            window = as_span(window, "window")
            if not window > np.timedelta64(0, "s"):
                raise ValueError(f"window must be positive, got {window!r}")
        else:
            check_number(window, "window", positive=True)
        self.window = window
        #: The latest time; None before the first.
        self.now: Any = None
        self._log: deque[tuple[np.ndarray, np.ndarray, np.ndarray]] = deque()
        none = np.zeros(graph.num_vertices + 1, np.int64)
        self._count = SlackRows(Graph(none, none[:0], none[:0], directed=True))
        self._first = None
        others = set(graph.edges.columns) - {time, "weight"}
        if others or (graph.columns is not None and graph.columns.vertices is not None):
            named = ", ".join(sorted(others)) or "of vertices"
            raise ValueError(
                "Stream keeps labels, weights and the column of times; the graph has other "
                f"columns: {named}"
            )
        if graph.num_edges:
            times = edge_times(graph, time)
            if (times.unit is not None) != self.dates:
                found, wanted = ("dates", "a duration") if times.unit else ("numbers", "a number")
                raise TypeError(
                    f"window must be {wanted}, as {time!r} has {found}, got {self.window!r}"
                )
            us, vs = (host(one)[times.edges].astype(np.int64) for one in graph.edges()[:2])
            values = times.values if times.unit is None else times.values.astype(times.unit)
            self._first = us, vs, values

    def first(self, graph: Graph) -> Graph:
        """The graph without edges that are too old at the start."""
        plain = graph
        if graph.columns is not None and graph.columns.edges is not None:
            plain = graph.with_columns(edges=dict.fromkeys(graph.columns.edges.column_names))
        if self._first is None:
            return plain
        us, vs, times = self._first
        alive = self._enter(us, vs, times)
        if len(alive) == 0:
            return plain.where(edges=plain.xp.zeros(plain.num_edges, bool))
        from edgewise.graph.attribute_tables import edge_positions

        inside = np.zeros(plain.num_edges, bool)
        inside[edge_positions(plain, us[alive], vs[alive])] = True
        return plain.where(edges=plain.xp.asarray(inside))

    def update(self, batch: Batch, times: Any, directed: bool) -> tuple[Batch, tuple[Any, Any]]:
        """The edges of a batch that are in the window, and the ends of edges that are too old."""
        times = self._read(times)
        if times.shape != batch.sources.shape:
            raise ValueError(f"times must have one entry per edge of add ({len(batch.sources)}), "
                             f"got shape {times.shape}")  # fmt: skip
        us, vs = batch.sources, batch.targets
        if batch.num_vertices > self._count.num_vertices:
            self._count.grow(batch.num_vertices)
        if not directed:
            us, vs = np.minimum(us, vs), np.maximum(us, vs)
        alive = self._enter(us, vs, times)
        order = alive[np.argsort(times[alive], kind="stable")]  # the last one's weight counts
        weights = None if batch.weights is None else batch.weights[order]
        batch = batch._replace(sources=us[order], targets=vs[order], weights=weights)
        return batch, self._expire()

    def move(self, now: Any) -> None:
        """Move the clock, never backward."""
        now = as_date(now, "now") if self.dates else as_time(now, "now")
        self.now = now if self.now is None else max(self.now, now)

    def _read(self, given: Any) -> np.ndarray:
        """The times of a batch."""
        times = np.asarray(() if given is None else host(given))
        if len(times) == 0:
            return times.astype("M8[s]" if self.dates else np.int64)
        if self.dates and times.dtype.kind in "OU":
            try:
                times = times.astype("M8")
            except (TypeError, ValueError) as error:
                raise TypeError(f"times must be dates: {error}") from None
        wanted, kinds = ("dates", "M") if self.dates else ("numbers", "iuf")
        if times.dtype.kind not in kinds or (times != times).any():  # NaN and NaT differ
            raise TypeError(f"times must be {wanted}, got {times.dtype}")
        return times

    def _enter(self, us: np.ndarray, vs: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Count contacts and move the clock; which of them are in the window."""
        if len(times) == 0:
            return np.zeros(0, np.int64)
        self.move(times.max() if self.dates else times.max().item())
        alive = np.flatnonzero(times > self.now - self.window)
        order = alive[np.argsort(times[alive], kind="stable")]
        if len(order):
            self._log.append((times[order], us[order], vs[order]))
        self._add(us[alive], vs[alive], 1)
        return alive

    def _add(self, us: np.ndarray, vs: np.ndarray, by: int) -> tuple[Any, Any]:
        """Count contacts up or down; the ends of edges that have none left."""
        n = max(self._count.num_vertices, 1)
        keys, many = np.unique(us * n + vs, return_counts=True)
        us, vs = keys // n, keys % n
        places = self._count.find(us, vs)
        there = places >= 0
        self._count.weights[places[there]] += by * many[there]
        self._count.insert(us[~there], vs[~there], many[~there])
        over = there & (self._count.weights[np.where(there, places, 0)] == 0)
        self._count.remove(us[over], vs[over])
        return us[over], vs[over]

    def _expire(self) -> tuple[Any, Any]:
        """Drop contacts that are too old; the ends of edges without any other."""
        gone = []
        for _ in range(len(self._log)):
            times, us, vs = self._log.popleft()
            old = int(np.searchsorted(times, self.now - self.window, side="right"))
            gone.append((us[:old], vs[:old]))
            if old < len(times):
                self._log.append((times[old:], us[old:], vs[old:]))
        if not gone:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        ends = [np.concatenate(one) for one in zip(*gone, strict=True)]
        return self._add(ends[0], ends[1], -1)
