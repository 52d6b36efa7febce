"""Colorings on a GPU beside two CPU threads and the sequential greedy method's colors.

The graphs are R-MAT 22 and a cube with the 27-point stencil, 104 million edges, in random order.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.coloring.problems import Problem, fault
from benchmarks.report import machine, spell_time, table

__all__ = ["measure_coloring_on_gpu"]

_METHODS = {
    "distance 1": ("jones_plassmann", "speculative"),
    "distance 2": ("distance_2",),
}
_OPTIONS = {"distance_2": {"method": "speculative"}}  # which is the default on a GPU alone
#: Goals: times faster than 2 threads, and of the sequential colors. Seconds after which no run on
#: CPU threads is begun.
_FASTER, _SHARE, _ENOUGH = 20.0, 1.10, 300.0


def measure_coloring_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, device: str = "cuda",
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure both graphs; the report in Markdown, also written to ``folder``."""
    from edgewise import threads

    begin, rows = time.perf_counter(), []
    for name, make in _graphs(quick).items():
        graph = make()
        there = graph.to(device)
        tell(f"{name}: {graph}, after {time.perf_counter() - begin:.0f} s")
        for kind, methods in _METHODS.items():
            sequential = _sequential(graph, kind)
            for method in methods:
                seconds, colors = _measured(there, method, trials)
                row = {"graph": name, "m": graph.num_edges, "kind": kind, "method": method,
                       "gpu": seconds, "colors": int(colors.max()) + 1, "sequential": sequential,
                       "fault": _fault(graph, kind, colors), "cpu": None}  # fmt: skip
                if time.perf_counter() - begin < _ENOUGH:
                    with threads(2):
                        row["cpu"], same = _measured(graph, method, 1)
                    row["same"] = bool((same == colors).all())
                tell(f"  {row}")
                rows.append(row)
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coloring-cuda.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "coloring-cuda.md").write_text(f"# coloring-cuda\n\n{text}\n")
    return text


def _graphs(quick: bool) -> dict[str, Callable[[], Any]]:
    from edgewise import generators, ordering

    scale, side = (10, 12) if quick else (22, 200)

    def cube() -> Any:
        graph = generators.grid_3d(side, side, layers=side, diagonals=True)
        return graph.permute(ordering.random_order(graph, seed=27))

    return {f"R-MAT {scale}": lambda: generators.rmat(scale, seed=27), f"cube {side}": cube}


def _sequential(graph: Any, kind: str) -> int:
    """The colors of the greedy method in natural order on one thread."""
    from edgewise import coloring, threads

    with threads(1):
        found = (coloring.greedy if kind == "distance 1" else coloring.distance_2)(
            graph, order="natural"
        )
    return int(found.max()) + 1


def _measured(graph: Any, method: str, trials: int) -> tuple[float, Any]:
    """The least seconds of a call after one that warms up, and the colors in host memory."""
    from edgewise import coloring

    spent = []
    for _ in range(trials + 1):
        begin = time.perf_counter()
        found = getattr(coloring, method)(graph, **_OPTIONS.get(method, {}))
        if graph.device != "cpu":
            graph.xp.cuda.Device().synchronize()
        spent.append(time.perf_counter() - begin)
    return min(spent[1:]), found.get() if hasattr(found, "get") else found


def _fault(graph: Any, kind: str, colors: Any) -> str | None:
    return fault(Problem("", graph.to_scipy().tocsr(), (kind,)), kind, colors)


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines, verdicts = [], []
    for row in rows:
        name, share = f"{row['method']} on {row['graph']}", row["colors"] / row["sequential"]
        ahead = row["cpu"] / row["gpu"] if row["cpu"] else None
        lines.append([
            row["graph"], row["method"], f"{row['m']:,}", spell_time(row["gpu"]),
            spell_time(row["cpu"]) if ahead else "", f"{ahead:.1f}" if ahead else "",
            f"{row['colors']:,}", f"{row['sequential']:,}",
        ])  # fmt: skip
        if ahead:
            verdicts.append(f"- {_mark(ahead >= _FASTER)}: {name} is {ahead:.1f} times faster than "
                            f"2 threads, at least {_FASTER:g}.")  # fmt: skip
            verdicts.append(f"- {_mark(row['same'])}: {name} gives the colors of 2 threads.")
        verdicts.append(f"- {_mark(share <= _SHARE)}: {name} uses {share:.2f} of the sequential "
                        f"greedy method's colors, at most {_SHARE:g}.")  # fmt: skip
        if row["fault"]:
            verdicts.append(f"- MISS: {name} is improper: {row['fault']}.")
    head = ["graph", "method", "edges", "GPU", "2 threads", "times faster", "colors",
            "sequential greedy"]  # fmt: skip
    about = (f"Measured {time.strftime('%Y-%m-%d')} beside {machine()}: "
             "`python -m benchmarks coloring --device cuda`.")  # fmt: skip
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
