"""From the rows of a text of edges to its graph: which ids are vertices.

A vertex is every id that occurs, unless the caller or a header declares them: with
``num_vertices``, with ``ids="as_is"`` or ``labels=False``, and in files of ours without labels, ids
are positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.labels import Labels
from edgewise.graph.occurring import from_occurring
from edgewise.io.dialect import Head, take_counts
from edgewise.io.header import cast_weights, in_header_order
from edgewise.io.notes import note, tell_repeats
from edgewise.io.parse import Rows
from edgewise.io.text import check_size

__all__ = ["declared", "tell_ids", "to_graph"]


def to_graph(
    path: Path,
    head: Head,
    rows: Rows,
    *,
    on_bad_line: str,
    num_vertices: int | None,
    labels: bool | None,
    **options: Any,
) -> Graph:
    """The graph of some parsed rows; ``options`` are those of `Graph.from_edges`."""
    skip = on_bad_line == "skip"
    head, rows = take_counts(path, head, rows, skip)
    graph = _built(path, head, rows, skip, num_vertices, labels, options)
    if (
        not head.own.ids
        and options["self_loops"] == "keep"
        and (options.get("symmetrize") != "given")
    ):
        weighted = rows.weights is not None
        tell_repeats(graph, len(rows.sources), weighted, options["duplicates"])
    return graph


def _built(
    path: Path, head: Head, rows: Rows, skip: bool, num_vertices: int | None,
    labels: bool | None, options: dict[str, Any],
) -> Graph:  # fmt: skip
    own = head.own
    if head.num_rows not in (None, len(rows.sources)) and not skip:
        reason = f"the header promises {head.num_rows} edges, but {len(rows.sources)} follow"
        raise FileFormatError(path, reason, max(head.line - 1, 1))
    if own.weights and rows.weights is not None and not head.columns_given:
        rows = rows._replace(weights=cast_weights(path, rows.weights, own.weights))
    options["directed"] = head.directed
    if own.labeled and labels is None and num_vertices is None and head.ids != "as_is":
        if own.labels == "range":
            n = own.num_vertices or 0
            check_size(path, n, len(rows.sources), own.line)
            graph = Graph.from_edges(*rows, labels=False, num_vertices=n, **options)
            return graph.with_labels(Labels.range(own.first, n))
        graph = _labeled(rows, own.named, options)
        return graph if skip else in_header_order(path, graph, own)
    if head.layout.names or labels:
        return Graph.from_edges(*rows, labels=labels, num_vertices=num_vertices, **options)
    if num_vertices is None and head.num_vertices is not None:
        return _declared(path, head, rows, options)
    if num_vertices is not None or labels is False or head.ids == "as_is":
        if num_vertices is None:
            check_size(path, _largest(rows) + 1, len(rows.sources))
        return Graph.from_edges(*rows, labels=False, num_vertices=num_vertices, **options)
    graph = from_occurring(*rows, **options)
    tell_ids(graph)
    return graph


def tell_ids(graph: AnyGraph) -> None:
    """Note from where to where a file's ids go, and how many of these do not occur."""
    if graph.labels is None or graph.labels.dtype.kind not in "iu" or graph.num_vertices == 0:
        return
    low, high = graph.label(0), graph.label(graph.num_vertices - 1)
    skipped = high - low + 1 - graph.num_vertices
    gaps = f"; {skipped:,} of them do not occur" if skipped else ""
    note("ids", f"ids {low} to {high}{gaps}", 'ids="as_is" makes every id up to the last a vertex',
         "--ids as_is")  # fmt: skip


def _declared(path: Path, head: Head, rows: Rows, options: dict[str, Any]) -> Graph:
    """The graph where a header says how many vertices there are, counted from 0 or from 1."""
    ends = [rows.sources, rows.targets]
    low = min((int(part.min()) for part in ends if len(part)), default=0)
    n, first = declared(path, head, len(rows.sources), low, _largest(rows))
    if not first:
        return Graph.from_edges(*rows, labels=False, num_vertices=n, **options)
    sources, targets = (part - part.dtype.type(1) for part in ends)
    graph = Graph.from_edges(
        sources, targets, rows.weights, labels=False, num_vertices=n, **options
    )
    graph = graph.with_labels(Labels.range(1, n))
    tell_ids(graph)
    return graph


def declared(path: Path, head: Head, count: int, low: int, high: int) -> tuple[int, int]:
    """The number of vertices that a header declares above ``count`` rows, and the first: 0 or 1."""
    n, line = head.num_vertices or 0, max(head.line - 1, 1)
    check_size(path, n, count, line)
    if high > n or (high == n and low == 0):
        reason = f"the header promises {n} vertices, but there is a vertex id {high}"
        raise FileFormatError(path, reason, line)
    if high < n or head.ids == "as_is":
        return max(n, high + 1), 0
    return n, 1


def _largest(rows: Rows) -> int:
    """The largest id; -1 if there is none."""
    return max((int(part.max()) for part in rows[:2] if len(part)), default=-1)


def _labeled(rows: Rows, isolated: Sequence[Any], options: dict[str, Any]) -> Graph:
    """The graph of rows whose ends are labels, with vertices that have no edge."""
    ends: list[Any] = [rows.sources, rows.targets, list(isolated)]
    if not isinstance(rows.sources, np.ndarray):
        import pyarrow

        ends[2] = pyarrow.array(map(str, isolated), pyarrow.large_string())
    found, (sources, targets, _) = Labels.encode(*ends)
    graph = Graph.from_edges(
        sources, targets, rows.weights, num_vertices=len(found), labels=False, **options
    )
    return graph.with_labels(found)
