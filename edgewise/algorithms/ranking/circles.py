"""Circles: the sets of vertices whose out-edges count, where not all do."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import Frontier, frontier

__all__ = ["members_of"]


def members_of(graph: AnyGraph, circle: Any, *others: int) -> Frontier | None:
    """Return the circle and some other vertices as a frontier; None, for all, without a circle."""
    if circle is None:
        return None
    ids = check_vertices(graph, circle, "circle")
    return frontier(graph, np.unique(np.concatenate([ids, np.array(others, np.int64)])))
