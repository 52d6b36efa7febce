"""This version beside another checkout of it: the same calls by turns, in two processes.

Each process imports its own package, makes the same graphs and answers when it is asked; turns go
A B, B A, A B, ..., so that whatever else slows the machine down slows both. Answers must agree
wherever the contract says that they are unique.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["TASKS", "measure_before"]

#: What is called on each graph, given the package, the graph and a vertex to start from.
TASKS: dict[str, Callable[[Any, Any, int], Any]] = {
    "bfs": lambda ew, graph, start: ew.bfs(graph, start),
    "sssp": lambda ew, graph, start: ew.sssp(graph, start)[0],
    "pagerank": lambda ew, graph, start: _ranks(ew, graph),
    "connected_components": lambda ew, graph, start: ew.connected_components(graph),
    "betweenness_centrality": lambda ew, graph, start: ew.betweenness_centrality(
        graph, sources=[start], normalized=False
    ),
    "triangle_count": lambda ew, graph, start: ew.triangle_count(graph),
    "core_number": lambda ew, graph, start: ew.core_number(graph),
    "label_propagation": lambda ew, graph, start: ew.communities.label_propagation(
        graph, weights=_own(ew), max_iter=10
    ),
    "matching.locally_dominant": lambda ew, graph, start: ew.matching.locally_dominant(graph),
    "matching.suitor": lambda ew, graph, start: ew.matching.suitor(graph),
    "matching.two_thirds": lambda ew, graph, start: ew.matching.two_thirds(graph),
    "matching.b_suitor": lambda ew, graph, start: ew.matching.b_suitor(graph, 3),
    "matching.b_edge_cover": lambda ew, graph, start: ew.matching.b_edge_cover(
        graph, graph.xp.minimum(graph.degrees(), 1), method="nearest"
    ),
}
GRAPHS = {"cpu": ("kron18", "urand18", "road600"), "cuda": ("kron22", "urand22", "road2000")}
QUICK = ("kron10", "road32")
#: A turn repeats a call until it has taken so long.
_TURN, _MOST = 0.3, 50


def measure_before(
    other: Path, graphs: list[str], tasks: list[str], device: str, trials: int, folder: Path,
    tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Measure each task on each graph; the report in Markdown, also written to ``folder``."""
    from benchmarks.report import machine, spell_time, table

    here, other = Path(__file__).resolve().parents[1], other.resolve()
    lines = []
    for name in graphs:
        sides = {"before": _Side(other, name, device), "now": _Side(here, name, device)}
        for task in tasks:
            found = _turns(sides, task, trials)
            if isinstance(found, str):
                lines.append([task, name, "", "", found])
            else:
                old, new = found["before"], found["now"]
                lines.append([task, name, spell_time(old), spell_time(new), f"{new / old:.2f}"])
            tell(" | ".join(lines[-1]))
        for side in sides.values():
            side.close()
    head = ["task", "graph", "before", "now", "now / before"]
    text = f"{machine()}, {device}. Medians of {trials} turns.\n\n{table(head, lines)}\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"before-{device}.md").write_text(f"# before and now\n\n{text}")
    return text


def _turns(sides: dict[str, _Side], task: str, trials: int) -> dict[str, float] | str:
    """The median seconds of each side; or what went wrong."""
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    for name, side in sides.items():
        reply = side.ask(task)  # warms up
        if "failed" in reply:
            return f"{name}: {reply['failed']}"
    for turn in range(trials):
        for name in list(sides) if turn % 2 == 0 else list(sides)[::-1]:
            seconds[name].append(sides[name].ask(task)["seconds"])
    return {name: median(times) for name, times in seconds.items()}


class _Side:
    """A process with one version of the package and one graph."""

    def __init__(self, checkout: Path, graph: str, device: str):
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        command = [sys.executable, "-P", str(Path(__file__).resolve()), graph, device]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=checkout,
        )  # fmt: skip

    def ask(self, task: str) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(task, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        return json.loads(line) if line else {"failed": "its process has ended"}

    def close(self) -> None:
        self._process.communicate()


def _serve(name: str, device: str) -> None:
    """Make the graph, then run each task whose name comes in; tell how long a call took."""
    import time

    import numpy as np

    import edgewise
    from edgewise import generators

    kind, size = name.rstrip("0123456789"), int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    make = {
        "kron": lambda: generators.rmat(size, seed=27),
        "urand": lambda: generators.urand(size, seed=27),
        "road": lambda: generators.road(size, size, seed=27),
    }
    graph = make[kind]()
    if graph.weights is None:
        low, high = (side.astype(np.int64) for side in graph.edges()[:2])
        graph = graph.with_weights(((low * 7919 + high * 104729) % 255 + 1).astype(np.int32))
    start = int(np.argmax(graph.degrees()))
    done: Callable[[], Any] = lambda: None  # noqa: E731
    if device != "cpu":
        import cupy

        graph, done = graph.to("cuda"), cupy.cuda.Device().synchronize
    for line in sys.stdin:
        try:
            call = TASKS[line.strip()]
            seconds: list[float] = []
            while not seconds or (sum(seconds) < _TURN and len(seconds) < _MOST):
                begin = time.perf_counter()
                call(edgewise, graph, start)
                done()
                seconds.append(time.perf_counter() - begin)
            reply: dict[str, Any] = {"seconds": median(seconds)}
        except Exception as error:  # told to the other side, which leaves the row empty
            reply = {"failed": f"{type(error).__name__}: {error}"[:120]}
        print(json.dumps(reply), flush=True)


def _own(ew: Any) -> Any:
    """How a version asks for the graph's weights: as shortest paths do by default."""
    return signature(ew.sssp).parameters["weights"].default


def _ranks(ew: Any, graph: Any) -> Any:
    try:
        return ew.pagerank(graph, tol=0, max_iter=20)
    except ew.ConvergenceError as error:  # a tolerance of 0 asks for every iteration
        return error.best


if __name__ == "__main__":
    _serve(*sys.argv[1:])
