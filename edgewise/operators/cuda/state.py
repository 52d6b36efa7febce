"""Members and adjacencies as CUDA kernels take them, and how kernels over members are launched."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import grid_barrier, load
from edgewise.base.cuda.device import array_module, current_device, host, simulated
from edgewise.base.cuda.kernels import Kernel, Packed, device
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.report import Report
from edgewise.operators.adjacency import Adjacency, adjacency
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
    "counters",
    "launch",
    "listed",
    "meet",
    "nothing",
    "plain",
    "tell",
    "told",
]

#: Threads of a block, where a kernel has no reason to choose otherwise.
THREADS = 32 if simulated() else 256
#: Up to so many members are the work of one block.
FEW = 512
#: Which of the `counters` is the first vertex with a wrong pointer; their number if none has one.
WRONG = 0


class Counters(NamedTuple):
    """Three counters, of which `WRONG` has its value for none, and what belongs to them."""

    counts: Any
    control: Any  # the word of a barrier
    report: Report  # where a block that is alone tells what they are


class Along(NamedTuple):
    """An adjacency whose arrays are all there (dummies for None), and which of them are real."""

    arrays: Any  # an Adjacency
    weighted: bool
    mapped: bool
    packed: Packed  # the arrays, for many launches


def nothing(dtype: Any = np.int32) -> Any:
    """An array for a kernel that will not look at it; one and the same on each device."""
    return _nothing(current_device(), dtype)


@cache
def _nothing(number: int, dtype: Any) -> Any:
    return array_module().zeros(1, dtype)


def along(
    graph: Any, edges: str, weights: Any, names: tuple[str, ...], pull: bool
) -> tuple[Along, Along]:
    """The adjacencies along ``edges`` and against them, see `edgewise.operators.adjacency`."""
    out, into = adjacency(graph, edges, weights, names, pull)
    one = plain(out)
    return one, one if into is out else plain(into)


def plain(rows: Adjacency) -> Along:
    """The adjacency with dummies for what is not there."""
    weights = nothing() if rows.weights is None else rows.weights
    edge_ids = nothing(np.int64) if rows.edge_ids is None else rows.edge_ids
    arrays = Adjacency(rows.indptr, rows.indices, weights, edge_ids)
    return Along(arrays, rows.weights is not None, rows.edge_ids is not None, Packed(arrays))


def blocks_for(count: int, threads: int = THREADS) -> int:
    """How many blocks give every one of ``count`` items a thread."""
    return -(-count // threads)


def listed(graph: Any, members: Frontier | None) -> tuple[Any, int]:
    """The ids of members, any array where all vertices are meant, and how many they are."""
    if members is None:
        return graph.indptr, graph.num_vertices
    return members.ids, len(members.ids)


def counters(graph: Any) -> borrowed:
    """The `Counters` of a graph, for a ``with`` block."""

    def make() -> Counters:
        counts = graph.xp.zeros(3, np.int64)
        counts[WRONG] = graph.num_vertices
        return Counters(counts, graph.xp.zeros(1, np.int32), Report(graph.xp, 3))

    return borrowed(graph, "counters", make)


def launch(run: Kernel, count: int, control: Any, *args: Any) -> None:
    """Launch a kernel whose threads stride over so many items and `meet`, on one block for a few.

    Its last arguments are the barrier's word and the number of blocks.
    """
    if count <= FEW:
        run(1, THREADS, *args, control, 1)
    else:
        control.fill(0)
        run.fill(THREADS, *args, control)


@device
def meet(control, blocks):
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
