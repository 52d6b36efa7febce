"""Algorithms on simulated ranks, and what is kept of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np

import edgewise
from edgewise.distributed import Grid, exchange, simulate_grid
from edgewise.distributed.cut import Cut
from edgewise.distributed.pricing import Model

__all__ = ["ALGORITHMS", "fixed_pagerank", "priced", "sizes", "square"]

_ROUNDS = 5


def priced(
    cut: Cut, function: Callable[[Any], Any], model: str | Model = "infiniband"
) -> dict[str, Any]:
    """Run ``function(graph)`` on all ranks of a cut graph; what it took without the set-up."""
    shape = cut.layout.shape

    def program(comm: Any) -> None:
        with comm.phase("set-up"):
            graph = cut.block(Grid(comm, shape))
        function(graph)

    # Queues that travel with their length because they are short would not be, in a larger graph.
    short = exchange._SHORT if isinstance(model, str) else 0
    with patch.object(exchange, "_SHORT", short):
        report = simulate_grid(program, shape[0] * shape[1], model=model).report
    phases = [phase for phase in report.phases if phase != "set-up"]

    def of_ranks(field: str) -> np.ndarray:
        return np.sum([report.per_rank(field, phase) for phase in phases], axis=0)

    computing, talking, waiting = map(of_ranks, ("computing", "talking", "waiting"))
    return {
        "ranks": report.size,
        "grid": f"{shape[0]}x{shape[1]}",
        "messages": int(of_ranks("messages").sum()),
        "bytes": int(of_ranks("sent").max()),
        "bytes_in_all": int(of_ranks("sent").sum()),
        "computing_s": float(computing.max()),
        "talking_s": float(talking.max()),
        "time_s": float((computing + talking + waiting).max()),
        "rounds": int(report.per_rank("collectives", "control")[0]),  # a sum over all ranks each
        "processor_s": float(of_ranks("measured").sum()),
    }


def square(graph: Any, side: int) -> Cut:
    """A graph cut for a square grid.

    A 1x1 grid that is laid out like the graph runs in the local engine, which counts nothing; laid
    out at random it does the same work as a grid.
    """
    return Cut(graph, (side, side), distribution="random" if side == 1 else "striped")


def sizes(sides: tuple[int, ...], quick: bool) -> tuple[int, ...]:
    """The sides of square grids; a quick run has the first of them."""
    return sides[:3] if quick else sides


def fixed_pagerank(graph: Any, rounds: int = _ROUNDS) -> None:
    """So many rounds of PageRank, whatever its error."""
    try:
        edgewise.pagerank(graph, tol=0, max_iter=rounds)
    except edgewise.ConvergenceError:
        pass


def _bfs(graph: Any, source: int) -> None:
    edgewise.bfs(graph, source)


def _pagerank(graph: Any, source: int) -> None:
    fixed_pagerank(graph)


def _components(graph: Any, source: int) -> None:
    edgewise.connected_components(graph)


#: Of a graph and a vertex to start from.
ALGORITHMS: dict[str, Callable[[Any, int], None]] = {
    "BFS": _bfs,
    "PageRank": _pagerank,
    "components": _components,
}
