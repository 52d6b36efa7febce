"""What one can say about a graph in a few numbers: degrees, weights, loops, and its ``repr``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.parallel import get_threads, launch, threads
from edgewise.graph.arrays import EdgeArrays, RowArrays
from edgewise.graph.lookup import arcs_between
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.transfer import row_ids

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "DegreeSummary",
    "WeightSummary",
    "column_lengths",
    "degree_summary",
    "degrees",
    "in_degrees",
    "row_lengths",
    "self_loops",
    "size_text",
]


#: Vertices that are looked at together.
_TOGETHER = 1 << 16


class DegreeSummary(NamedTuple):
    """A summary of the degrees (out-degrees in a directed graph); all 0 in an empty graph."""

    min: int
    median: float
    mean: float
    max: int
    isolated: int


class WeightSummary(NamedTuple):
    """A summary of the edge weights; NaN and infinite weights are only counted."""

    min: float
    mean: float
    max: float
    total: float
    zero: int
    negative: int
    not_finite: int


def degrees(graph: Graph) -> np.ndarray:
    """Return the degree of each vertex; in a directed graph, the out-degree.

    A self-loop of an undirected graph counts twice, as in NetworkX.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).degrees().tolist()
    [1, 3]
    """
    found = row_lengths(graph)
    if not graph.directed and graph.num_self_loops:
        for ids, arcs in self_loops(graph):
            found[ids] += arcs >= 0
    return found


def self_loops(graph: Graph) -> Iterator[tuple[Any, Any]]:
    """The arc of the self-loop of each vertex, -1 if it has none: ids and arcs, some at a time.

    >>> from edgewise.graph import Graph
    >>> [arcs.tolist() for _, arcs in self_loops(Graph.from_edges([0, 1], [1, 1]))]
    [[-1, 2]]
    """
    for low in range(0, graph.num_vertices, _TOGETHER):
        ids = graph.xp.arange(low, min(low + _TOGETHER, graph.num_vertices))
        yield ids, arcs_between(graph, ids, ids)


def in_degrees(graph: Graph) -> np.ndarray:
    """Return the in-degree of each vertex; in an undirected graph, the degree.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1], directed=True).in_degrees().tolist()
    [0, 2]
    """
    return column_lengths(graph) if graph.directed else degrees(graph)


def row_lengths(graph: Graph) -> np.ndarray:
    """Return the number of arcs out of each vertex; a self-loop counts once.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).row_lengths().tolist()
    [1, 2]
    """
    return graph.xp.diff(graph.indptr)


def column_lengths(graph: Graph) -> np.ndarray:
    """Return the number of arcs into each vertex; a self-loop counts once.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).column_lengths().tolist()
    [1, 2]
    """
    if not graph.directed or "transposed" in graph.__dict__:
        return graph.xp.diff(graph.transposed.indptr)
    check_arcs(graph, "in_degrees", 8)
    return graph.xp.bincount(graph.indices, minlength=graph.num_vertices)


def longest_row(graph: Graph) -> int:
    """The most arcs out of a vertex, 0 without vertices."""
    if graph.num_vertices <= _TOGETHER and not graph.is_compressed:  # without a kernel
        return int(np.diff(graph.indptr).max(initial=0))
    from edgewise.graph.cpu import properties

    found = np.zeros(get_threads(), np.int64)
    work, team = graph.num_vertices, len(found)
    launch(properties.highest_degree, graph.stored.indptr, found, work=work, team=team)
    return int(found.max())


def degree_summary(graph: Graph) -> DegreeSummary:
    """Return the minimum, median, mean and maximum degree, and the number of isolated vertices.

    In a directed graph these are out-degrees.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 0], [1, 2], num_vertices=4).degree_summary()
    DegreeSummary(min=0, median=1.0, mean=1.0, max=2, isolated=1)
    """
    if graph.num_vertices == 0:
        return DegreeSummary(0, 0.0, 0.0, 0, 0)
    out = degrees(graph)
    alone = out == 0
    if graph.directed:
        alone &= in_degrees(graph) == 0
    return DegreeSummary(
        min=int(out.min()),
        median=float(graph.xp.median(out)),
        mean=float(out.mean()),
        max=int(out.max()),
        isolated=int(alone.sum()),
    )


def weight_summary(graph: Graph) -> WeightSummary | None:
    """Return the range, mean and total of the edge weights, or None if there are none.

    Zero, negative and non-finite weights are counted. Each undirected edge counts once.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 0], [1, 2], [3, -1]).weight_summary()
    WeightSummary(min=-1.0, mean=1.0, max=3.0, total=2.0, zero=0, negative=1, not_finite=0)
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
        min=float(normal.min()) if some else np.nan,
        mean=total / len(normal) if some else np.nan,
        max=float(normal.max()) if some else np.nan,
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
        launch(count_loops, *graph.stored, loops, work=work)
    return int(loops.sum())


def arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """All arcs, as `Graph.arcs` gives them."""
    check_arcs(graph, "arcs")
    return row_ids(graph), graph.indices, graph.weights


def upper_arcs(graph: Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The arcs of an undirected graph whose target is not below their source."""
    check_arcs(graph, "edges")
    if graph.device != "cpu":
        sources, targets, weights = arcs(graph)
        once = sources <= targets
        return sources[once], targets[once], None if weights is None else weights[once]
    from edgewise.graph.cpu.properties import upper
    from edgewise.graph.transpose import bits

    weights, count, team = graph.weights, graph.num_edges, get_threads()
    sources, targets = np.empty((2, count), graph.id_dtype)
    values = None if weights is None else np.empty(count, weights.dtype)
    start, sums = np.empty(graph.num_vertices, np.int64), np.empty(team, np.int64)
    with threads(team):
        rows = RowArrays(*graph.stored, bits(weights))
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
    if graph.stored_weights is not None:
        parts.append(f"weights {graph.stored_weights.dtype}")
    if graph.labels is not None and graph.num_vertices:
        first = [_short(graph.label(v)) for v in range(min(graph.num_vertices, 2))]
        parts.append(f"labeled {', '.join([*first, '...'][: graph.num_vertices])}")
    if graph.columns is not None:
        names = [*graph.edges.columns, *graph.vertices.columns][graph.stored_weights is not None :]
        parts.append(f"columns {', '.join([*names[:4], '...'] if len(names) > 4 else names)}")
    parts.append(size_text(graph.nbytes) + " compressed" * graph.is_compressed)
    if graph.device != "cpu":
        parts.append(graph.device)
    return f"Graph({', '.join(parts)})"


def _short(label: Any) -> str:
    text = repr(label)
    return text if len(text) <= 24 else f"{text[:20]}...{text[-1]}"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def size_text(count: float) -> str:
    """A number of bytes with three digits and a unit."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"
