"""Measured wall time of ranks that are processes of MPI, beside the engine in one process.

Every rank has one thread. A turn is from one barrier to the next; medians, after a first turn that
compiles. A 1x1 grid has nobody to talk to: what it takes beyond the local engine is the overhead.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import numpy as np

import edgewise
from benchmarks.grid.runs import fixed_pagerank
from benchmarks.report import spell_time, table
from edgewise import generators, matching
from edgewise.distributed import Grid, distribute, launch

__all__ = ["markdown", "measure", "turns"]

_SHAPES = ("1x1", "1x2", "2x2")
_OVERHEAD = 1.5
_ENGINES = ("local, 1 thread", "local, 2 threads", *_SHAPES)
_LIMIT_S = 1800


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    scale, side = (10, 32) if quick else (18, 500)
    found = []
    for engine in _ENGINES:
        local = engine.startswith("local")
        shape = None if local else engine
        ranks = 1 if shape is None else int(np.prod([int(k) for k in shape.split("x")]))
        with _environment(EDGEWISE_NUM_THREADS="2" if engine == "local, 2 threads" else "1"):
            rows = launch(turns, shape, scale, side, trials, ranks=ranks, timeout=_LIMIT_S)[0]
        found += [{"engine": engine, **row} for row in rows]
        tell(f"{engine} is done")
    return found


def turns(comm: Any, shape: str | None, scale: int, side: int, trials: int) -> list[dict[str, Any]]:
    """The program of a rank: every algorithm on every graph, on a grid or without one."""
    grid = None if shape is None else Grid(comm, shape)
    found = []
    for name, graph in (
        (f"rmat{scale}", generators.rmat(scale, seed=1)),
        (f"grid{side}", generators.grid_2d(side, side)),
    ):
        source = int(graph.degrees().argmax())
        random = np.random.default_rng(1)
        weighted = graph.with_weights(random.integers(1, 65, graph.num_edges).astype(np.int32))
        if grid is not None:
            graph, weighted = distribute(graph, grid=grid), distribute(weighted, grid=grid)
        for algorithm, run in _algorithms(graph, weighted, source).items():
            seconds = [_timed(comm, run) for _ in range(trials + 1)][1:]
            found.append({"graph": name, "algorithm": algorithm, "seconds": seconds})
    return found


def _algorithms(graph: Any, weighted: Any, source: int) -> dict[str, Callable[[], Any]]:
    return {
        "BFS": lambda: edgewise.bfs(graph, source),
        "PageRank": lambda: fixed_pagerank(graph, 10),
        "components": lambda: edgewise.connected_components(graph),
        "SSSP": lambda: edgewise.sssp(weighted, source),
        "matching": lambda: matching.locally_dominant(weighted),
    }


def _timed(comm: Any, run: Callable[[], Any]) -> float:
    comm.barrier()
    start = time.perf_counter()
    run()
    comm.barrier()
    return time.perf_counter() - start


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    times = {(r["graph"], r["algorithm"], r["engine"]): median(r["seconds"]) for r in rows}
    lines, over = [], {}
    for graph, name in dict.fromkeys((row["graph"], row["algorithm"]) for row in rows):
        own = {engine: times[graph, name, engine] for engine in _ENGINES}
        base = own["local, 1 thread"]
        lines.append(
            [graph, name, *(f"{spell_time(own[e])} ({own[e] / base:.2f})" for e in _ENGINES)]
        )
        over[f"{name} on {graph}"] = own["1x1"] / base
    worst = max(over, key=lambda key: over[key])
    met = over[worst] < _OVERHEAD
    return "\n\n".join(
        [
            "## Wall time with MPI",
            f"Medians of {len(rows[0]['seconds'])} turns, {about['date']}, {about['machine']}; in "
            "brackets, divided by the time of one thread in one process. Each rank has one thread; "
            "4 ranks share the 2 cores. PageRank has 10 rounds.",
            table(["Graph", "", *_ENGINES], lines),
            f"- {'PASS' if met else 'MISS'}: a 1x1 grid takes less than {_OVERHEAD} times the "
            f"local engine's time: at most {over[worst]:.2f} ({worst}).",
        ]
    )
