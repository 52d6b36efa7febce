"""Checks of patterns and labels: they are converted, or an error states what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.patterns.match_candidates import MOST
from edgewise.algorithms.patterns.plan import Pattern
from edgewise.base.checks import check_choice, check_one_device, check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import as_graph
from edgewise.graph.kinds import AnyGraph

__all__ = ["ANY", "MOTIFS", "as_pattern", "check_labels", "check_pattern", "shares"]

#: The label of a vertex of a pattern that may have any label.
ANY = -(2**63)
#: The graphs of three and of four vertices by name; those that have more edges come first.
MOTIFS: dict[int, dict[str, str]] = {
    3: {"triangle": "01 02 12", "wedge": "01 02", "edge": "01", "none": ""},
    4: {
        "clique": "01 02 03 12 13 23",
        "diamond": "01 02 03 12 13",
        "cycle": "01 12 23 03",
        "paw": "01 02 12 03",
        "path": "01 12 23",
        "star": "01 02 03",
        "triangle": "01 02 12",
        "wedge": "01 02",
        "two_edges": "01 23",
        "edge": "01",
        "none": "",
    },
}
#: Those of them that are connected.
_NAMED = {name: edges for name, edges in MOTIFS[4].items() if name not in ("none", "two_edges")}


def as_pattern(graph: AnyGraph, pattern: Any) -> Any:
    """Return the graph of a pattern, in host memory, from a graph, a name, or edges."""
    if isinstance(pattern, str):
        check_choice(pattern, "pattern", _NAMED)
        check_undirected(graph, f"the pattern {pattern!r}")
        pattern = [(int(edge[0]), int(edge[1])) for edge in _NAMED[pattern].split()]
    if isinstance(pattern, (list, tuple)) or getattr(pattern, "ndim", 0) == 2:
        pattern = _from_pairs(pattern, graph.directed)
    try:
        found = as_graph(pattern)
    except TypeError as error:
        raise TypeError(str(error).replace("graph must be", "pattern must be", 1)) from None
    check_one_device(found, "a pattern")
    return found.to("cpu")


def _from_pairs(pairs: Any, directed: bool) -> Graph:
    try:
        ends = np.asarray(pairs)
    except ValueError:
        ends = np.zeros(0)
    if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
        raise TypeError(f"pattern must be a graph, a name, or pairs of vertices, got {pairs!r:.80}")
    return Graph.from_edges(ends[:, 0], ends[:, 1], directed=directed, duplicates="first")


def check_pattern(graph: AnyGraph, pattern: Any, labels: tuple[int, ...] | None) -> Pattern:
    """Return the pattern if it can be searched for, else raise an error."""
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
        raise ValueError(f"pattern must be connected, got {pattern}: {n - size} vertices are apart")
    return Pattern(n, arcs, labels or (0,) * n)


def check_labels(graph: AnyGraph, labels: Any, pattern: Any, wanted: Any) -> tuple[Any, Any]:
    """Return the labels of the graph's vertices and of the pattern's, or None for both."""
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


def shares(graph: AnyGraph, named: Any, pattern: Pattern) -> tuple[float, ...]:
    """Return the fraction of the graph's vertices that have the label of each pattern vertex."""
    n = graph.num_vertices
    if named is None or n == 0:
        return (1.0,) * pattern.size
    return tuple(
        1.0 if label == ANY else float((named == label).sum()) / n for label in pattern.labels
    )
