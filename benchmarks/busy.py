"""Calls on a busy machine: as many processes that compute beside them as there are cores.

Each row is timed by turns, quiet and busy; the busy processes are stopped (SIGSTOP) in between, so
both see the same machine. With one busy process per core, twice the quiet time is fair.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.report import machine, spell_time, table
from benchmarks.timing import mean_time

__all__ = ["measure_busy"]

_WANTED = 2.5
_SPIN = "while True: pass"


def measure_busy(
    threads: int, trials: int, folder: Path, tell: Callable[[str], None], *, quick: bool = False
) -> str:
    """Time every row quiet and busy; the report in Markdown, also written to ``folder``."""
    import edgewise as ew

    ew.set_threads(threads)
    rows = []
    with _neighbors(threads) as busy:
        for name, call in _calls(10 if quick else 18):
            call()
            times: tuple[list[float], list[float]] = [], []
            for _ in range(trials):
                for kind, neighbors in ((0, busy.stop), (1, busy.go_on)):
                    neighbors()
                    times[kind].append(mean_time(call, 0.33))
            quiet, loaded = map(median, times)
            ratio = loaded / quiet
            verdict = "" if ratio <= _WANTED else f"more than {_WANTED}"
            rows.append([name, spell_time(quiet), spell_time(loaded), f"{ratio:.2f}", verdict])
            tell(" | ".join(rows[-1]))
    head = ["call", "idle machine", "busy machine", "times slower", ""]
    text = (
        f"{machine()}, {threads} threads, {threads} busy processes. Medians of {trials} turns.\n\n"
        f"{table(head, rows)}\n"
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "busy.md").write_text(f"# busy\n\n{text}")
    return text


def _calls(scale: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What people call, on a graph of hubs, on a grid, and on a small power grid's like."""
    import edgewise as ew

    hubs = ew.generators.rmat(scale, seed=27)
    side = 1 << (scale + 2) // 2
    roads = ew.generators.road(side, side, seed=27)
    small = ew.generators.road(70, 70, seed=27)
    start = int(hubs.degrees().argmax())
    yield f"core_number, R-MAT {scale}", lambda: ew.core_number(hubs)
    yield f"bfs, R-MAT {scale}", lambda: ew.bfs(hubs, start)
    yield f"pagerank, R-MAT {scale}", lambda: ew.pagerank(hubs)
    yield f"connected_components, R-MAT {scale}", lambda: ew.connected_components(hubs)
    yield f"triangle_count, R-MAT {scale}", lambda: ew.triangle_count(hubs)
    yield f"louvain, R-MAT {scale}", lambda: ew.communities.louvain(hubs)
    yield f"bfs, road {side}", lambda: ew.bfs(roads, 0)
    yield f"sssp, road {side}", lambda: ew.sssp(roads, 0)
    yield f"connected_components, road {side}", lambda: ew.connected_components(roads)
    yield f"core_number, road {side}", lambda: ew.core_number(roads)
    yield (
        "betweenness_centrality, 64 sources, road 70",
        lambda: ew.betweenness_centrality(small, k=64),
    )
    yield "closeness_centrality, road 70", lambda: ew.closeness_centrality(small)


class _Neighbors:
    def __init__(self, count: int):
        self.processes = [subprocess.Popen([sys.executable, "-c", _SPIN]) for _ in range(count)]

    def stop(self) -> None:
        self._send(signal.SIGSTOP)

    def go_on(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: int) -> None:
        for process in self.processes:
            os.kill(process.pid, number)
        time.sleep(0.02)


@contextmanager
def _neighbors(count: int) -> Iterator[_Neighbors]:
    """Processes that compute for as long as the block lasts."""
    neighbors = _Neighbors(count)
    try:
        yield neighbors
    finally:
        for process in neighbors.processes:
            process.kill()
            process.wait()
