"""Members and adjacencies as CUDA kernels take them, and how kernels over members are launched."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import grid_barrier, load
from edgewise.base.cuda.device import array_module, check_memory, current_device, host, simulated
from edgewise.base.cuda.kernels import Kernel, Packed, device
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.launches import lasting
from edgewise.base.cuda.mapped_memory import Report
from edgewise.graph import Graph
from edgewise.operators.adjacency import Adjacency, adjacency, toward, weights_read
from edgewise.operators.frontier import Frontier
from edgewise.operators.workspace import borrowed

__all__ = [
    "FEW",
    "THREADS",
    "WRONG",
    "Along",
    "Counters",
    "along",
    "blocks_for",
    "check_work",
    "counters",
    "incoming",
    "launch",
    "listed",
    "nothing",
    "synchronize",
    "tell",
    "told",
]  # fmt: skip

#: Threads of a block, where a kernel has no reason to choose otherwise.
THREADS = 32 if simulated() else 256
#: Up to so many members are the work of one block.
FEW = 512
#: Less work than so many bytes is not asked about: that takes as long as a small call.
LARGE = 1 << 26
#: Which of the `counters` is the first vertex with a wrong pointer; their number if none has one.
WRONG = 0


class Counters(NamedTuple):
    """Three counters, of which `WRONG` has its value for none, and what belongs to them."""

    counts: Any
    control: Any  # the word of a barrier
    report: Report  # where a block that is alone tells what they are


class Along(NamedTuple):
    """An adjacency, and the same for many launches."""

    arrays: Adjacency
    packed: Packed


def nothing(dtype: Any = np.int32) -> Any:
    """An array for a kernel that will not look at it; one and the same on each device."""
    return _nothing(current_device(), dtype)


@cache
def _nothing(number: int, dtype: Any) -> Any:
    return lasting(array_module().zeros(1, dtype))


def check_work(what: str, *arrays: tuple[int, Any]) -> None:
    """MemoryError that says what is needed and what is free, if work arrays do not fit.

    ``arrays`` are pairs of a length and an element type; asked before the first is made.
    """
    needed = sum(int(count) * np.dtype(kind).itemsize for count, kind in arrays)
    if needed >= LARGE:
        check_memory(needed, what)


def along(
    graph: Graph, mode: str, weights: Any, names: tuple[str, ...], pull: bool = False
) -> tuple[Along, Along]:
    """The adjacencies along ``mode`` and against them, see `edgewise.operators.adjacency`.

    They are kept with the graph unless weights are an array.
    """
    kept: dict[Any, Any] = {}
    weights = weights_read(graph, weights, names)
    named = weights is None or isinstance(weights, str)
    if named:
        kept = getattr(graph, "__dict__", kept).setdefault("_along", kept)
    key = mode, weights if named else "array", "edge" in names, pull
    if key not in kept:
        out, into = adjacency(graph, mode, weights, names, pull)
        one = Along(out, Packed(out))
        kept[key] = one, one if into is out else Along(into, Packed(into))
        if named:
            for array in (*out, *into):
                if array is not None:
                    lasting(array)
    return kept[key]


def incoming(graph: Graph, mode: str, weights: Any, names: tuple[str, ...]) -> Along:
    """For every vertex its edges, with those that send to it along ``mode``."""
    return along(graph, toward(graph, mode), weights, names)[0]


def blocks_for(count: int, threads: int = THREADS) -> int:
    """How many blocks give every one of ``count`` items a thread."""
    return -(-count // threads)


def listed(graph: Graph, members: Frontier | None) -> tuple[Any, int]:
    """The ids of members, any array where all vertices are meant, and how many they are."""
    if members is None:
        return graph.indptr, graph.num_vertices
    return members.ids, len(members.ids)


def counters(graph: Graph) -> borrowed:
    """The `Counters` of a graph, for a ``with`` block."""

    def make() -> Counters:
        counts = graph.xp.zeros(3, np.int64)
        counts[WRONG] = graph.num_vertices
        control = lasting(graph.xp.zeros(1, np.int32))
        return Counters(lasting(counts), control, Report(graph.xp, 3))

    return borrowed(graph, "counters", make)


def launch(run: Kernel, count: int, control: Any, *args: Any) -> None:
    """Launch a kernel whose threads stride over so many items and `synchronize`, on one block for
    a few.

    Its last arguments are the barrier's word and the number of blocks.
    """
    if count <= FEW:
        run(1, THREADS, *args, control, 1)
    else:
        control.fill(0)
        run.fill(THREADS, *args, control)


@device
def synchronize(control, blocks):
    """Wait until all threads of all blocks are here; what was written before is seen by all."""
    if blocks > 1:
        grid_barrier(control, blocks)
    else:
        cuda.syncthreads()


@device
def tell(counts, report, blocks):
    """Report the counters if there is one block: the last thing that all its threads do."""
    if blocks == 1:
        cuda.syncthreads()
        if cuda.threadIdx.x < 3:
            report[cuda.threadIdx.x] = load(counts, cuda.threadIdx.x)


def told(one: Counters, count: int) -> list[int]:
    """The counters after a `launch` over so many items whose kernel ends with `tell`."""
    return one.report.read() if count <= FEW else host(one.counts).tolist()
