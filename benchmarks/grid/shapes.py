"""Shapes that are not square: all R x C of one number of ranks.

A dense round that pushes reduces N / C values along columns and broadcasts N / R along rows: a rank
sends 2 N / C * (R - 1) / R + N / R values (if R > 1, C > 1). A round that pulls, as PageRank's do,
has R and C exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.grid.looks import BLUE, RED, finish
from benchmarks.grid.runs import ALGORITHMS, priced
from benchmarks.report import spell_bytes, spell_time, table
from edgewise import generators
from edgewise.distributed.cut import Cut
from edgewise.distributed.pricing import MODELS

__all__ = ["draw", "markdown", "measure"]

_LARGER = 1024
_SHOWN = ("PageRank", "components")


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    scale, ranks = (8, 16) if quick else (16, 256)
    graph = generators.rmat(scale, seed=1)
    model = MODELS["infiniband"].scaled(_LARGER)
    found = []
    for rows in (r for r in range(1, ranks + 1) if ranks % r == 0):
        cut = Cut(graph, (rows, ranks // rows))
        for name in _SHOWN:
            run = priced(cut, partial(ALGORITHMS[name], source=0), model)
            found.append({"algorithm": name, "scale": scale, **run})
            tell(f"{name} {run['grid']}: {run['bytes']:,} bytes, {spell_time(run['time_s'])}")
    return found


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    best = {name: min(row["time_s"] for row in rows if row["algorithm"] == name) for name in _SHOWN}
    lines = []
    for grid in dict.fromkeys(row["grid"] for row in rows):
        line = [grid]
        for name in _SHOWN:
            row = next(r for r in rows if r["grid"] == grid and r["algorithm"] == name)
            line += [
                f"{row['messages']:,}",
                spell_bytes(row["bytes"]),
                f"{spell_time(row['time_s'])} ({row['time_s'] / best[name]:.2f})",
            ]
        lines.append(line)
    head = ["Rows x columns"]
    for name in _SHOWN:
        head += [f"{name}: messages", "bytes of a rank", "modeled"]
    return "\n\n".join(
        [
            "## Shapes that are not square",
            f"R-MAT {rows[0]['scale']} on {rows[0]['ranks']} ranks, modeled (`infiniband`) as if "
            f"every vertex stood for {_LARGER:,}, {about['date']}; in brackets the time over the "
            "best. PageRank pulls (5 rounds).",
            table(head, lines),
            "![Shapes that are not square](grid-shapes.svg)",
        ]
    )


def draw(rows: list[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, color in zip(_SHOWN, (BLUE, RED), strict=True):
        own = [row for row in rows if row["algorithm"] == name]
        grids = [row["grid"] for row in own]
        left.plot(grids, [row["bytes"] / 1e6 for row in own], "o-", ms=4, color=color, label=name)
        right.plot(grids, [row["time_s"] for row in own], "o-", ms=4, color=color, label=name)
    for axes, title in ((left, "megabytes sent by the busiest rank"), (right, "modeled seconds")):
        axes.set_yscale("log")
        axes.set_xlabel("rows x columns")
        axes.tick_params(axis="x", labelsize=8, rotation=45)
        finish(axes, title)
        axes.legend(frameon=False, fontsize=9)
    return figure
