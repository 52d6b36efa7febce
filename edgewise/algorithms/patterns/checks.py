"""Patterns and labels at the door: what can be looked for, or an error that says why not."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.patterns.candidates import MOST
from edgewise.algorithms.patterns.plan import Pattern
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import as_graph

__all__ = ["as_pattern", "check_labels", "check_pattern", "shares"]


def as_pattern(pattern: Any) -> Any:
    """The graph that a pattern is, in host memory."""
    try:
        found = as_graph(pattern)
    except TypeError as error:
        raise TypeError(str(error).replace("graph must be", "pattern must be", 1)) from None
    check_one_device(found, "a pattern")
    return found.to("cpu")


def check_pattern(graph: Any, pattern: Any, labels: tuple[int, ...] | None) -> Pattern:
    """The pattern, if it is one that can be looked for."""
    if pattern.directed != graph.directed:
        kinds = ["an undirected graph", "a directed graph"]
        raise ValueError(f"pattern must be {kinds[graph.directed]} as the graph is, got {pattern}")
    n = pattern.num_vertices
    if not 2 <= n <= MOST:
        raise ValueError(f"pattern must have 2 to {MOST} vertices, got {n}")
    us, vs, _ = pattern.arcs()
    arcs = frozenset(zip(us.tolist(), vs.tolist(), strict=True))
    if any(u == v for u, v in arcs):
        raise ValueError("pattern must have no self-loops")
    reached, size = {0}, 0
    while size < len(reached):
        size = len(reached)
        reached |= {v for arc in arcs for v in arc if reached & {*arc}}
    if size < n:
        raise ValueError(f"pattern must be connected, got {pattern}: {n - size} are apart from 0")
    return Pattern(n, arcs, labels or (0,) * n)


def check_labels(graph: Any, labels: Any, pattern: Any, wanted: Any) -> tuple[Any, Any]:
    """Labels of the graph's vertices and of the pattern's, or None for both."""
    if (labels is None) != (wanted is None):
        missing, there = ("vertex_labels", "pattern_labels")[:: 1 if labels is None else -1]
        raise TypeError(f"{missing} is missing: {there} has no meaning without it")
    if labels is None:
        return None, None
    named = _whole(graph.xp, labels, "vertex_labels", graph.num_vertices)
    return named, tuple(_whole(np, wanted, "pattern_labels", pattern.num_vertices).tolist())


def _whole(xp: Any, given: Any, name: str, size: int) -> Any:
    """One whole number for each of so many vertices."""
    try:
        found = xp.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} must be whole numbers, got {given!r:.80}") from None
    if found.shape != (size,):
        raise ValueError(f"{name} must have one entry per vertex ({size}), got {found.shape}")
    if size and found.dtype.kind not in "biu":
        raise TypeError(f"{name} must be whole numbers, got dtype {found.dtype}")
    return found.astype(np.int64)


def shares(graph: Any, named: Any, pattern: Pattern) -> tuple[float, ...]:
    """For every vertex of the pattern, the part of the graph's vertices that have its label."""
    n = graph.num_vertices
    if named is None or n == 0:
        return (1.0,) * pattern.size
    return tuple(float((named == label).sum()) / n for label in pattern.labels)
