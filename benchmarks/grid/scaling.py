"""Modeled scaling: a graph on more and more ranks (strong), and one that grows with them (weak).

A rank of a square grid talks about N / sqrt(p) values. So strong scaling may gain sqrt(p) at most
where talking is what takes the time, and weak scaling, where N grows as p, takes sqrt(p) as long:
twice the time for four times the ranks. Graphs are small, for they are in one process: each vertex
counts as many (see `edgewise.distributed.pricing.Model.scaled`), so that the weak graphs have the
2^24 vertices and 2^28 edges per rank of the paper, the strong ones 2^26 and 2^30.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks.grid.looks import BLUE, GRAY, RED, finish
from benchmarks.grid.runs import ALGORITHMS, priced, sizes, square
from benchmarks.report import spell_time, table
from edgewise import generators
from edgewise.distributed.pricing import MODELS

__all__ = ["draw", "markdown", "measure"]

_SIDES = (1, 2, 4, 8, 16)
_MADE: dict[str, Any] = {"R-MAT": generators.rmat, "uniform": generators.urand}
_STRONG, _WEAK = 16, 12  # scales: of the whole graph, and of a rank's share
_STRONG_MEANT, _WEAK_MEANT = 26, 24
_FROM, _WITHIN = 16, 0.2  # the law is looked at from so many ranks on


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    less = 8 if quick else 0  # smaller graphs, each vertex of which stands for more
    found = []
    for kind, make in _MADE.items():
        for side in sizes(_SIDES, quick):
            grown = _WEAK + (side * side).bit_length() - 1
            for way, scale, bits in (
                ("strong", _STRONG, _STRONG_MEANT - _STRONG),
                ("weak", grown, _WEAK_MEANT - _WEAK),
            ):
                graph = make(scale - less, seed=1)
                cut, source = square(graph, side), int(graph.degrees().argmax())
                model = MODELS["infiniband"].scaled(2 ** (bits + less))
                for name, function in ALGORITHMS.items():
                    run = priced(cut, partial(function, source=source), model)
                    found.append({"scaling": way, "graph": kind, "algorithm": name, **run})
                    tell(f"{way} {kind} {name} {run['ranks']}: {spell_time(run['time_s'])}")
    return found


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    ranks = list(dict.fromkeys(row["ranks"] for row in rows))
    parts = [
        "## Modeled scaling",
        f"By the model `infiniband`, {about['date']}: nodes of 6 ranks that share 12 GB/s, 11.5 "
        "microseconds a step, 5e9 edges and 2e10 vertices a second and rank. PageRank has 5 "
        "rounds. In brackets: for strong scaling the share of communication; for weak scaling the "
        "time over that of a quarter of the ranks, which theory expects to be 2.",
    ]
    for way in ("strong", "weak"):
        lines = []
        for own in _series(rows, way):
            line = [own[0]["graph"], own[0]["algorithm"]]
            for before, row in zip([None, *own], own, strict=False):
                if way == "strong":
                    ratio = f"{row['talking_s'] / row['time_s']:.0%}"
                else:
                    ratio = f"{row['time_s'] / before['time_s']:.2f}" if before else ""
                line.append(f"{spell_time(row['time_s'])}" + (f" ({ratio})" if ratio else ""))
            lines.append(line)
        parts.append(f"### {way.title()} scaling")
        parts.append(table(["Graph", "", *(f"{p} ranks" for p in ranks)], lines))
    parts += ["\n".join(_verdicts(rows)), "![Modeled scaling](grid-scaling.svg)"]
    return "\n\n".join(parts)


def _verdicts(rows: list[dict[str, Any]]) -> list[str]:
    lines = []
    for own in _series(rows, "weak"):
        steps = [
            (before["ranks"], row["ranks"], row["time_s"] / before["time_s"])
            for before, row in zip(own, own[1:], strict=False)
            if before["ranks"] >= _FROM
        ]
        if not steps:
            continue
        met = all(ratio <= 2 * (1 + _WITHIN) for _, _, ratio in steps)
        words = ", ".join(f"{ratio:.2f} from {p} to {q} ranks" for p, q, ratio in steps)
        rounds = ", ".join(str(row["rounds"]) for row in own if row["ranks"] >= _FROM)
        lines.append(
            f"- {'PASS' if met else 'MISS'}: weak scaling of {own[0]['algorithm']} on "
            f"{own[0]['graph']} at most {_WITHIN:.0%} above theory: {words} ({rounds} rounds)."
        )
    return lines


def _series(rows: list[dict[str, Any]], way: str) -> list[list[dict[str, Any]]]:
    keys = dict.fromkeys((row["graph"], row["algorithm"]) for row in rows)
    return [
        [r for r in rows if (r["scaling"], r["graph"], r["algorithm"]) == (way, graph, name)]
        for graph, name in keys
    ]


def draw(rows: list[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 6.8), layout="constrained")
    panels = figure.subplots(2, len(ALGORITHMS))
    ranks = sorted({row["ranks"] for row in rows})
    for line, way, power in zip(panels, ("strong", "weak"), (-0.5, 0.5), strict=True):
        for axes, name in zip(line, ALGORITHMS, strict=True):
            for own in _series(rows, way):
                if own[0]["algorithm"] == name:
                    _lines(axes, own, power)
            finish(axes, f"{name}, {way} scaling", ranks)
        line[0].set_ylabel("modeled seconds")
    handles, labels = panels[0][0].get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    figure.legend(once.values(), once, loc="outside lower center", ncols=5, frameon=False,
                  fontsize=9)  # fmt: skip
    return figure


def _lines(axes: Any, own: list[dict[str, Any]], power: float) -> None:
    """Time, the part of it that is talking, and the law that it is held against."""
    graph, ranks = own[0]["graph"], [row["ranks"] for row in own]
    color = BLUE if graph == "R-MAT" else RED
    start = next((row for row in own if row["ranks"] >= _FROM), own[-1])
    law = [start["time_s"] * (p / start["ranks"]) ** power for p in ranks]
    axes.loglog(ranks, law, "--", lw=1, color=GRAY, label="sqrt(p) law")
    talking = [(row["ranks"], row["talking_s"]) for row in own if row["talking_s"]]
    axes.loglog(*zip(*talking, strict=True), ":", lw=1.4, color=color, label=f"{graph}, talking")
    axes.loglog(ranks, [row["time_s"] for row in own], "o-", ms=4, color=color, label=graph)
