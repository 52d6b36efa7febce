"""Which way of pushing and combining wins on a GPU: the choices measured one by one.

After Figures 6.4 to 6.8 of Wang's thesis on Gunrock: direction, idempotence, and throughput against
the size of the frontier. Times are of the kernels alone, from
events around every launch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import edgewise
from benchmarks.gpu import busy
from benchmarks.report import table
from edgewise import generators
from edgewise.operators import ADD, ANY, MIN, Monoid, advance, frontier, propagate

__all__ = ["measure_strategies"]

#: As MIN and ANY, but for the promise that allows changes in place.
_PLAIN_MIN = MIN._replace(idempotent=False)
_SIZES = range(0, 23, 2)


def measure_strategies(trials: int, folder: Path, tell: Callable[[str], None], quick: bool) -> str:
    """Measure everything; the report in Markdown, also written to ``folder`` with a picture."""
    import cupy

    found: list[dict[str, Any]] = []
    text = ""
    for name, graph in _graphs(quick):
        there = graph.to("cuda")
        source = 0 if name.startswith("grid") else int(graph.degrees().argmax())
        for row in _rows(there, source, trials):
            found.append({"graph": name, **row})
            tell(" ".join(f"{key}={value}" for key, value in found[-1].items()))
        cupy.get_default_memory_pool().free_all_blocks()
        text = _markdown(found)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "strategies.json").write_text(json.dumps(found, indent=1))
        (folder / "strategies.md").write_text(f"# strategies\n\n{text}\n")
    return text


def _graphs(quick: bool) -> Iterator[tuple[str, Any]]:
    scale, side = (12, 64) if quick else (22, 2000)
    yield f"rmat{scale}", generators.rmat(scale, seed=1)
    yield f"urand{scale}", generators.urand(scale, seed=1)
    yield f"grid{side}", generators.grid_2d(side, side)


def _rows(graph: Any, source: int, trials: int) -> Iterator[dict[str, Any]]:
    """What one graph shows: the time of each choice in milliseconds."""
    few = max(2, trials // 3)
    yield _row("sum over all edges", "push", _time(lambda: _sum(graph), few))
    yield _row("search", "push", _time(lambda: _search(graph, source), few))
    yield _row("search", "auto", _time(lambda: edgewise.bfs(graph, source), few))
    for name, monoid in (("idempotent", MIN), ("not", _PLAIN_MIN)):
        yield _row("levels", name, _time(lambda m=monoid: _levels(graph, source, m), few))
    order = np.random.default_rng(1).permutation(graph.num_vertices)
    for size in _SIZES:
        if 2**size > graph.num_vertices:
            return
        chosen = np.sort(order[: 2**size])
        start = frontier(graph, graph.xp.asarray(chosen))
        arcs = int(graph.row_lengths()[start.ids].sum())
        spent = _time(lambda s=start: _least(graph, s), few)
        yield {**_row("throughput", "push", spent), "size": 2**size, "arcs": arcs}


def _row(task: str, choice: str, spent: float) -> dict[str, Any]:
    return {"task": task, "choice": choice, "ms": round(spent, 4)}


def _time(run: Callable[[], Any], trials: int) -> float:
    run()
    return median(busy(run)[0] for _ in range(trials))


def _search(graph: Any, source: int) -> None:
    parent = graph.full(-1, graph.indices.dtype)
    parent[source] = source
    propagate(graph, frontier(graph, source), _sender, parent, reduce=ANY, direction="push")


def _levels(graph: Any, source: int, monoid: Monoid) -> None:
    level = graph.full(2**30, graph.xp.int32)
    level[source] = 0
    propagate(graph, frontier(graph, source), _deeper, level, reduce=monoid, direction="push")


def _sum(graph: Any) -> None:
    advance(graph, None, _value, graph.full(1.0), reduce=ADD, direction="push")


def _least(graph: Any, start: Any) -> None:
    values = graph.full(2**30, graph.xp.int32)
    advance(graph, start, _sender, values, reduce=MIN, direction="push")


def _sender(source):
    return source


def _deeper(value):
    return value + 1


def _value(value):
    return value


def _markdown(found: list[dict[str, Any]]) -> str:
    """The tables."""
    names = list(dict.fromkeys(row["graph"] for row in found))
    pick = {(r["task"], r["graph"], r["choice"]): r["ms"] for r in found if "size" not in r}

    def block(task: str, choices: tuple[str, ...]) -> str:
        rows = [[g, *(f"{pick[task, g, c]:.3f} ms" for c in choices)] for g in names]
        return table([task, *choices], rows)

    parts = [
        f"Kernels alone, medians, {time.strftime('%Y-%m-%d')}: `python -m benchmarks strategies`.",
        "Direction:",
        block("search", ("push", "auto")),
        block("sum over all edges", ("push",)),
        "Idempotence (a search by levels that pushes: values are changed in place, or messages "
        "are collected and applied at the end of the round):",
        block("levels", ("idempotent", "not")),
        "Throughput against the size of the frontier, in billions of edges a second:",
    ]  # fmt: skip
    for name in names:
        rows = [row for row in found if row["graph"] == name and "size" in row]
        lines = [
            [f"{r['size']:,}", f"{r['arcs']:,}", f"{r['arcs'] / max(r['ms'], 1e-6) / 1e6:.3f}"]
            for r in rows
        ]
        parts.append(table([f"{name}: vertices", "edges", "rate"], lines))
    return "\n\n".join(parts)
