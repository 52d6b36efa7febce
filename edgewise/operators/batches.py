"""`pair` with edges that stay in host memory: they go to one or more devices batch by batch.

Every device has a contiguous range of vertices with its share of the edges, and goes through it in
batches of equally many edges [1]. The arrays over vertices are on every device. A round: each
device lets its vertices point, one batch after the other; the devices tell each other where theirs
point; each notes the mates of its own; they tell each other who is taken. The mates are those of
`pair`, for any number of batches and devices: nothing but the order of looking changes.

[1] M. Mandulak, S. Ghosh, S. M. Ferdous, M. Halappanavar, G. Slota. Efficient weighted graph
    matching on GPUs. SC 2024.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

import numpy as np

from edgewise.base.checks import check_count, check_undirected
from edgewise.base.compiling import clock
from edgewise.base.observe import notify, observed
from edgewise.operators.adjacency import Adjacency, adjacency

__all__ = ["Part", "pair_in_batches", "split"]


class Part(Protocol):
    """One device with a range of the vertices. Times are seconds so far, by phase."""

    low: int
    high: int
    times: dict[str, float]

    def look(self) -> tuple[int, int]:
        """Let the vertices point that must: how many are in play, and arcs looked at."""

    def pointers(self) -> Any:
        """Where the vertices of the range point, on whatever device."""

    def hear(self, low: int, high: int, pointers: Any) -> None:
        """Learn where the vertices of another range point."""

    def settle(self) -> int:
        """Note the mates in the range; how many vertices found one."""

    def taken(self) -> Any:
        """The taken vertices as bits in words of 32."""

    def mark(self, taken: Any) -> None:
        """Learn whom another part has taken."""

    def mates(self) -> np.ndarray:
        """The mates in the range, on the host."""

    def close(self) -> None:
        """Give back what the part holds."""


def pair_in_batches(graph: Any, mates: Any, weights: Any, batches: Any, devices: Any) -> None:
    """See `edgewise.operators.pair`."""
    check_undirected(graph, "pair")
    if graph.device != "cpu":
        raise ValueError(
            "batches and devices are for a graph in host memory; copy it with graph.to('cpu')"
        )
    names = ["cuda"] if devices is None else [devices] if isinstance(devices, str) else [*devices]
    if not names:
        raise ValueError("devices must name at least one device")
    if batches != "auto":
        batches = check_count(1 if batches is None else batches, "batches", 1)
    rows = adjacency(graph, "out", weights, ("weight",), False)[0]
    parts = _parts(rows, mates, names, batches)
    try:
        _play(parts, observed())
        for part in parts:
            mates[part.low : part.high] = part.mates()
    finally:
        for part in parts:
            part.close()


def split(indptr: np.ndarray, low: int, high: int, parts: int) -> list[tuple[int, int]]:
    """Cut the vertices ``low..high`` into ranges of about equally many arcs.

    >>> split(np.array([0, 4, 5, 6, 8]), 0, 4, 2)
    [(0, 1), (1, 4)]
    """
    first, last = int(indptr[low]), int(indptr[high])
    wanted = first + (last - first) * np.arange(1, parts) // parts
    cuts = low + np.searchsorted(indptr[low:high], wanted)
    ends = [low, *np.clip(cuts, low, high).tolist(), high]
    return list(zip(ends[:-1], ends[1:], strict=True))


def _parts(rows: Adjacency, mates: Any, names: list[str], batches: Any) -> list[Part]:
    ranges = split(rows.indptr, 0, len(rows.indptr) - 1, len(names))
    parts: list[Part] = []
    try:
        for name, (low, high) in zip(names, ranges, strict=True):
            kind = "cpu" if name == "cpu" else "cuda"
            made = import_module(f"edgewise.operators.{kind}.batches").part
            parts.append(made(rows, mates, name, low, high, batches))
    except BaseException:
        for part in parts:
            part.close()
        raise
    return parts


def _play(parts: list[Part], watched: bool) -> None:
    """Round after round, until nobody is in play."""
    iteration = 0
    before = _times(parts)
    while True:
        alive, visited = map(sum, zip(*(part.look() for part in parts), strict=True))
        if alive == 0:
            return
        begin = clock()
        for part in parts:
            for other in parts:
                if other is not part:
                    other.hear(part.low, part.high, part.pointers())
        parts[0].times["synchronization"] += clock() - begin
        paired = sum(part.settle() for part in parts)
        begin = clock()
        for part in parts:
            for other in parts:
                if other is not part:
                    other.mark(part.taken())
        parts[0].times["synchronization"] += clock() - begin
        if watched:
            now = _times(parts)
            spent = {phase: now[phase] - before[phase] for phase in now}
            notify(iteration, committed=paired // 2, visited=visited, **spent)
            before = now
        iteration += 1


def _times(parts: list[Part]) -> dict[str, float]:
    return {phase: sum(part.times[phase] for part in parts) for phase in parts[0].times}
