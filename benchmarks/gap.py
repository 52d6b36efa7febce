"""The binaries of the GAP Benchmark Suite as one more peer.

EDGEWISE_GAP names the folder that holds ``bfs sssp pr cc tc bc``. They get the same graph in their
own file format, the same start (``-r``) and the same number of iterations; the best of several
bucket widths is kept for SSSP, since theirs must be set for each graph. Each turn is one call; its
first runs are not counted, as with every peer. Their own verifiers judge the answers once.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from benchmarks.graphs import Data
from benchmarks.tasks import ITERATIONS
from benchmarks.worker import Reply

__all__ = ["Gap", "gap_folder"]

_BINARIES = {
    "bfs": "bfs",
    "sssp": "sssp",
    "pagerank": "pr",
    "connected_components": "cc",
    "triangle_count": "tc",
    "betweenness_centrality": "bc",
}
_WARM_RUNS = 2
_DELTAS = (2, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)


def gap_folder() -> Path | None:
    """The folder of the binaries, if one is named."""
    named = os.environ.get("EDGEWISE_GAP")
    if not named:
        return None
    missing = [name for name in _BINARIES.values() if not (Path(named) / name).exists()]
    if missing:
        raise FileNotFoundError(f"EDGEWISE_GAP is {named}, which holds no {', '.join(missing)}")
    return Path(named)


class Gap:
    """Answers like a worker, one call of a binary for each request."""

    name, version = "gap", ""

    def __init__(self, folder: Path, data: Data):
        self.folder, self.data = folder, data
        self.delta: int | None = None
        self.verified: set[str] = set()

    def missing(self, task: str) -> str | None:
        return None if task in _BINARIES else "it has no such binary"

    def ask(self, task: str, start: int | None, repeats: int, limit: float) -> Reply | str:
        """The times of ``repeats`` runs; a text where a call failed or took too long."""
        try:
            if task == "sssp" and self.delta is None:
                self.delta = self._best_delta(start, limit)
            if task not in self.verified:
                self._verify(task, start, limit)
            warm = _WARM_RUNS if repeats > 1 else 0
            output = self._call(task, start, repeats + warm, limit)
        except subprocess.TimeoutExpired:
            return f">{limit:.0f} s"
        except (subprocess.CalledProcessError, ValueError) as error:
            return str(error)[:200]
        return Reply(_times(output)[warm:], self._answer(task, output))

    def weigh(self, task: str, start: int | None, limit: float) -> None:
        """Its memory is not measured."""

    def stop(self) -> None:
        """Nothing is left running between calls."""

    def _call(self, task, start, repeats, limit, *more) -> str:
        graph = self.data.serialized(weighted=task == "sssp")
        command = [self.folder / _BINARIES[task], "-f", graph, "-n", repeats, *more]
        if start is not None:
            command += ["-r", start]
        if task == "pagerank":
            command += ["-i", ITERATIONS, "-t", 0] if "-v" not in more else ["-i", 1000]
        if task == "sssp" and "-d" not in more:
            command += ["-d", self.delta]
        if task == "triangle_count":
            command += ["-a"]
        words = [str(word) for word in command]
        allowed = limit * (repeats + 1) + 60
        return subprocess.run(
            words, capture_output=True, text=True, check=True, timeout=allowed
        ).stdout

    def _best_delta(self, start, limit) -> int:
        times = {
            delta: min(_times(self._call("sssp", start, 2, limit, "-d", delta)))
            for delta in _DELTAS
        }
        return min(times, key=times.__getitem__)

    def _verify(self, task, start, limit) -> None:
        """Triangles are compared with the peers' instead: their verifier takes minutes."""
        self.verified.add(task)
        if task != "triangle_count":
            output = self._call(task, start, 1, limit, "-v")
            if "PASS" not in output:
                raise ValueError("its own verifier fails")

    @staticmethod
    def _answer(task, output) -> int | None:
        if task != "triangle_count":
            return None
        return int(re.search(r"^(\d+) triangles", output, re.MULTILINE)[1])


def _times(output: str) -> list[float]:
    return [float(t) for t in re.findall(r"^Trial Time:\s+([\d.]+)", output, re.MULTILINE)]
