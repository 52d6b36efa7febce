"""What one can say about a graph in a few numbers: degrees, weights, loops, and its ``repr``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.parallel import get_threads, launch, threads
from edgewise.graph.arrays import EdgeArrays, RowArrays
from edgewise.graph.transfer import row_ids

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["DegreeSummary", "WeightSummary", "degree_summary", "degrees", "in_degrees"]


class DegreeSummary(NamedTuple):
    """Out-degrees in a few numbers (0 everywhere for a graph without vertices)."""

    minimum: int
    median: float
    mean: float
    maximum: int
    isolated: int


class WeightSummary(NamedTuple):
    """Weights of the edges, each undirected edge once; NaN and infinities are counted apart."""

    minimum: float
    mean: float
    maximum: float
    total: float
    zero: int
    negative: int
    not_finite: int


def degrees(graph: Graph) -> np.ndarray:
    """The number of arcs out of every vertex.

    A self-loop is one arc, so it counts once; NetworkX counts it twice in an undirected graph.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).degrees().tolist()
    [1, 2]
    """
    return graph.xp.diff(graph.indptr)


def in_degrees(graph: Graph) -> np.ndarray:
    """The number of arcs into every vertex; the degrees again if the graph is undirected.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1], directed=True).in_degrees().tolist()
    [0, 2]
    """
    if not graph.directed or "transposed" in graph.__dict__:
        return graph.xp.diff(graph.transposed.indptr)
    return graph.xp.bincount(graph.indices, minlength=graph.num_vertices)


def max_degree(graph: Graph) -> int:
    """The highest out-degree, 0 without vertices."""
    from edgewise.graph.cpu import properties

    found = np.zeros(get_threads(), np.int64)
    work, team = graph.num_vertices, len(found)
    launch(properties.highest_degree, graph.indptr, found, work=work, team=team)
    return int(found.max())


def degree_summary(graph: Graph) -> DegreeSummary:
    """Least, median, mean and greatest out-degree, and the number of vertices without any arc.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 0], [1, 2], num_vertices=4).degree_summary()
    DegreeSummary(minimum=0, median=1.0, mean=1.0, maximum=2, isolated=1)
    """
    if graph.num_vertices == 0:
        return DegreeSummary(0, 0.0, 0.0, 0, 0)
    out = degrees(graph)
    alone = out == 0
    if graph.directed:
        alone &= in_degrees(graph) == 0
    return DegreeSummary(
        minimum=int(out.min()),
        median=float(graph.xp.median(out)),
        mean=float(out.mean()),
        maximum=int(out.max()),
        isolated=int(alone.sum()),
    )


def weight_summary(graph: Graph) -> WeightSummary | None:
    """Range, mean and total of the edges' weights, and the odd ones counted; None without weights.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 0], [1, 2], [3, -1]).weight_summary()
    WeightSummary(minimum=-1.0, mean=1.0, maximum=3.0, total=2.0, zero=0, negative=1, not_finite=0)
    """
    _, _, weights = graph.edges()
    if weights is None:
        return None
    finite = graph.xp.isfinite(weights)
    odd = len(weights) - int(finite.sum())
    normal = weights[finite] if odd else weights
    total = float(normal.sum(dtype=np.float64))
    some = len(normal) > 0
    return WeightSummary(
        minimum=float(normal.min()) if some else np.nan,
        mean=total / len(normal) if some else np.nan,
        maximum=float(normal.max()) if some else np.nan,
        total=total,
        zero=int((normal == 0).sum()),
        negative=int((normal < 0).sum()),
        not_finite=odd,
    )


def count_self_loops(graph: Graph) -> int:
    """One binary search per row."""
    from edgewise.graph.cpu.properties import count_loops

    team = get_threads()
    loops = np.zeros(team, np.int64)
    with threads(team):
        work = graph.num_arcs + graph.num_vertices
        launch(count_loops, graph.indptr, graph.indices, loops, work=work)
    return int(loops.sum())


def arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """All arcs, as `Graph.arcs` gives them."""
    return row_ids(graph), graph.indices, graph.weights


def upper_arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The arcs of an undirected graph whose target is not below their source."""
    if graph.device != "cpu":
        sources, targets, weights = arcs(graph)
        once = sources <= targets
        return sources[once], targets[once], None if weights is None else weights[once]
    from edgewise.graph.cpu.properties import upper
    from edgewise.graph.transpose import bits

    weights, count, team = graph.weights, graph.num_edges, get_threads()
    sources, targets = np.empty((2, count), graph.indices.dtype)
    values = None if weights is None else np.empty(count, weights.dtype)
    start, sums = np.empty(graph.num_vertices, np.int64), np.empty(team, np.int64)
    with threads(team):
        rows = RowArrays(graph.indptr, graph.indices, bits(weights))
        edges = EdgeArrays(sources, targets, bits(values))
        launch(upper, rows, start, sums, edges, work=graph.num_arcs + graph.num_vertices)
    return sources, targets, values


def describe(graph: Graph) -> str:
    """One line: direction, sizes, types, bytes."""
    parts = [
        "directed" if graph.directed else "undirected",
        _counted(graph.num_vertices, "vertex", "vertices"),
        _counted(graph.num_edges, "edge", "edges"),
    ]
    if graph.weights is not None:
        parts.append(f"weights {graph.weights.dtype}")
    if graph.labels is not None and graph.num_vertices:
        first = [_short(graph.label(v)) for v in range(min(graph.num_vertices, 2))]
        parts.append(f"labelled {', '.join([*first, '...'][: graph.num_vertices])}")
    parts.append(_size(graph.nbytes))
    if graph.device != "cpu":
        parts.append(graph.device)
    return f"Graph({', '.join(parts)})"


def _short(label: Any) -> str:
    text = repr(label)
    return text if len(text) <= 24 else f"{text[:20]}...{text[-1]}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"
