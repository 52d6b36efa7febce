"""What columns cost that no call names: a graph with three columns of edges beside one without.

Both are built from data frames: one of the ends alone, one with three more columns, of which one is
text. None of the calls uses them. A column that is asked for is measured as well, by itself.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_time, table

__all__ = ["measure_columns"]


def measure_columns(scale: int, trials: int, folder: Path, tell: Callable[[str], None]) -> str:
    """Measure each call; the report in Markdown, also written to ``folder``."""
    import pandas

    from edgewise import Graph, bfs, generators, pagerank

    u, v, _ = generators.rmat(scale, seed=27).edges()
    ends = pandas.DataFrame({"source": u, "target": v})
    rng = np.random.default_rng(1)
    more = ends.assign(
        km=rng.random(len(u)), year=rng.integers(1990, 2025, len(u)),
        kind=rng.choice(["road", "rail", "ferry"], len(u)),
    )  # fmt: skip
    n = int(max(u.max(), v.max())) + 1
    half, source = np.arange(n) % 2 == 0, int(np.bincount(u).argmax())
    plain = Graph.from_pandas(ends, num_vertices=n)
    carrying = Graph.from_pandas(more, edge_columns=True, num_vertices=n)
    names = carrying.edges.columns
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "`Graph.from_pandas`, columns not asked for": (
            lambda: Graph.from_pandas(ends), lambda: Graph.from_pandas(more)),
        "`Graph.from_pandas`, three columns kept": (
            lambda: Graph.from_pandas(ends), lambda: Graph.from_pandas(more, edge_columns=True)),
        "`bfs`": (lambda: bfs(plain, source), lambda: bfs(carrying, source)),
        "`pagerank`": (lambda: pagerank(plain), lambda: pagerank(carrying)),
        "`subgraph` of half the vertices, columns carried": (
            lambda: plain.subgraph(half), lambda: carrying.subgraph(half)),
        "`subgraph` without its columns": (
            lambda: plain.subgraph(half), lambda: _without(carrying, names).subgraph(half)),
    }  # fmt: skip
    lines = []
    for name, both in calls.items():
        without, beside = (statistics.median(one) for one in _turns(both, trials))
        ratio = f"{beside / without:.2f}"
        lines.append([name, spell_time(without), spell_time(beside), ratio])
        tell(" | ".join(lines[-1]))
    head = ["call", "without columns", "with columns", "times slower"]
    text = (
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}: `python -m benchmarks columns`. An "
        f"R-MAT graph of {n:,} vertices and {len(u):,} edges; three columns of edges, one of them "
        f"text. Medians of {trials} turns.\n\n{table(head, lines)}\n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "columns.md").write_text(f"# columns\n\n{text}")
    return text


def _without(graph: Any, names: tuple[str, ...]) -> Any:
    return graph.with_columns(edges=dict.fromkeys(names))


def _turns(calls: tuple[Callable[[], Any], ...], trials: int) -> list[list[float]]:
    """Seconds of both calls, in turns; the first of each warms up."""
    spent: list[list[float]] = [[] for _ in calls]
    for turn in range(trials + 1):
        for call, seconds in zip(calls, spent, strict=True):
            start = time.perf_counter()
            call()
            if turn:
                seconds.append(time.perf_counter() - start)
    return spent
