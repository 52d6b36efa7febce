"""Hub and authority scores, and how they are scaled."""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute

__all__ = ["Scores", "scale"]


class Scores(NamedTuple):
    """Hub and authority scores: two arrays over vertices, ``hubs`` and ``authorities``."""

    hubs: Any
    authorities: Any


def scale(graph: AnyGraph, array: Any, factor: float) -> Any:
    """Multiply every element in place, and return the array."""
    compute(graph, None, _times, (array, factor))
    return array


def _times(v, array, factor):
    array[v] = array[v] * factor
