"""Fill-in of nested dissection beside METIS's, and beside SuperLU's orders through SciPy.

``by partitions`` is nested dissection made of `partitioning.multilevel` with two parts and
`partitioning.separator`. It shows what separators of `ordering.nested_dissection` gain.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.partitioning.graphs import arcs_of
from benchmarks.report import machine, table

__all__ = ["measure_fill"]

#: A part of so few vertices is ordered by minimum degree, as in `ordering.nested_dissection`.
_LEAF = 128


def measure_fill(names: list[str], folder: Path, tell: Callable[[str], None]) -> str:
    """Measure every graph; the report in Markdown, also written to ``folder``."""
    from edgewise import Graph, ordering

    orders = {name: order for name, order in _ORDERS.items()
              if name != "METIS" or find_spec("pymetis")}  # fmt: skip
    rows = []
    for name in names:
        arcs = arcs_of(name)
        graph = Graph(arcs.indptr, arcs.indices)
        row: dict[str, Any] = {"graph": name, "n": arcs.n, "m": graph.num_edges}
        for kind, order in orders.items():
            row[kind] = int(ordering.fill_in(graph, order(graph)))
            tell(f"{name}, {kind}: {row[kind]:,}")
        rows.append(row)
    about = (f"Edges that elimination adds, measured {time.strftime('%Y-%m-%d')} on {machine()}: "
             "`python -m benchmarks partitioning --fill`.")  # fmt: skip
    lines = [[row["graph"], f"{row['n']:,}", *(f"{row[kind]:,}" for kind in orders)]
             for row in rows]  # fmt: skip
    text = f"{about}\n\n{table(['graph', 'vertices', *orders], lines)}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "partitioning-fill.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "partitioning-fill.md").write_text(f"# partitioning-fill\n\n{text}\n")
    return text


def _nested_dissection(graph: Any) -> Any:
    from edgewise import ordering

    return ordering.nested_dissection(graph)


def _by_partitions(graph: Any) -> np.ndarray:
    """Positions: both parts without the separator, then the separator."""
    from edgewise import ordering, partitioning

    positions = np.empty(graph.num_vertices, np.int64)
    waiting = [(np.arange(graph.num_vertices), 0)]
    while waiting:
        vertices, first = waiting.pop()
        part = graph.subgraph(vertices).with_labels(None)
        if len(vertices) <= _LEAF:
            positions[vertices] = first + ordering.nested_dissection(part, leaf_size=_LEAF)
            continue
        side = partitioning.multilevel(part, 2, imbalance=0.1).labels
        between = partitioning.separator(part, side)
        for one in (0, 1):
            inside = vertices[(side == one) & ~between]
            if len(inside):
                waiting.append((inside, first))
            first += len(inside)
        positions[vertices[between]] = first + np.arange(int(between.sum()))
    return positions


def _metis(graph: Any) -> Any:
    import pymetis

    rows = pymetis.CSRAdjacency(graph.indptr.astype(np.int32), graph.indices.astype(np.int32))
    return np.asarray(pymetis.nested_dissection(adjacency=rows)[1], np.int64)


def _superlu(order: str) -> Callable[[Any], Any]:
    def positions(graph: Any) -> Any:
        from scipy.sparse import csc_array, eye_array
        from scipy.sparse.linalg import splu

        ones = np.ones(graph.num_arcs)
        n = graph.num_vertices
        matrix = csc_array((ones, graph.indices, graph.indptr), shape=(n, n))
        matrix = (eye_array(n, format="csc") * (graph.max_degree + 1.0) - matrix).tocsc()
        found = splu(matrix, permc_spec=order, diag_pivot_thresh=0.0,
                     options={"SymmetricMode": order != "COLAMD"})  # fmt: skip
        return found.perm_c.astype(np.int64)

    return positions


_ORDERS: dict[str, Callable[[Any], Any]] = {
    "nested_dissection": _nested_dissection,
    "by partitions": _by_partitions,
    "METIS": _metis,
    "minimum degree (SuperLU)": _superlu("MMD_AT_PLUS_A"),
    "COLAMD": _superlu("COLAMD"),
}
