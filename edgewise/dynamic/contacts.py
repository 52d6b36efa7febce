"""The contacts of a stream with a window of time: which edges are new, and which too old.

A contact is an edge at a time. How many contacts in the window an edge has is the weight of an arc
in rows that change in place. An edge goes when that number falls to zero. A batch costs its own
contacts and those that have become too old.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from edgewise.dynamic.slack_rows import SlackRows
from edgewise.graph import Graph
from edgewise.graph.batch_ends import Batch
from edgewise.graph.time_windows import edge_times
from edgewise.graph.transfer import host

__all__ = ["Contacts"]


class Contacts:
    """Contacts of the last ``window`` units of time; host memory."""

    def __init__(self, graph: Graph, window: Any, time: str):
        self.window, self.now = window, -np.inf
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
            if times.unit is not None:
                raise TypeError(f"a window needs times that are numbers, got dates in {time!r}")
            us, vs = (host(one)[times.edges].astype(np.int64) for one in graph.edges()[:2])
            self._first = us, vs, times.values

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
        times = np.asarray(() if times is None else host(times))
        if times.shape != batch.sources.shape:
            raise ValueError(f"times must have one entry per edge of add ({len(batch.sources)}), "
                             f"got shape {times.shape}")  # fmt: skip
        if len(times) and (times.dtype.kind not in "iuf" or np.isnan(times).any()):
            raise TypeError(f"times must be numbers, got {times.dtype}")
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

    def _enter(self, us: np.ndarray, vs: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Count contacts and move the clock; which of them are in the window."""
        if len(times):
            self.now = max(self.now, times.max().item())
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
        gone, limit = [], self.now - self.window
        for _ in range(len(self._log)):
            times, us, vs = self._log.popleft()
            old = int(np.searchsorted(times, limit, side="right"))
            gone.append((us[:old], vs[:old]))
            if old < len(times):
                self._log.append((times[old:], us[old:], vs[old:]))
        if not gone:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        ends = [np.concatenate(one) for one in zip(*gone, strict=True)]
        return self._add(ends[0], ends[1], -1)
