"""Calls on small graphs, beside igraph and SciPy: what a call costs before there is much to do.

All keep the graph in their own form beforehand, and answer the same question. A call is repeated
until a tenth of a second has passed, in several turns by library; the best mean counts. Peers whose
call takes a second are called once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.graphs import data_folder
from benchmarks.report import machine, spell_time, table
from benchmarks.small_tasks import MOST, Given, as_given, tasks
from benchmarks.timing import mean_time

__all__ = ["measure_small"]

#: From so many edges on no row may take longer than this share of the fastest library's time.
_FROM, _WANTED = 5000, 1.2
#: Below, a call takes this long at most, or less than the fastest library.
_QUICK = 100e-6
_PEERS = {"igraph": "igraph", "scipy": "SciPy"}
_FILES = {
    "cora": "cora.csv.gz",
    "wiki-Vote": "wiki-Vote.txt.gz",
    "ca-HepPh": "ca-HepPh.txt.gz",
    "cond-mat": "cond-mat-2005.weighted.txt.gz",
}


def measure_small(
    threads: int, trials: int, only: list[str], folder: Path, tell: Callable[[str], None],
    *, quick: bool = False,
) -> str:  # fmt: skip
    """Time every row on every graph; the report in Markdown, also written to ``folder``."""
    import edgewise as ew

    ew.set_threads(threads)
    cells = []
    for name, given in _graphs(quick):
        for task, calls in tasks(given).items():
            edges = given.ours.num_edges
            if (only and task not in only) or edges > MOST.get(task, edges):
                continue
            if quick:
                calls = {library: calls[library] for library in ("ours", *list(calls)[1:2])}
            seconds = _turns(calls, 1 if quick else trials)
            alone = _alone(ew, calls["ours"], trials) if threads > 1 and not quick else None
            cells.append({"graph": name, "edges": edges, "task": task,
                          "threads": threads, "one_thread": alone, **seconds})  # fmt: skip
            tell(" | ".join(_line(cells[-1])))
    text = _markdown(cells, threads, trials)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.json").write_text(json.dumps(cells, indent=1) + "\n")
    (folder / "small.md").write_text(f"# small\n\n{text}")
    return text


def _markdown(cells: list[dict[str, Any]], threads: int, trials: int) -> str:
    head = ["task", "graph", "Edgewise", "on one thread", "fastest peer", "its time",
            "times faster", "goal"]  # fmt: skip
    about = f"{machine()}, {threads} threads. Best of {trials} turns."
    return f"{about}\n\n{table(head, map(_line, cells))}\n"


def _line(cell: dict[str, Any]) -> list[str]:
    """A row of the table: our time, the fastest peer's, and whether the goal is missed."""
    ours, alone = cell["ours"], cell["one_thread"]
    peers = {name: cell[name] for name in _PEERS if name in cell}
    fastest = min(peers, key=lambda name: peers[name])
    large, ratio = cell["edges"] >= _FROM, ours / peers[fastest]
    miss = ratio > (_WANTED if large else 1.0) and (large or ours > _QUICK)
    return [
        cell["task"], cell["graph"], spell_time(ours), "" if alone is None else spell_time(alone),
        _PEERS[fastest], spell_time(peers[fastest]), f"{1 / ratio:.2f}", "missed" if miss else "",
    ]  # fmt: skip


def _graphs(quick: bool) -> Iterator[tuple[str, Given]]:
    """From a hundred edges to hundreds of thousands; files where they are at hand."""
    import edgewise as ew

    yield "random 100", as_given(ew.generators.gnm_random(100, 300, seed=1))
    if quick:
        return
    yield "road 70 x 70", as_given(ew.generators.road(70, 70, seed=1))
    yield "R-MAT 12", as_given(ew.generators.rmat(12, seed=1))
    folder = data_folder() / "graphs"
    for name, file in _FILES.items():
        if (folder / file).exists():
            yield name, as_given(ew.read(folder / file, directed=False))


def _turns(calls: dict[str, Callable[[], Any]], trials: int) -> dict[str, float]:
    """The best mean of each library; of one that takes a second and more, its first call."""
    best = {}
    for library, call in calls.items():
        if library == "ours":
            call()  # kernels are loaded
        best[library] = mean_time(call, 0)
    for _ in range(trials):
        for library, call in calls.items():
            if best[library] < 1 or library == "ours":
                best[library] = min(best[library], mean_time(call, 0.1))
    return best


def _alone(ew: Any, call: Callable[[], Any], trials: int) -> float:
    with ew.threads(1):
        call()
        return min(mean_time(call, 0.1) for _ in range(trials))
