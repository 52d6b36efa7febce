"""Louvain on a GPU beside two CPU threads: R-MAT 22, and 100 million edges among communities.

The first pass is one look of every vertex at all its neighbors, and the moves that follow from it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.communities.graphs import lfr_like
from benchmarks.report import machine, spell_time, table

__all__ = ["measure_on_gpu"]

#: Seconds after which nothing new is begun on CPU threads; edges a second of the first pass.
_ENOUGH, _TARGET = 90.0, 1e9


def measure_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, quick: bool = False,
    device: str = "cuda",
) -> str:  # fmt: skip
    """Measure both graphs; the report in Markdown, also written to ``folder``."""
    from edgewise import threads

    begin, rows = time.perf_counter(), []
    for name, made in _graphs(quick, device).items():
        graph = made()
        tell(f"{name}: {graph}, after {time.perf_counter() - begin:.0f} s")
        row = {"graph": name, "n": graph.num_vertices, "m": graph.num_edges,
               "gpu": _measured(graph, trials), "cpu": None}  # fmt: skip
        tell(f"  {device}: {row['gpu']}")
        if time.perf_counter() - begin < _ENOUGH:
            with threads(2):
                row["cpu"] = _measured(graph.to("cpu"), 0)
            tell(f"  2 threads: {row['cpu']}")
        rows.append(row)
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "communities-cuda.json").write_text(json.dumps(rows, indent=1))
    (folder / "communities-cuda.md").write_text(f"# communities-cuda\n\n{text}\n")
    return text


def _graphs(quick: bool, device: str) -> dict[str, Callable[[], Any]]:
    from edgewise import generators

    scale, n, edges = (10, 1 << 10, 10_000) if quick else (22, 1 << 22, 100_000_000)
    return {
        f"R-MAT {scale}": lambda: generators.rmat(scale, seed=27).to(device),
        "LFR-like": lambda: _among_communities(n, edges, device),
    }


def _among_communities(n: int, edges: int, device: str) -> Any:
    import numpy as np

    from edgewise import Graph

    xp = np
    if device != "cpu":
        import cupy as xp
    graph = Graph.from_edges(*lfr_like(xp, n, edges, 0.3), num_vertices=n, duplicates="first")
    return graph.without_self_loops()


def _measured(graph: Any, trials: int) -> dict[str, float]:
    """The first pass, and all of `louvain`: seconds of the fastest run, and the modularity."""
    from edgewise import communities
    from edgewise.algorithms.communities.hierarchy import first_level, start
    from edgewise.algorithms.communities.moving import Rules, move

    level = first_level(graph, "weight")
    mass = float(level.masses[0].sum())
    rules = Rules(1 / mass, 2 / mass, passes=1)
    first = min(_timed(graph, lambda: move(level, start(level), rules))[0]
                for _ in range(trials + 2))  # fmt: skip
    whole, label = min(
        (_timed(graph, lambda: communities.louvain(graph)) for _ in range(max(trials, 1))),
        key=lambda pair: pair[0],
    )
    return {"first": first, "whole": whole, "modularity": communities.modularity(graph, label)}


def _timed(graph: Any, run: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of a call, the device waited for."""
    begin = time.perf_counter()
    result = run()
    float(graph.full(0.0).sum())  # which comes after all that is still under way
    return time.perf_counter() - begin, result


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines, verdicts = [], []
    for row in rows:
        gpu, cpu = row["gpu"], row["cpu"]
        rate = row["m"] / gpu["first"]
        beside = [""] * 4
        if cpu:
            beside = [f"{row['m'] / cpu['first'] / 1e6:,.0f}", spell_time(cpu["whole"]),
                      f"{cpu['whole'] / gpu['whole']:.1f}", f"{cpu['modularity']:.4f}"]  # fmt: skip
            mark = "PASS" if gpu["modularity"] >= 0.995 * cpu["modularity"] else "MISS"
            verdicts.append(f"- {mark}: its modularity on {row['graph']} is "
                            f"{gpu['modularity'] / cpu['modularity']:.3f} of that on 2 threads, "
                            "at least 0.995.")  # fmt: skip
            mark = "PASS" if cpu["whole"] >= 10 * gpu["whole"] else "MISS"
            verdicts.append(f"- {mark}: louvain on {row['graph']} is {beside[2]} times faster than "
                            "2 threads, at least 10.")  # fmt: skip
        mark = "PASS" if rate >= _TARGET else "MISS"
        verdicts.append(f"- {mark}: the first pass on {row['graph']} walks {rate / 1e6:,.0f} "
                        "million edges a second, at least 1,000.")  # fmt: skip
        lines.append([row["graph"], f"{row['m']:,}", f"{rate / 1e6:,.0f}", beside[0],
                      spell_time(gpu["whole"]), beside[1], beside[2],
                      f"{gpu['modularity']:.4f}", beside[3]])  # fmt: skip
    head = ["graph", "edges", "first pass, million edges/s", "2 threads", "louvain", "2 threads",
            "times faster", "modularity", "2 threads"]  # fmt: skip
    about = (f"Measured {time.strftime('%Y-%m-%d')} beside {machine()}: "
             "`python -m benchmarks communities --device cuda`.")  # fmt: skip
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])
