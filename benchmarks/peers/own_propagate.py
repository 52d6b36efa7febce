"""A user's own shortest paths: the message in one line, the loop run by `propagate`."""

from __future__ import annotations

import numpy as np

from benchmarks.peers.edgewise import PACKAGE, convert
from edgewise.operators import MIN, frontier, propagate

__all__ = ["FORMS", "MISSING", "PACKAGE", "convert", "sssp"]

FORMS = {"sssp": "weighted"}
MISSING: dict[str, str] = {}


def sssp(graph, source):
    distance = graph.full(np.inf)
    distance[source] = 0
    start, delta = frontier(graph, source), graph.weights.mean()
    propagate(graph, start, _through, distance, reduce=MIN, priority=delta)
    return distance


def _through(value, weight):
    return value + weight
