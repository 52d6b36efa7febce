"""The libraries that color: each function takes a problem and gives what runs a kind and a method.

A method is a word, or two: the algorithm and its order. A run returns the colors. "improve" is the
greedy method in smallest-last order, improved by iterated greedy. NetworKit is left out: its one
coloring is spectral, written in Python, and takes 50 s for 1,000 vertices. ColPack is a program
that the command line names. It is called as

    PROGRAM FILE.mtx KIND ORDER TRIALS COLORS

FILE.mtx is a pattern in Matrix Market format, the lower triangle of a symmetric one. KIND is
distance_1, distance_2, columns (partial distance-2), star, acyclic (for indirect recovery), or one
of ColPack's star bicolorings: implicit_star_bicoloring, explicit_star_bicoloring,
modified_star_bicoloring or greedy_star_bicoloring. ORDER is natural, largest_first, smallest_last,
incidence_degree, dynamic_largest_first or random. It colors TRIALS times, prints a line "seconds S"
for each, for order and colors without the reading, and writes the colors to COLORS, one a line. A
bicoloring has the colors of the rows first, and -1 for a neutral row or column. An object of
ColPack keeps its order and colors, so each trial needs a new one.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.coloring.problems import Problem, problem_of

__all__ = ["COLPACK", "METHODS", "ORDERS", "answering", "colpack", "write_pattern"]

COLPACK = "EDGEWISE_COLPACK"
ORDERS = ("natural", "largest_first", "smallest_last", "incidence_degree", "dynamic_largest_first",
          "random")  # fmt: skip
_GREEDY = tuple(f"greedy {order}" for order in ORDERS)
#: What every library does, by kind.
METHODS: dict[str, dict[str, tuple[str, ...]]] = {
    "distance 1": {
        "Edgewise": (
            *_GREEDY,
            "jones_plassmann random",
            "jones_plassmann largest_log_first",
            "jones_plassmann approximate_degeneracy",
            "speculative vertex",
            "speculative edge",
            "improve",
        ),
        "ColPack": _GREEDY,
        "igraph": ("colored_neighbors", "dsatur"),
        "NetworkX": ("largest_first", "smallest_last"),
    },
    "distance 2": {"Edgewise": (*_GREEDY, "speculative"), "ColPack": _GREEDY},
    "columns": {
        "Edgewise": (*_GREEDY, "greedy best"),
        "ColPack": tuple(one for one in _GREEDY if "dynamic" not in one),  # it has none
        "SciPy": ("group_columns",),
    },
}
#: A run that takes so many seconds is not repeated in its turn; the first may take more.
_LONG, _COMPILES, _REPEATS = 2.0, 50.0, 3

Run = Callable[[], Any]


def answering(library: str, problem: Problem, folder: Path) -> Callable[[tuple[str, str]], Any]:
    """What a process answers to a kind and a method: the least seconds, and the colors.

    The folder is for files of programs.
    """
    if library == "ColPack":
        return _colpack(problem, folder)
    prepared = _LIBRARIES[library](problem)

    def answer(task: tuple[str, str]) -> tuple[float, np.ndarray]:
        run = prepared(*task)
        spent: list[float] = []
        while len(spent) <= _REPEATS:  # the first warms up, and may compile
            begin = time.perf_counter()
            found = run()
            spent.append(time.perf_counter() - begin)
            if spent[-1] > (_LONG if len(spent) > 1 else _COMPILES):
                break
        return min(spent[1:] or spent), np.asarray(found)

    return answer


def _edgewise(problem: Problem) -> Callable[[str, str], Run]:
    small = problem_of("random6" if "columns" in problem.kinds else "kron6")

    def prepared(kind: str, method: str) -> Run:
        _call(small, kind, method)()  # compiles, or loads
        return _call(problem, kind, method)

    return prepared


def _call(problem: Problem, kind: str, method: str) -> Run:
    from edgewise import Graph, coloring

    matrix, (name, _, choice) = problem.matrix, method.partition(" ")
    if kind == "columns":
        return lambda: coloring.partial_distance_2(matrix, order=choice)
    graph = Graph(matrix.indptr.astype(np.int64), matrix.indices)
    if kind == "distance 2":
        options = {"order": choice} if name == "greedy" else {"method": name}
        return lambda: coloring.distance_2(graph, **options)
    if name == "improve":
        return lambda: coloring.improve(graph, coloring.greedy(graph))
    word = {"greedy": "order", "jones_plassmann": "priority", "speculative": "by"}[name]
    return lambda: getattr(coloring, name)(graph, **{word: choice})


def _igraph(problem: Problem) -> Callable[[str, str], Run]:
    import igraph

    graph = igraph.Graph(problem.matrix.shape[0], _pairs(problem.matrix))
    return lambda kind, method: lambda: graph.vertex_coloring_greedy(method=method)


def _networkx(problem: Problem) -> Callable[[str, str], Run]:
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(problem.matrix.shape[0]))
    graph.add_edges_from(_pairs(problem.matrix).tolist())

    def prepared(kind: str, method: str) -> Run:
        def run() -> list[int]:
            found = nx.greedy_color(graph, strategy=method)
            return [found[v] for v in range(len(found))]

        return run

    return prepared


def _scipy(problem: Problem) -> Callable[[str, str], Run]:
    from scipy.optimize._numdiff import group_columns

    return lambda kind, method: lambda: group_columns(problem.matrix, 0)


_LIBRARIES = {
    "Edgewise": _edgewise,
    "igraph": _igraph,
    "NetworkX": _networkx,
    "SciPy": _scipy,
}


def _colpack(problem: Problem, folder: Path) -> Callable[[tuple[str, str]], Any]:
    file, colors = folder / "pattern.mtx", folder / "colors.txt"
    write_pattern(problem.matrix, file, symmetric="columns" not in problem.kinds)

    def answer(task: tuple[str, str]) -> tuple[float, np.ndarray]:
        kind, method = task
        return colpack(file, kind.replace(" ", "_"), method.split()[1], _REPEATS, colors)

    return answer


def colpack(
    file: Path, kind: str, order: str, trials: int, colors: Path
) -> tuple[float, np.ndarray]:
    """Call the program: the least seconds, and the colors."""
    command = [os.environ[COLPACK], str(file), kind, order, str(trials), str(colors)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in told.splitlines() if line.startswith("seconds ")]
    return min(float(one[1]) for one in lines), np.loadtxt(colors, np.int64, ndmin=1)


def write_pattern(matrix: Any, file: Path, *, symmetric: bool) -> None:
    """The pattern in Matrix Market format, row by row; of a symmetric one the edges."""
    pairs = _pairs(matrix) if symmetric else np.column_stack(matrix.nonzero())
    rows, columns = matrix.shape
    shape = "symmetric" if symmetric else "general"
    head = f"%%MatrixMarket matrix coordinate pattern {shape}\n{rows} {columns} {len(pairs)}"
    np.savetxt(file, pairs + 1, fmt="%d", header=head, comments="")


def _pairs(matrix: Any) -> np.ndarray:
    """Every edge of a graph once, the larger end first."""
    ends = matrix.nonzero()
    return np.column_stack(ends)[ends[0] > ends[1]]
