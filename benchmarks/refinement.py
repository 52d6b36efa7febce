"""What refinement of an order gains and costs: by fraction, by completion, from several orders.

Every cell is one call of `edgewise.ordering.refine`: by how many percent the measure falls, the
seconds that takes, and in parallel the rounds of swaps. Kernels are compiled before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import edgewise
from benchmarks.ordering.graphs import graph_of
from benchmarks.report import machine, table
from edgewise import ordering
from edgewise.algorithms.ordering.reorder import places_by_name

__all__ = ["GENERATED", "GRAPHS", "QUICK", "measure_refinement"]

GRAPHS = ("com-dblp", "rotor", "luxembourg")
QUICK = ("mesh20",)
#: On a machine without the data sets: a GPU's, say.
GENERATED = ("mesh500", "web17")
_STARTS = ("natural", "random", "reverse_cuthill_mckee", "rabbit")
_METRICS = ("linear_gap", "log_gap")
#: Fraction and completion of every cell.
_WAYS = (
    *((fraction, "parallel") for fraction in (0.01, 0.1, "auto", 1.0)),
    *((fraction, "sequential") for fraction in (0.1, 1.0)),
)


def measure_refinement(
    names: tuple[str, ...], device: str, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure all; the report in Markdown, also written to ``folder``."""
    for metric in _METRICS:  # compile
        for way in _WAYS:
            _cell(graph_of("mesh20").to(device), None, metric, way)
    rows: list[dict[str, Any]] = []
    for name in names:
        at_home = graph_of(name)
        graph = at_home.to(device)
        for start in _STARTS:
            order = None if start == "natural" else graph.xp.asarray(places_by_name(at_home, start))
            for metric in _METRICS:
                cells = [_cell(graph, order, metric, way) for way in _WAYS]
                rows.append({"graph": name, "start": start, "metric": metric, "cells": cells})
                tell(" | ".join(_line(rows[-1])))
    found = {"machine": machine(), "device": device, "threads": edgewise.get_threads()}
    text = _markdown({**found, "rows": rows})
    folder.mkdir(parents=True, exist_ok=True)
    suite = "refinement" if device == "cpu" else "refinement-cuda"
    (folder / f"{suite}.json").write_text(json.dumps({**found, "rows": rows}, indent=1) + "\n")
    (folder / f"{suite}.md").write_text(f"# {suite}\n\n{text}\n")
    return text


def _cell(graph: Any, order: Any, metric: str, way: tuple[Any, str]) -> dict[str, Any]:
    measure, rounds = getattr(ordering, metric), []
    before = measure(graph, order)

    def note(iteration: int, **counts: Any) -> None:
        if counts.get("phase") == "swaps" and "swaps" in counts:
            rounds.append(counts["swaps"])

    start = time.perf_counter()
    with edgewise.observe(note):
        found = ordering.refine(graph, order, metric=metric, fraction=way[0], completion=way[1])
    spent = time.perf_counter() - start
    gain = 100 * (before - measure(graph, found)) / before if before else 0.0
    return {
        "fraction": way[0], "completion": way[1], "percent": round(gain, 3),
        "seconds": round(spent, 3), "rounds": len(rounds), "swaps": sum(rounds),
    }  # fmt: skip


def _line(row: dict[str, Any]) -> list[str]:
    cells = [f"{one['percent']:.2f}% ({one['seconds']:.2f} s)" for one in row["cells"]]
    return [row["graph"], row["start"], row["metric"], *cells]


def _markdown(record: dict[str, Any]) -> str:
    called = [f"{how}, {'auto' if part == 'auto' else f'{part:.0%}'}" for part, how in _WAYS]
    where = f"{record['threads']} threads" if record["device"] == "cpu" else record["device"]
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {record['machine']}; {where}.",
        table(["Graph", "From", "Measure", *called], [_line(row) for row in record["rows"]]),
    ])  # fmt: skip
