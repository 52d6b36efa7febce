"""How calls scale with the number of threads, beside the GAP binaries that EDGEWISE_GAP names.

Every row runs in one process, with 1, 2, 4, ... threads by turns. Graphs are made on the spot, so
that the table can be taken on any machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.gap import gap_folder
from benchmarks.report import machine, spell_time, table
from benchmarks.timing import median_time

__all__ = ["measure_threads"]

#: How many times one thread's speed the largest number of threads should have, where it is 16.
_WANTED = {"pagerank, 20 rounds": 10, "connected_components": 8, "bfs": 8, "sssp": 8, "louvain": 8,
           "core_number": 6}  # fmt: skip
_SECONDS = 0.2


def measure_threads(
    counts: list[int], scale: int, trials: int, only: list[str], folder: Path,
    tell: Callable[[str], None],
) -> str:  # fmt: skip
    """Time every row with each number of threads; the report in Markdown, and in ``folder``."""
    import edgewise as ew

    rows, cells = [], []
    for graph, task, call, gap in _rows(scale):
        if only and task not in only:
            continue
        times = {}
        for _ in range(trials):
            for count in counts:
                with ew.threads(count):
                    call()
                    times[count] = min(times.get(count, 1e9), median_time(call, _SECONDS, 50))
        theirs = {count: gap(count) for count in (counts[0], counts[-1])} if gap else {}
        gain = times[counts[0]] / times[counts[-1]]
        verdict = _verdict(graph, task, times, theirs, scale)
        cells.append({"graph": graph, "task": task, "ours": times, "gap": theirs})
        rows.append([task, graph, *(spell_time(times[count]) for count in counts), f"{gain:.1f}",
                     " and ".join(map(spell_time, theirs.values())), verdict])  # fmt: skip
        tell(" | ".join(rows[-1]))
    head = [
        "task",
        "graph",
        *map(str, counts),
        "times faster than 1 thread",
        f"GAP at {counts[0]} and {counts[-1]}",
        "goal missed",
    ]
    how = f"{machine()}. Medians, the best of {trials} turns, by number of threads."
    text = f"{how}\n\n{table(head, rows)}\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "threads.json").write_text(json.dumps(cells, indent=1) + "\n")
    (folder / "threads.md").write_text(f"# threads\n\n{text}")
    return text


def _verdict(
    graph: str, task: str, times: dict[int, float], theirs: dict[int, float], scale: int
) -> str:
    """What falls short of the targets: speed-up, GAP's time, and never slower with more threads."""
    most, missed = max(times), []
    wanted = _WANTED.get(task) if graph == f"R-MAT {scale}" and most == 16 else None
    if wanted and times[1] / times[most] < wanted:
        missed.append(f"{wanted} times")
    if theirs and theirs[most] < times[most]:
        missed.append("slower than GAP")
    if graph == "R-MAT 14" and times[most] > 1.1 * min(times.values()):
        missed.append("slower than fewer threads")
    return ", ".join(missed)


def _rows(scale: int) -> Iterator[tuple[str, str, Callable[[], Any], Any]]:
    """Graph, task, call, and GAP's time by number of threads."""
    import edgewise as ew

    hubs = ew.generators.rmat(scale, seed=27)
    start = int(hubs.degrees().argmax())
    sources, targets, _ = hubs.edges()
    lengths = hubs.with_weights(
        ew.generators.integer_weights(sources, targets, high=255, seed=27).astype(np.int32)
    )
    side = 1500 if scale >= 18 else 50
    grids, small = ew.generators.road(side, side, seed=27), ew.generators.rmat(14, seed=27)
    name = f"R-MAT {scale}"
    with tempfile.TemporaryDirectory() as folder:
        gap = _gap(hubs, lengths, start, Path(folder))
        yield name, "bfs", lambda: ew.bfs(hubs, start), gap("bfs")
        yield name, "connected_components", lambda: ew.connected_components(hubs), gap("cc")
        yield name, "pagerank, 20 rounds", lambda: _ranks(ew, hubs), gap("pr")
        yield name, "pagerank", lambda: ew.pagerank(hubs), None
        yield name, "sssp", lambda: ew.sssp(lengths, start), gap("sssp")
        yield name, "triangle_count", lambda: ew.triangle_count(hubs), gap("tc")
        yield (
            name,
            "betweenness_centrality, one source",
            lambda: ew.betweenness_centrality(hubs, sources=[start]),
            gap("bc"),
        )
        yield name, "core_number", lambda: ew.core_number(hubs), None
        yield name, "louvain", lambda: ew.communities.louvain(hubs), None
        yield name, "locally_dominant", lambda: ew.matching.locally_dominant(lengths), None
        yield f"road {side}", "bfs", lambda: ew.bfs(grids, 0), None
        yield f"road {side}", "sssp", lambda: ew.sssp(grids, 0), None
        yield f"road {side}", "pagerank", lambda: ew.pagerank(grids), None
        yield "R-MAT 14", "bfs", lambda: ew.bfs(small, 0), None
        yield "R-MAT 14", "pagerank", lambda: ew.pagerank(small), None
        yield "R-MAT 14", "connected_components", lambda: ew.connected_components(small), None
        yield "R-MAT 14", "sssp", lambda: ew.sssp(small, 0), None
        yield "R-MAT 14", "core_number", lambda: ew.core_number(small), None
        yield "R-MAT 14", "louvain", lambda: ew.communities.louvain(small), None
        yield (
            "R-MAT 14",
            "betweenness_centrality, 256",
            lambda: ew.betweenness_centrality(small, k=256),
            None,
        )


def _ranks(ew: Any, graph: Any) -> Any:
    try:
        return ew.pagerank(graph, tol=0, max_iter=20)
    except ew.ConvergenceError as error:  # a tolerance of 0 asks for every iteration
        return error.best


def _gap(hubs: Any, lengths: Any, start: int, folder: Path) -> Callable[[str], Any]:
    """``gap(binary)`` gives its time by number of threads, or None where there is no binary."""
    home = gap_folder()
    if home is None:
        return lambda binary: None
    import edgewise as ew

    ew.write(hubs.with_weights(None) if hubs.weights is not None else hubs, folder / "graph.sg")
    ew.write(lengths, folder / "graph.wsg")
    more = {"bfs": ["-r", start], "cc": [], "pr": ["-i", 20, "-t", 0],
            "sssp": ["-r", start, "-d", 32], "tc": ["-a"], "bc": ["-r", start]}  # fmt: skip

    def time_of(binary: str, count: int) -> float:
        file = folder / ("graph.wsg" if binary == "sssp" else "graph.sg")
        repeats = 2 if binary == "tc" else 8
        words = [str(one) for one in (home / binary, "-f", file, "-n", repeats, *more[binary])]
        environment = {**os.environ, "OMP_NUM_THREADS": str(count)}
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        lines = [line for line in done.stdout.splitlines() if line.startswith("Trial Time:")]
        return median(float(line.split()[2]) for line in lines)

    return lambda binary: lambda count: time_of(binary, count)
