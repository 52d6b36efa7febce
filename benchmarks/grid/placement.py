"""What a partition saves: words sent on 4x4 ranks, with vertices dealt out and placed by parts.

``distribute(parts=)`` places vertices part by part, here by `partitioning.multilevel` into as many
parts as ranks. Values go to whole rows and columns of the grid, so that a dense round
sends the same for every placement. Only sparse rounds can gain. The meshes are in random order.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import edgewise
from benchmarks.graphs import MissingGraphError, data_for
from benchmarks.grid.runs import ALGORITHMS, priced
from benchmarks.report import spell_bytes, table
from edgewise import generators, ordering, partitioning
from edgewise.distributed.cut import Cut

__all__ = ["markdown", "measure"]

_SHAPE = (4, 4)
_GRAPHS = ("mesh 150 x 150", "cube 30 x 30 x 30", "R-MAT 14", "com-dblp")
_QUICK = ("mesh 12 x 12",)


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    found = []
    for name in _QUICK if quick else _GRAPHS:
        try:
            graph = _graph(name)
        except MissingGraphError as problem:
            tell(f"{name} is left out: {problem}")
            continue
        ranks = _SHAPE[0] * _SHAPE[1]
        parts = partitioning.multilevel(graph, ranks, seed=1)
        cut = partitioning.edge_cut(graph, parts) / max(graph.num_edges, 1)
        start = int(np.argmax(graph.degrees()))
        ways = {"striped": Cut(graph, _SHAPE), "by parts": Cut(graph, _SHAPE, parts=parts.labels)}
        for way, pieces in ways.items():
            sizes = np.diff(pieces.starts)
            for algorithm, run in ALGORITHMS.items():
                row = priced(pieces, partial(run, source=start))
                found.append({"graph": name, "way": way, "algorithm": algorithm, "cut": float(cut),
                              "largest": float(sizes.max() / sizes.mean()), **row})  # fmt: skip
                tell(f"{name} {way}, {algorithm}: {row['bytes_in_all']:,} bytes")
    return found


def _graph(name: str) -> Any:
    kind, *sides = name.replace(" x ", " ").split()
    if kind == "R-MAT":
        return generators.rmat(int(sides[0]), seed=1)
    if kind == "com-dblp":
        data = data_for(name)
        return edgewise.Graph(data.indptr, data.indices)
    side = int(sides[0])
    graph = generators.grid_2d(side, side)
    if kind == "cube":
        graph = generators.grid_3d(side, side, layers=side)
    return graph.permute(ordering.random_order(graph, seed=1))


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    lines = []
    for name in dict.fromkeys(row["graph"] for row in rows):
        one = {(row["way"], row["algorithm"]): row for row in rows if row["graph"] == name}
        placed = one["by parts", "BFS"]
        line = [name, f"{100 * placed['cut']:.0f} %"]
        for algorithm in ALGORITHMS:
            before, after = (one[way, algorithm]["bytes_in_all"] for way in ("striped", "by parts"))
            line += [spell_bytes(before), f"{spell_bytes(after)} ({after / before:.2f})"]
        loads = (f"{one[way, 'BFS']['largest']:.2f}" for way in ("striped", "by parts"))
        lines.append([*line, *loads])
    head = ["Graph", "cut edges"]
    for algorithm in ALGORITHMS:
        head += [f"{algorithm}: striped", "by parts"]
    head += ["largest block: striped", "by parts"]
    return "\n\n".join(
        [
            "## What a partition saves",
            f"Bytes that all of {_SHAPE[0]}x{_SHAPE[1]} simulated ranks send, with vertices "
            "striped and placed by the parts of `partitioning.multilevel`, counted "
            f"{about['date']}; in brackets by parts over striped. PageRank has 5 rounds. The "
            "largest block has so many times the mean number of arcs.",
            table(head, lines),
        ]
    )
