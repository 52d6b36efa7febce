"""A user's own shortest paths as a Python loop: one `advance` per round."""

from __future__ import annotations

import numpy as np

from benchmarks.peers.edgewise import PACKAGE, convert
from edgewise.operators import MIN, advance, frontier

__all__ = ["FORMS", "MISSING", "PACKAGE", "convert", "sssp"]

FORMS = {"sssp": "weighted"}
MISSING: dict[str, str] = {}


def sssp(graph, source):
    distance = graph.full(np.inf)
    distance[source] = 0
    improved = frontier(graph, source)
    while not improved.empty():
        improved = advance(graph, improved, _through, distance, reduce=MIN)
    return distance


def _through(value, weight):
    return value + weight
