"""How notebooks show a graph: its sizes, a sparkline of its degrees, its labels and columns."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.properties import size_text
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["html"]

_WIDTH, _HEIGHT, _GAP = 9, 28, 1


def html(graph: Graph) -> str:
    """The graph as a small table.

    >>> from edgewise.graph import Graph
    >>> "<td>3</td>" in html(Graph.from_edges([0, 1], [1, 2]))
    True
    """
    degrees = host(graph.degrees())
    rows = [
        ("vertices", f"{graph.num_vertices:,}"),
        ("edges", f"{graph.num_edges:,}"),
        ("out-degrees" if graph.directed else "degrees", _sparkline(degrees)),
        ("self-loops", f"{graph.num_self_loops:,}"),
        ("weights", "none" if graph.weights is None else str(graph.weights.dtype)),
        ("labels", _labels(graph)),
        *((f"columns of {part}", _columns(table))
          for part, table in zip(("edges", "vertices"), graph.columns or (), strict=False)
          if table is not None),
        ("memory", f"{size_text(graph.nbytes)} on {escape(graph.device)}"),
    ]  # fmt: skip
    kind = "Directed graph" if graph.directed else "Undirected graph"
    cells = "".join(f'<tr><th style="text-align:left">{name}</th><td>{text}</td></tr>'
                    for name, text in rows)  # fmt: skip
    return f"<div><b>{kind}</b><table>{cells}</table></div>"


def _labels(graph: Graph) -> str:
    if graph.labels is None:
        return "none"
    shown = [escape(str(graph.label(v))[:24]) for v in range(min(3, graph.num_vertices))]
    return ", ".join(shown) + ", ..." * (graph.num_vertices > 3)


def _columns(table: Any) -> str:
    return ", ".join(f"{escape(field.name)} ({escape(str(field.type))})" for field in table.schema)


def _sparkline(degrees: np.ndarray) -> str:
    """The range and the mean, and bars for the number of vertices by powers of two."""
    if not len(degrees):
        return "none"
    bins = np.zeros(len(degrees), np.int64)
    bins[degrees > 0] = 1 + np.log2(degrees[degrees > 0]).astype(np.int64)
    counts = np.bincount(bins)
    heights = np.log1p(counts) / np.log1p(counts.max()) * _HEIGHT
    bars = "".join(
        f'<rect x="{i * (_WIDTH + _GAP)}" y="{_HEIGHT - height:.1f}" width="{_WIDTH}" '
        f'height="{height:.1f}" fill="currentColor" opacity="0.6"><title>{_range(i)}: {count:,} '
        f"vertices</title></rect>"
        for i, (height, count) in enumerate(zip(heights, counts, strict=True))
    )
    text = f"{degrees.min():,} to {degrees.max():,}, mean {degrees.mean():.3g}"
    return (
        f"{text} <svg width='{len(counts) * (_WIDTH + _GAP)}' height='{_HEIGHT}' role='img' "
        f"aria-label='number of vertices by degree, logarithmic'>{bars}</svg>"
    )


def _range(i: int) -> str:
    low, high = (0, 0) if i == 0 else (1 << (i - 1), (1 << i) - 1)
    return f"degree {low:,}" if low == high else f"degrees {low:,} to {high:,}"
