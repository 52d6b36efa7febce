"""Matching with the edges in host memory: time by batch count and phase, limits, several devices.

After Figures 4.6 and 4.7 of Mandulak's thesis. Every matching is compared with that of CPU threads.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import edgewise
from benchmarks.report import table
from edgewise import generators
from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.matching.out_of_core import match_in_batches

__all__ = ["measure_batches"]

_BATCHES = (1, 2, 3, 5, 10)
_PARTS = (2, 4)
_PHASES = ("transfer", "pointing", "matching", "synchronization")
#: The edges are so many times what a limit leaves for them.
_LIMITS = (3, 8)


def measure_batches(
    scale: int, trials: int, device: str, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure an R-MAT graph with weights in (0, 1]; the report, also written to ``folder``."""
    graph = generators.rmat(scale, seed=1)
    graph = graph.with_weights(1 - np.random.default_rng(1).random(graph.num_edges))
    wanted = _mates(graph)
    found: list[dict[str, Any]] = []

    def note(what: str, **options: Any) -> None:
        row = {"what": what, **_measure(graph, wanted, trials, **options)}
        found.append(row)
        tell(" ".join(f"{key}={value}" for key, value in row.items()))

    for batches in _BATCHES:
        note(f"{batches} batches", num_batches=batches, device=device)
    for parts in _PARTS:
        note(f"{parts} parts", device=[device] * parts)
    if device != "cpu":
        _with_limits(graph, note, device)
    rows = [[row["what"], *(f"{row[key]:.1f} ms" for key in ("call", *_PHASES))] for row in found]
    text = (
        f"R-MAT {scale}, {graph.num_arcs:,} arcs, on {device}, {time.strftime('%Y-%m-%d')}: "
        "`python -m benchmarks batches`. The phases are those of one more, watched call.\n\n"
        + table(["", "call", *_PHASES], rows)
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "batches.json").write_text(json.dumps(found, indent=1))
    (folder / "batches.md").write_text(f"# batches\n\n{text}\n")
    return text


def _with_limits(graph: Any, note: Callable, device: str) -> None:
    """Let CuPy's pool hold the arrays over vertices and a part of the edges."""
    import cupy

    pool, edges = cupy.get_default_memory_pool(), graph.num_arcs * (graph.indices.itemsize + 8)
    for share in _LIMITS:
        pool.free_all_blocks()
        pool.set_limit(size=69 * graph.num_vertices + edges // share)
        try:
            limit = pool.get_limit() / 2**30
            note(f"auto, within {limit:.2f} GiB", num_batches="auto", device=device)
        finally:
            pool.set_limit(size=0)


def _measure(graph: Any, wanted: np.ndarray, trials: int, **options: Any) -> dict[str, float]:
    """Milliseconds of a call, and of its phases; an error if the matching is another."""
    spent = []
    for _ in range(trials + 1):  # the first compiles
        begin = time.perf_counter()
        mates = _mates(graph, **options)
        spent.append(time.perf_counter() - begin)
        if not np.array_equal(mates, wanted):
            raise AssertionError(f"another matching with {options}")
    with edgewise.observe(edgewise.Trace()) as trace:
        _mates(graph, **options)
    phases = {name: 1e3 * sum(row[name] for row in trace.rows) for name in _PHASES}
    return {"call": 1e3 * median(spent[1:]), **phases}


def _mates(graph: Any, num_batches: Any = None, device: Any = None) -> np.ndarray:
    """The mates, without what they are worth."""
    mates = graph.full(-1, graph.indices.dtype)
    if num_batches is None and device is None:
        match_free(graph, mates, "weight")
    else:
        match_in_batches(graph, mates, "weight", num_batches, device)
    return mates
