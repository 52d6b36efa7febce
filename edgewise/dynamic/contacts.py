"""The contacts of a stream with a window of time: which edges are new, and which too old.

A contact is an edge at a time. How many contacts in the window an edge has is the weight of an arc
in rows that change in place. An edge goes when that number falls to zero. Batches wait in a heap by
their earliest contact, so a batch costs its own contacts and those that have become too old. With
weights, more rows have the latest time of each edge, whose weight counts.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from numbers import Number
from typing import Any

import numpy as np

from edgewise.base.checks import check_number
from edgewise.dynamic.slack_rows import SlackRows
from edgewise.graph import Graph
from edgewise.graph.batch_ends import Batch
from edgewise.graph.time_windows import as_date, as_span, as_time, edge_times
from edgewise.graph.transfer import host
from edgewise.operators.sorting import stable_order

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
        #: Contacts of a batch in the window, by time: the earliest time, a number, and the arrays.
        self._log: list[tuple[Any, int, tuple[np.ndarray, np.ndarray, np.ndarray]]] = []
        self._turn = count()
        none = np.zeros(graph.num_vertices + 1, np.int64)
        self._count = SlackRows(Graph(none, none[:0], none[:0], directed=True))
        #: The same arcs with their latest times, as numbers of the type or unit ``_kind``.
        self._last = None
        if graph.weights is not None:
            self._last = SlackRows(Graph(none, none[:0], none[:0], directed=True))
        self._kind: Any = None
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

    def update(self, batch: Batch, times: np.ndarray, directed: bool) -> tuple[Batch, Any]:
        """The edges of a batch that are in the window, and the ends of edges that are too old.

        The latest time of an edge has the weight that counts, in whatever order batches come.
        """
        us, vs = batch.sources, batch.targets
        for rows in (self._count, self._last):
            if rows is not None and batch.num_vertices > rows.num_vertices:
                rows.grow(batch.num_vertices)
        if not directed:
            us, vs = np.minimum(us, vs), np.maximum(us, vs)
        chosen = self._enter(us, vs, times)
        weights = None if batch.weights is None else batch.weights[chosen]
        batch = batch._replace(sources=us[chosen], targets=vs[chosen], weights=weights)
        return batch, self._expire()

    def move(self, now: Any) -> None:
        """Move the clock, never backward."""
        now = as_date(now, "now") if self.dates else as_time(now, "now")
        self.now = now if self.now is None else max(self.now, now)

    def read(self, given: Any, size: int) -> np.ndarray:
        """The times of a batch of so many edges, checked."""
        times = np.asarray(() if given is None else host(given))
        if times.shape != (size,):
            raise ValueError(
                f"times must have one entry per edge of add ({size}), got shape {times.shape}"
            )
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
        """Count contacts and move the clock; of each edge the contact whose weight counts now."""
        if len(times) == 0:
            return np.zeros(0, np.int64)
        self.move(times.max() if self.dates else times.max().item())
        alive = np.flatnonzero(times > self.now - self.window)
        if len(alive) == 0:
            return alive
        order = alive[np.argsort(times[alive], kind="stable")]
        self._keep((times[order], us[order], vs[order]))
        keys, last, many = self._edges(us[order], vs[order])
        us, vs, places, there = self._places(keys)
        self._count.weights[places[there]] += many[there]
        self._count.insert(us[~there], vs[~there], many[~there])
        chosen = order[last]
        if self._last is None:
            return chosen
        stamps = self._stamps(times[chosen])
        newer = ~there
        known = self._last.weights[places[there]]  # the same arcs, so the same places
        newer[there] = stamps[there] >= known
        self._last.weights[places[there]] = np.maximum(stamps[there], known)
        self._last.insert(us[~there], vs[~there], stamps[~there])
        return chosen[newer]

    def _keep(self, contacts: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        heappush(self._log, (contacts[0][0], next(self._turn), contacts))

    def _expire(self) -> tuple[Any, Any]:
        """Drop contacts that are too old; the ends of edges without any other."""
        gone = []
        while self._log and not self._log[0][0] > self.now - self.window:
            _, _, (times, us, vs) = heappop(self._log)
            old = int(np.searchsorted(times, self.now - self.window, side="right"))
            gone.append((us[:old], vs[:old]))
            if old < len(times):
                self._keep((times[old:], us[old:], vs[old:]))
        if not gone:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        keys, _, many = self._edges(*(np.concatenate(one) for one in zip(*gone, strict=True)))
        us, vs, places, _ = self._places(keys)
        self._count.weights[places] -= many
        over = self._count.weights[places] == 0
        for rows in (self._count, self._last):
            if rows is not None:
                rows.remove(us[over], vs[over])
        return us[over], vs[over]

    def _edges(self, us: np.ndarray, vs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Distinct edges as ascending keys, the last contact of each, and how many there are."""
        keys = us * max(self._count.num_vertices, 1) + vs
        order = stable_order(keys)
        keys = keys[order]
        ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True))
        return keys[ends], order[ends], np.diff(ends, prepend=-1)

    def _places(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The ends of edges, their places in the rows, and which of them are there."""
        n = max(self._count.num_vertices, 1)
        us, vs = keys // n, keys % n
        places = self._count.find(us, vs)
        return us, vs, places, places >= 0

    def _stamps(self, times: np.ndarray) -> np.ndarray:
        """Times as numbers of one type and unit, the finest so far."""
        assert self._last is not None
        wide = times.dtype if self.dates else np.result_type(times.dtype, np.int64)
        kind = wide if self._kind is None else np.result_type(wide, self._kind)
        if kind != self._kind:
            old = self._last.weights.view(self._kind or np.int64)
            known = old.astype(kind)
            self._last.weights = known.view(np.int64) if self.dates else known
            self._kind = kind
        found = times.astype(kind)
        return found.view(np.int64) if self.dates else found
