"""One graph in one order: what it costs to get there, how it measures, how fast algorithms are.

A process of its own (`prepare`) answers one case after the other.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.ordering.cache import counted, simulated
from benchmarks.ordering.graphs import graph_of

__all__ = ["BESIDE", "MEASURES", "TIMES", "Case", "prepare"]

MEASURES = ("linear_gap", "log_gap", "linear_arrangement", "log_arrangement", "bandwidth",
            "profile", "line_span", "page_span")  # fmt: skip
TIMES = ("pagerank", "components", "louvain")
#: Other programs for an order: SciPy's, and commands that an environment variable names. A command
#: is run as COMMAND EDGES ORDER: it reads lines "u v", each edge in both directions, and writes
#: the new position of every vertex, one a line. Its time has the reading and writing in it.
BESIDE = {
    "SciPy's RCM": None,
    "rabbit_order": "EDGEWISE_RABBIT_ORDER",
    "Gorder": "EDGEWISE_GORDER",
}
_ITERATIONS = 20


class Case(NamedTuple):
    """What is asked: a graph in an order, and how often the algorithms run, Louvain if at all.

    ``refine`` names the measure that the order is refined for, ``fraction`` by how many vertices.
    """

    graph: str
    order: str
    trials: int
    louvain: bool
    refine: str | None = None
    fraction: float | str = "auto"


def prepare(device: str) -> Callable[[Case], dict[str, Any]]:
    """What answers cases; the last graph and its positions are kept, for cases that refine them."""
    _warm_up(device)
    held = _Held("", None, None, {})

    def answer(case: Case) -> dict[str, Any]:
        nonlocal held
        if held.name != case.graph:
            graph = graph_of(case.graph)
            held = _Held(case.graph, graph, graph.to(device), {})
        return _answer(held, case)

    return answer


class _Held(NamedTuple):
    """A graph in host memory and on the device, and its positions in orders asked for so far."""

    name: str
    graph: Any
    there: Any
    known: dict[str, tuple[Any, float]]


def _answer(held: _Held, case: Case) -> dict[str, Any]:
    graph = held.graph
    if case.order not in held.known:
        held.known[case.order] = _places(graph, held.there, case.order)
    places, seconds = held.known[case.order]
    record = {"graph": case.graph, "n": graph.num_vertices, "m": int(graph.num_edges),
              "order": case.order, "refine": case.refine, "fraction": case.fraction,
              "order_s": seconds}  # fmt: skip
    if case.refine is not None:
        from edgewise.ordering import refine

        begin = time.perf_counter()
        places = refine(graph, places, metric=case.refine, fraction=case.fraction)
        record["refine_s"] = time.perf_counter() - begin
    begin = time.perf_counter()
    moved = graph if places is None else graph.permute(places)
    record["permute_s"] = time.perf_counter() - begin
    there = moved.to(held.there.device)
    return record | _about(moved, held.there.device) | _times(there, case)


def _warm_up(device: str) -> None:
    """Compile, or load, what will be called: on a small graph, in every order that is quick."""
    from edgewise.algorithms import ALGORITHMS
    from edgewise.algorithms.ordering.reorder import names, places_by_name

    small = graph_of("kron8")
    for name in names()[1:]:
        places_by_name(small, name)
        row = ALGORITHMS.get(f"ordering.{name}")
        if device != "cpu" and row is not None and "cuda" in row.engines:
            places_by_name(small.to(device), name)
    if "ordering.refine" in ALGORITHMS:
        places_by_name(small, "natural", refine_metric="log_gap")
    _about(small, device)
    _times(small.to(device), Case("kron8", "natural", 1, True))


def _places(graph: Any, there: Any, order: str) -> tuple[Any, float]:
    """Positions in host memory, computed on the device where that can be, and the seconds."""
    from edgewise.algorithms import ALGORITHMS
    from edgewise.algorithms.ordering.reorder import places_by_name

    if order in BESIDE:
        variable = BESIDE[order]
        return _timed(_scipy(graph)) if variable is None else _from_command(graph, variable)
    row = ALGORITHMS.get(f"ordering.{order}")
    place = there if row is not None and "cuda" in row.engines else graph
    if place.device != "cpu":  # the first call may compile for graphs of this size
        places_by_name(place, order)
    places, seconds = _timed(lambda: places_by_name(place, order))
    return places.get() if hasattr(places, "get") else places, seconds


def _timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and the least of three times, or the one of a call that is long."""
    spent: list[float] = []
    while len(spent) < 3 and max(spent, default=0) < 1:
        begin = time.perf_counter()
        found = run()
        spent.append(time.perf_counter() - begin)
    return found, min(spent)


def _scipy(graph: Any) -> Callable[[], np.ndarray]:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    ones, starts = np.ones(graph.num_arcs, np.int8), graph.indptr.astype(np.int32)
    matrix = csr_matrix((ones, graph.indices, starts), shape=graph.shape)

    def run() -> np.ndarray:
        listed = reverse_cuthill_mckee(matrix, symmetric_mode=True)
        places = np.empty(len(listed), np.int64)
        places[listed] = np.arange(len(listed))
        return places

    return run


def _from_command(graph: Any, variable: str) -> tuple[np.ndarray, float]:
    with tempfile.TemporaryDirectory() as folder:
        edges, found = Path(folder) / "edges.txt", Path(folder) / "order.txt"
        np.savetxt(edges, np.column_stack(graph.arcs()[:2]), fmt="%d")
        command = [*shlex.split(os.environ[variable]), str(edges), str(found)]
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds = time.perf_counter() - begin
        return np.loadtxt(found, dtype=np.int64), seconds


def _about(graph: Any, device: str) -> dict[str, Any]:
    """All measures of a graph as it is stored, and the misses of a sweep in a CPU's caches."""
    from edgewise import ordering

    found = {name: getattr(ordering, name)(graph) for name in MEASURES}
    return found | (simulated(graph)._asdict() if device == "cpu" else {})


def _times(graph: Any, case: Case) -> dict[str, Any]:
    """The least time of each algorithm, and the misses of PageRank where they can be counted."""
    from edgewise import connected_components
    from edgewise.communities import louvain

    found: dict[str, Any] = {
        "pagerank": _least(graph, lambda: _pagerank(graph), case.trials),
        "components": _least(graph, lambda: connected_components(graph), case.trials),
    }
    if case.louvain:
        found["louvain"] = _least(graph, lambda: louvain(graph), 1)
    if graph.device == "cpu":
        found["counted"] = counted(lambda: _pagerank(graph))
    return found


def _pagerank(graph: Any) -> None:
    from edgewise import ConvergenceError, pagerank

    try:
        pagerank(graph, tol=0, max_iter=_ITERATIONS)
    except ConvergenceError:
        pass


def _least(graph: Any, run: Callable[[], Any], trials: int) -> float:
    spent = []
    for _ in range(trials + 1):  # the first makes what is kept with the graph
        begin = time.perf_counter()
        run()
        if graph.device != "cpu":
            graph.xp.cuda.Device().synchronize()
        spent.append(time.perf_counter() - begin)
        if spent[-1] > 5 and graph.device == "cpu":  # on a GPU it may have compiled for this size
            return min(spent)
    return min(spent[1:])
