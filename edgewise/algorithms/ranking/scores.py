"""What algorithms that rank two sides at once give, and how these scores are scaled."""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute

__all__ = ["Scores", "scale"]


class Scores(NamedTuple):
    """How good every vertex is as a hub, and as an authority."""

    hubs: Any
    authorities: Any


def scale(graph: AnyGraph, array: Any, factor: float) -> Any:
    """Multiply every element, in place; the array."""
    compute(graph, None, _times, (array, factor))
    return array


def _times(v, array, factor):
    array[v] = array[v] * factor
