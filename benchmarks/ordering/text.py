"""The study in words and tables: after Tables 2.2 and 2.3 of the thesis."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from statistics import geometric_mean
from typing import Any

import numpy as np

from benchmarks.ordering.study import BESIDE, MEASURES, TIMES
from benchmarks.report import machine, spell_time, table

__all__ = ["markdown"]

Row = dict[str, Any]
_COSTS = ("l1", "l2", *TIMES)
_TITLES = {"l1": "L1 misses", "l2": "L2 misses", "pagerank": "PageRank", "components": "components",
           "louvain": "Louvain"}  # fmt: skip


_MISSES = (
    " Misses are those of a simulated sweep per arc (32 KiB of 8 ways, then 1 MiB of 16 ways, "
    "64-byte lines, one thread)."
)


def markdown(rows: list[Row], device: str) -> str:
    """The whole report."""
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    costs = [cost for cost in _COSTS if any(row.get(cost) for row in rows)]
    command = "`python -m benchmarks ordering" + (
        "`" if device == "cpu" else f" --device {device}`"
    )
    parts = [
        f"Measured {time.strftime('%Y-%m-%d')} on {_place(device)}: {command}. PageRank has 20 "
        "iterations; times are the least of some trials." + (_MISSES if "l2" in costs else ""),
        "## Gains over the natural order, and over a random one",
        "Geometric means over the graphs where an order was measured; above 1 is better. "
        "`all` is the mean over the three algorithms.",
        _gains(rows, costs),
        "## Correlation of measures with costs",
        "Pearson's coefficients over all graphs and orders; measures, misses and times are "
        "relative to the graph's worst.",
        _correlations(rows, costs),
        "## Time of PageRank divided by that of the natural order",
        _by_graph(rows, graphs, _beside_natural),
        *(
            ["## Simulated L2 misses per arc", _by_graph(rows, graphs, lambda row, base: _l2(row))]
            if "l2" in costs
            else []
        ),
        "## Log gap, bits per arc",
        _by_graph(rows, graphs, lambda row, base: f"{row['log_gap'] / _arcs(row):.2f}"),
        "## Time to compute the order",
        _by_graph(rows, graphs, lambda row, base: _spent(row)),
    ]
    if any(row["order"] == "SciPy's RCM" for row in rows):
        parts += ["## Orders beside those of other libraries", _beside(rows, graphs)]
    return "\n\n".join(parts)


def _place(device: str) -> str:
    if device == "cpu":
        return f"{machine()}, 2 threads"
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return f"one {name}; orders that a GPU does not compute are computed on the host"


def _called(row: Row) -> str:
    return row["order"] + (f" + {row['refine']}" if row["refine"] else "")


def _arcs(row: Row) -> int:
    return max(2 * row["m"], 1)


def _beside_natural(row: Row, base: Row) -> str:
    both = row.get("pagerank"), base.get("pagerank")
    return f"{both[0] / both[1]:.2f}" if all(both) else ""


def _l2(row: Row) -> str:
    return f"{row['l2']:.3f}" if row.get("l2") else ""


def _spent(row: Row) -> str:
    return f"+ {spell_time(row['refine_s'])}" if row["refine"] else spell_time(row["order_s"])


def _base(rows: list[Row], graph: str, order: str = "natural") -> Row | None:
    return next((row for row in rows if row["graph"] == graph and row["order"] == order
                 and not row["refine"]), None)  # fmt: skip


def _names(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(map(_called, rows)))


def _gains(rows: list[Row], costs: list[str]) -> str:
    """Each order's costs under those of the natural and of the random order."""
    lines = []
    for name in _names(row for row in rows if row["order"] not in BESIDE):
        line = [name]
        for order in ("natural", "random"):
            ratios: dict[str, list[float]] = {cost: [] for cost in costs}
            for row in rows:
                base = _base(rows, row["graph"], order)
                if _called(row) == name and base is not None:
                    for cost in costs:
                        if row.get(cost) and base.get(cost):
                            ratios[cost].append(base[cost] / row[cost])
            every = [one for cost in costs if cost in TIMES for one in ratios[cost]]
            shown = [*ratios.values(), every] if order == "natural" else [ratios["pagerank"], every]
            line += [f"{geometric_mean(one):.2f}" if one else "" for one in shown]
        lines.append(line)
    over = ["PageRank over random", "all over random"]
    return table(["order", *(_TITLES[cost] for cost in costs), "all", *over], lines)


def _correlations(rows: list[Row], costs: list[str]) -> str:
    """Pearson's coefficients of measures and costs, each relative to its graph's worst."""
    relative: dict[str, list[float]] = {name: [] for name in (*MEASURES, *costs)}
    for graph in dict.fromkeys(row["graph"] for row in rows):
        here = [row for row in rows if row["graph"] == graph]
        for name, found in relative.items():
            worst = max((row.get(name) or 0 for row in here), default=0)
            found += [row[name] / worst if row.get(name) and worst else np.nan for row in here]
    lines = []
    for measure in MEASURES:
        line = [f"`{measure}`"]
        for cost in costs:
            x, y = np.array(relative[measure]), np.array(relative[cost])
            known = ~(np.isnan(x) | np.isnan(y))
            line.append(f"{_correlation(x[known], y[known]):.2f}" if known.sum() > 2 else "")
        lines.append(line)
    return table(["measure", *(_TITLES[cost] for cost in costs)], lines)


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(x, y)[0, 1]) if x.std() > 0 and y.std() > 0 else np.nan


def _by_graph(rows: list[Row], graphs: list[str], say: Callable[[Row, Row], str]) -> str:
    lines = []
    for name in _names(row for row in rows if row["order"] not in BESIDE):
        cells = []
        for graph in graphs:
            row = next((r for r in rows if r["graph"] == graph and _called(r) == name), None)
            base = _base(rows, graph)
            cells.append(say(row, base) if row is not None and base is not None else "")
        lines.append([name, *cells])
    return table(["order", *graphs], lines)


def _beside(rows: list[Row], graphs: list[str]) -> str:
    """Times and measures of our orders and of those of others, graph by graph."""
    pairs = {"reverse_cuthill_mckee": "SciPy's RCM", "rabbit": "rabbit_order", "gorder": "Gorder"}
    lines = []
    for graph in graphs:
        for pair in pairs.items():
            found = [_base(rows, graph, order) for order in pair]
            if None in found:
                continue
            for row in found:
                lines.append([graph, row["order"], _spent(row), f"{row['bandwidth']:,}",
                              f"{row['profile']:,}", f"{row['log_gap'] / _arcs(row):.2f}",
                              _l2(row)])  # fmt: skip
    head = [
        "graph",
        "order",
        "time",
        "bandwidth",
        "profile",
        "log gap per arc",
        "L2 misses per arc",
    ]
    return table(head, lines)
