"""Colors over the chromatic number, by algorithm and size, on graphs whose number is known.

After Cheng, Maji and Pothen (CSC 2020): if colors grow with the size of a graph, is it the graph,
or the algorithm? For G(n, p) the number is the smaller of the two predicted ones, for hyperbolic
graphs it is a lower bound, the size of a clique: that of the points near the center, or a larger
one that is found in the graph. For columns of a random matrix with one entry per row on average
(partial distance 2), it is the length of the longest row, which grows as ln n / ln ln n. Elsewhere
it is exact.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from benchmarks.report import machine, table

__all__ = ["measure_known"]

Row = dict[str, Any]
_METHODS = (
    "greedy natural",
    "greedy largest_first",
    "greedy smallest_last",
    "jones_plassmann random",
    "jones_plassmann largest_log_first",
    "jones_plassmann approximate_degeneracy",
    "speculative",
    "improve",
)


#: What colors the columns of a matrix: "improve" stands for the best of several orders, improved.
_OF_COLUMNS = (*_METHODS[:3], "improve")


class Family(NamedTuple):
    """Graphs of one kind: how each size is made, with the chromatic number or a bound."""

    title: str
    sizes: tuple[int, ...]
    make: Callable[[int], tuple[Any, int]]
    methods: tuple[str, ...] = _METHODS


def measure_known(folder: Path, tell: Callable[[str], None], *, quick: bool = False) -> str:
    """Color every graph by every method; the report, and a picture, also written to ``folder``."""
    rows = []
    for family in _families():
        for size in family.sizes[:1] if quick else family.sizes:
            graph, number = family.make(size)
            n = graph.shape[0]
            for method in family.methods:
                rows.append({"family": family.title, "n": n, "known": number, "method": method,
                             "colors": _colors(graph, method)})  # fmt: skip
            used = ", ".join(str(row["colors"]) for row in rows[-len(family.methods) :])
            tell(f"{family.title}, {n:,} vertices: {number} known, {used}")
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "coloring-known.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "coloring-known.md").write_text(f"# coloring-known\n\n{text}\n")
    draw(rows, folder / "coloring.svg")
    return text


def _families() -> list[Family]:
    from edgewise import coloring, generators as make

    def sparse(degree: int, n: int) -> tuple[Any, int]:
        graph = make.gnp_random(n, average_degree=degree, seed=27)
        return graph, make.gnp_chromatic_number(degree)

    def hyperbolic(n: int) -> tuple[Any, int]:
        options: dict[str, Any] = {"average_degree": 12, "exponent": 2.5, "seed": 27}
        graph, points = make.random_hyperbolic(n, **options), make.hyperbolic_points(n, **options)
        return graph, max(len(points.clique()), coloring.greedy(graph).lower_bound)

    def planted(n: int) -> tuple[Any, int]:
        return make.planted_coloring(n, 10, average_degree=40, seed=27).graph, 10

    def cube(side: int) -> tuple[Any, int]:
        return _shuffled(make.grid_3d(side, side, layers=side, diagonals=True)), 8

    def square(diagonals: bool, side: int) -> tuple[Any, int]:
        return _shuffled(make.grid_2d(side, side, diagonals=diagonals)), 4 if diagonals else 2

    def columns(n: int) -> tuple[Any, int]:
        rows, ends, _ = make.random_bipartite(n, n, m=n, seed=27).edges()
        longest = np.bincount(rows, minlength=n).max()
        return csr_array((np.ones(n), (rows, ends - n)), shape=(n, n)), int(longest)

    sizes = 1_000, 10_000, 100_000, 1_000_000
    return [
        Family("G(n, p), degree 10", sizes, partial(sparse, 10)),
        Family("G(n, p), degree 40", sizes[:3], partial(sparse, 40)),
        Family("random hyperbolic", sizes, hyperbolic),
        Family("planted, 10 colors", sizes[:3], planted),
        Family("Mycielski", (6, 9, 12, 15), lambda k: (make.mycielski(k), k)),
        Family("Kneser, sets of 3", (8, 14, 24), lambda n: (make.kneser(n, 3), n - 4)),
        Family("band of width 7", sizes[:3], lambda n: (_shuffled(make.banded(n, 7)), 8)),
        Family("5-point stencil", (32, 100, 316, 1000), partial(square, False)),
        Family("9-point stencil", (32, 100, 316, 1000), partial(square, True)),
        Family("27-point stencil", (10, 22, 46), cube),
        Family("columns of a random matrix", sizes, columns, _OF_COLUMNS),
    ]


def _shuffled(graph: Any) -> Any:
    """The graph in random order: of many, the natural one is as good as any."""
    from edgewise import ordering

    return graph.permute(ordering.random_order(graph, seed=27))


def _colors(graph: Any, method: str) -> int:
    from edgewise import coloring

    name, _, choice = method.partition(" ")
    if not hasattr(graph, "edges"):
        found = coloring.partial_distance_2(graph, order=choice or "best")
        if not coloring.verify_pattern_coloring(graph, found.labels).valid:
            raise AssertionError(f"{method} is improper on a matrix of {graph.shape}")
        return found.num_colors
    options = {{"greedy": "order"}.get(name, "priority"): choice} if choice else {}
    given = [coloring.greedy(graph)] if name == "improve" else []
    found = getattr(coloring, name)(graph, *given, **options)
    sources, targets, _ = graph.edges()
    if (found[sources] == found[targets]).any():
        raise AssertionError(f"{method} is improper on {graph}")
    return int(found.max()) + 1


def _markdown(rows: list[Row]) -> str:
    found = {(row["family"], row["n"], row["method"]): row["colors"] for row in rows}
    graphs = dict.fromkeys((row["family"], row["n"], row["known"]) for row in rows)
    lines = [[family, f"{n:,}", str(known),
              *(str(found.get((family, n, method), "")) for method in _METHODS)]
             for family, n, known in graphs]  # fmt: skip
    titles = [method.replace("_", " ") for method in _METHODS]
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}: `python -m benchmarks coloring "
        "--known`. Bands and stencils are in random order. The number of a hyperbolic graph is a "
        "lower bound, that of G(n, p) the smaller of the two predicted ones. The last method "
        "improves the greedy one in smallest-last order. Columns of random matrices are colored at "
        "partial distance 2; their number is the length of the longest row, and the last method is "
        'the order "best".',
        table(["graph", "vertices", "known number", *titles], lines, words=1),
    ])  # fmt: skip


def draw(rows: list[Row], path: Path) -> None:
    """A panel for every family: colors over the known number, by size; if matplotlib is there."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return
    families = list(dict.fromkeys(row["family"] for row in rows))
    figure = Figure(figsize=(9, 7), layout="constrained")
    panels = figure.subplots(-(-len(families) // 4), 4, sharey=True, squeeze=False)
    for panel in panels.flat[len(families) :]:
        panel.set_axis_off()
    for panel, family in zip(panels.flat, families, strict=False):
        for i, method in enumerate(_METHODS):
            line = [row for row in rows if (row["family"], row["method"]) == (family, method)]
            if not line:
                continue
            shares = [row["colors"] / row["known"] for row in line]
            panel.plot([row["n"] for row in line], shares, label=method.replace("_", " "),
                       marker="osD^v<>x"[i], markersize=9.5 - i, markerfacecolor="none",
                       linewidth=1, color=f"C{i}")  # fmt: skip
        panel.set_xscale("log")
        panel.minorticks_off()
        panel.axhline(1, color="0.6", linewidth=0.8, zorder=0)
        panel.set_title(family, fontsize="medium")
        panel.tick_params(labelsize="small")
        panel.grid(alpha=0.3)
    for panel in panels[-1]:
        panel.set_xlabel("vertices", fontsize="small")
    for panel in panels[:, 0]:
        panel.set_ylabel("colors / known number", fontsize="small")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "coloring"}):
        figure.savefig(path, metadata={"Date": None})
