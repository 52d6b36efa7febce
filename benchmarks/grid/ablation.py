"""What each choice is worth: components by propagation of labels on 4x4 ranks, choice by choice.

Base pulls, sends all values in every round and lets every vertex look; then what changed alone is
sent (sparse), or all of it where that is less (switch); then only vertices with a changed neighbor
look (queues); then changed vertices push instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import edgewise
from benchmarks.graphs import MissingGraphError, data_for
from benchmarks.grid.looks import BLUE, RED, finish
from benchmarks.grid.runs import priced, square
from benchmarks.report import spell_bytes, spell_time, table
from edgewise.distributed import tuned
from edgewise.distributed.pricing import MODELS

__all__ = ["draw", "markdown", "measure"]

_SIDE = 4
_LARGER = 128  # makes com-dblp as large as the 41 million vertices of twitter-2010
_STEPS: dict[str, dict[str, Any]] = {
    "base": {"pattern": "dense", "queues": False, "direction": "pull"},
    "+ sparse": {"pattern": "sparse", "queues": False, "direction": "pull"},
    "+ switch": {"pattern": "auto", "queues": False, "direction": "pull"},
    "+ queues": {"pattern": "auto", "queues": True, "direction": "pull"},
    "+ push": {"pattern": "auto", "queues": True, "direction": "push"},
}


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    found = []
    for name in ("kron8",) if quick else ("com-dblp", "cnr-2000"):
        try:
            data = data_for(name)
        except MissingGraphError as problem:
            tell(f"{name} is left out: {problem}")
            continue
        cut = square(edgewise.Graph(data.indptr, data.indices), _SIDE)
        warm = square(edgewise.generators.rmat(8, seed=1), _SIDE)
        larger = MODELS["infiniband"].scaled(_LARGER)
        for step, chosen in _STEPS.items():
            priced(warm, lambda graph, chosen=chosen: _components(graph, chosen))
            row = priced(cut, lambda graph, chosen=chosen: _components(graph, chosen))
            again = priced(cut, lambda graph, chosen=chosen: _components(graph, chosen), larger)
            found.append(
                {
                    "graph": name,
                    "step": step,
                    **row,
                    "larger_s": again["time_s"],
                    "processor_s": min(row["processor_s"], again["processor_s"]),
                }
            )
            tell(f"{name} {step}: {row['bytes']:,} bytes, {spell_time(row['time_s'])}")
    return found


def _components(graph: Any, chosen: dict[str, Any]) -> None:
    with tuned(**chosen):
        edgewise.connected_components(graph, method="propagation")


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    lines = []
    for row in rows:
        base = next(r for r in rows if r["graph"] == row["graph"] and r["step"] == "base")
        lines.append(
            [
                row["graph"],
                row["step"],
                f"{row['messages']:,}",
                spell_bytes(row["bytes"]),
                _against(spell_time(row["time_s"]), base["time_s"] / row["time_s"]),
                _against(spell_time(row["larger_s"]), base["larger_s"] / row["larger_s"]),
                _against(spell_time(row["processor_s"]), base["processor_s"] / row["processor_s"]),
            ]
        )
    head = ["Graph", "", "Messages", "Bytes of a rank", "Modeled", f"Modeled, x{_LARGER}",
            "Processor time"]  # fmt: skip
    return "\n\n".join(
        [
            "## What each choice is worth",
            f"Components by propagation of labels on {_SIDE}x{_SIDE} simulated ranks, "
            f"{about['date']}; in brackets, how many times faster than base. The model is "
            f"`infiniband`, as it is and for a graph {_LARGER} times as large; processor time is "
            f"measured, of all ranks together, on {about['machine']}.",
            table(head, lines),
            "![What each choice is worth](grid-ablation.svg)",
        ]
    )


def _against(text: str, times: float) -> str:
    return f"{text} ({times:.1f})"


def draw(rows: list[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    width = 0.8 / len(graphs)
    for i, (graph, color) in enumerate(zip(graphs, (BLUE, RED), strict=False)):
        own = [row for row in rows if row["graph"] == graph]
        places = [k + (i - (len(graphs) - 1) / 2) * width for k in range(len(own))]
        values = [[row["bytes"] / 1e6 for row in own], [row["larger_s"] * 1e3 for row in own]]
        for axes, heights in zip((left, right), values, strict=True):
            axes.bar(places, heights, width, color=color, label=graph)
            axes.set_xticks(range(len(own)), [row["step"] for row in own])
    finish(left, "megabytes sent by the busiest rank")
    finish(right, f"modeled milliseconds, graph x{_LARGER}")
    left.legend(frameon=False, fontsize=9)
    return figure
