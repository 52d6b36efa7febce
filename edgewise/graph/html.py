"""How notebooks show a graph: its sizes, a sparkline of its degrees, its labels and columns.

`table` and `bars` make what results of algorithms show (`result_html`), too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.properties import size_text
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["bars", "by_powers", "graph_html", "table"]

_WIDTH, _HEIGHT, _GAP = 9, 28, 1


def graph_html(graph: Graph) -> str:
    """The graph as a small table.

    >>> from edgewise.graph import Graph
    >>> "<td>3</td>" in graph_html(Graph.from_edges([0, 1], [1, 2]))
    True
    """
    tables = [table for table in graph.columns or () if table is not None]
    rows = [
        ("vertices", f"{graph.num_vertices:,}"),
        ("edges", f"{graph.num_edges:,}"),
        ("out-degrees" if graph.directed else "degrees", _degrees(host(graph.degrees()))),
        ("self-loops", f"{graph.num_self_loops:,}"),
        ("weights", _weights(graph)),
        ("labels", _labels(graph)),
        *((f"columns of {part}", _columns(table))
          for part, table in zip(("edges", "vertices"), graph.columns or (), strict=False)
          if table is not None),
        ("memory", f"{size_text(graph.nbytes)} on {escape(graph.device)}"),
        *([("memory of columns", f"{size_text(sum(one.nbytes for one in tables))} on cpu")]
          if tables else []),
    ]  # fmt: skip
    return table("Directed graph" if graph.directed else "Undirected graph", rows)


def table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A title over names and values. The values are HTML already."""
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{text}</td></tr>" for name, text in rows)
    style = "<style>.edgewise-table :is(td, th) { text-align: left !important; }</style>"
    return f'{style}<div class="edgewise-table"><b>{escape(title)}</b><table>{cells}</table></div>'


def bars(counts: np.ndarray, titles: Sequence[str], label: str) -> str:
    """A sparkline: a bar for each count, logarithmic, with a tooltip."""
    heights = np.log1p(counts) / np.log1p(max(counts.max(), 1)) * _HEIGHT
    drawn = "".join(
        f'<rect x="{i * (_WIDTH + _GAP)}" y="{_HEIGHT - height:.1f}" width="{_WIDTH}" '
        f'height="{height:.1f}" fill="currentColor" opacity="0.6"><title>{escape(title)}</title>'
        "</rect>"
        for i, (height, title) in enumerate(zip(heights, titles, strict=True))
    )
    return (
        f"<svg width='{len(counts) * (_WIDTH + _GAP)}' height='{_HEIGHT}' role='img' "
        f"style='vertical-align:middle' aria-label='{escape(label)}, logarithmic'>{drawn}</svg>"
    )


def by_powers(values: np.ndarray, name: str, what: str) -> str:
    """A sparkline of how many ``what`` have a value (``name``) of 0, 1, 2 to 3, 4 to 7, ..."""
    bins = np.zeros(len(values), np.int64)
    bins[values > 0] = 1 + np.log2(values[values > 0]).astype(np.int64)
    counts = np.bincount(bins)
    first = int(np.flatnonzero(counts)[0]) if counts.any() else 0
    titles = [f"{name} {_range(i)}: {counts[i]:,} {what}" for i in range(first, len(counts))]
    return bars(counts[first:], titles, f"number of {what} by {name}")


def _degrees(degrees: np.ndarray) -> str:
    """The range and the mean, and bars for the number of vertices by powers of two."""
    if not len(degrees):
        return "none"
    text = f"{degrees.min():,} to {degrees.max():,}, mean {degrees.mean():.3g}"
    return f"{text} {by_powers(degrees, 'degree', 'vertices')}"


def _weights(graph: Graph) -> str:
    if graph.weights is None:
        return "none"
    kind = str(graph.weights.dtype)
    if not len(graph.weights):
        return kind
    return f"{kind}, {graph.weights.min():.4g} to {graph.weights.max():.4g}"


def _labels(graph: Graph) -> str:
    if graph.labels is None:
        return "none"
    shown = [escape(str(graph.label(v))[:24]) for v in range(min(3, graph.num_vertices))]
    return ", ".join(shown) + ", ..." * (graph.num_vertices > 3)


def _columns(table: Any) -> str:
    return ", ".join(f"{escape(field.name)} ({escape(str(field.type))})" for field in table.schema)


def _range(i: int) -> str:
    low, high = (0, 0) if i == 0 else (1 << (i - 1), (1 << i) - 1)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
