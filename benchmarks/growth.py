"""How time and memory grow with the size of the graph: R-MAT graphs of one scale after the other.

The exponent k is fitted to time = c * arcs^k on logarithmic scales: 1 is linear. Part of what lies
above 1 is the memory system: the small graphs fit into the caches, the large ones do not.
Triangles are shown too, though their work is not linear in skewed graphs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.driver import Cell, measure
from benchmarks.graphs import data_for
from benchmarks.report import machine, spell_bytes, spell_time, table
from benchmarks.targets import typical
from benchmarks.tasks import TASKS

__all__ = ["exponent", "measure_growth"]

_LINEAR = ("bfs", "sssp", "pagerank", "connected_components", "betweenness_centrality", "build")
_SHOWN = (*_LINEAR, "triangle_count")
_LIMIT = 1.15


def measure_growth(
    scales: Iterable[int], trials: int, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every scale; the report in Markdown, also written to ``folder`` with a picture."""
    cells: list[Cell] = []
    for scale in scales:
        data = data_for(f"kron{scale}")
        for row in measure(data, _SHOWN, ["edgewise"], trials=trials, limit=600):
            cells += row
        tell(f"scale {scale} is done")
    text = _markdown(cells)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.json").write_text(json.dumps([asdict(cell) for cell in cells], indent=1))
    (folder / "growth.md").write_text(f"# growth\n\n{text}")
    _plot(cells, folder / "growth.svg")
    return text


def exponent(sizes: Iterable[float], values: Iterable[float]) -> float:
    """The slope of the values over the sizes on logarithmic scales."""
    return float(np.polyfit(np.log(list(sizes)), np.log(list(values)), 1)[0])


def _markdown(cells: list[Cell]) -> str:
    graphs = list(dict.fromkeys(cell.graph for cell in cells))
    found = {(cell.graph, cell.task): cell for cell in cells}
    titles = [TASKS[task].title for task in _SHOWN]
    times, memory = [], []
    for graph in graphs:
        row = [found[graph, task] for task in _SHOWN]
        head = [graph, f"{row[0].size:,}"]
        times.append(head + [_time(cell) for cell in row])
        memory.append(head + [spell_bytes(cell.memory) if cell.memory else "" for cell in row])
    slopes = {task: _slope([found[graph, task] for graph in graphs]) for task in _SHOWN}
    times.append(["exponent", "", *(f"{slope:.2f}" for slope in slopes.values())])
    lines = [
        f"{'PASS' if slopes[task] <= _LIMIT else 'MISS'}: {TASKS[task].title} grows with exponent "
        f"{slopes[task]:.2f}, linear is at most {_LIMIT}."
        for task in _LINEAR
    ]
    team = os.environ["EDGEWISE_NUM_THREADS"]
    parts = [
        f"Measured {cells[0].date} on {machine()}, with {team} threads, "
        f"Edgewise {cells[0].version}.",
        "## Time, and time for each arc",
        table(["Graph", "Arcs", *titles], times),
        "## Peak memory beyond the graph",
        table(["Graph", "Arcs", *titles], memory),
        "\n".join(f"- {line}" for line in lines),
    ]
    return "\n\n".join(parts) + "\n"


def _time(cell: Cell) -> str:
    seconds = typical(cell)
    if seconds is None:
        return cell.note
    return f"{spell_time(seconds)} ({seconds / cell.size * 1e9:.2f} ns)"


def _slope(cells: list[Cell]) -> float:
    timed = [cell for cell in cells if cell.seconds]
    if len(timed) < 2:
        return float("nan")
    return exponent([cell.size for cell in timed], [typical(cell) or 0 for cell in timed])


def _plot(cells: list[Cell], path: Path) -> None:
    """A picture of the times, where matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for task in _SHOWN:
        line = [cell for cell in cells if cell.task == task and cell.seconds]
        sizes, times = [cell.size for cell in line], [typical(cell) for cell in line]
        axes.loglog(sizes, times, marker="o", markersize=3, label=TASKS[task].title)
    axes.set(xlabel="arcs", ylabel="seconds", title="Time over size, R-MAT graphs")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path)
