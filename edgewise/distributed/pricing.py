"""What a collective costs: steps, messages and bytes, and the time that a network takes for them.

The formulas are those of the two-tree algorithms [1]: two binary trees over the g ranks of a group,
so that an inner rank of one is a leaf of the other; half of the data goes through each, in a
pipeline, and every rank sends and receives at full speed. With n bytes (T of all ranks together):

=============  ==================  ==========  ====================================================
collective     steps               messages    bytes that pass a rank, one after another
=============  ==================  ==========  ====================================================
allreduce      2 ceil(log2 g)      2 (g - 1)   2 n (g - 1) / g
broadcast      ceil(log2 g)        g - 1       n
allgatherv     2 ceil(log2 g)      2 (g - 1)   T down, and the largest part up
alltoallv      g - 1               non-empty   the most that one rank sends or receives
barrier        2 ceil(log2 g)      2 (g - 1)   0
=============  ==================  ==========  ====================================================

Counts of `allgatherv` that nobody knew beforehand cost an allgatherv of 8 bytes per rank, a split
one of 16. A rank other than the tree's root (rank 0 of the group, or the broadcast's root) counts
one message for what it sends up and one for what is sent down to it; in alltoallv the sender counts
one for every other rank that gets something. All that is sent is received: the sums are equal.

[1] P. Sanders, J. Speck, J. L. Träff. Two-tree algorithms for full bandwidth broadcast, reduction
    and scan. Parallel Computing 35, 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

__all__ = [
    "CONTROL",
    "MODELS",
    "Cost",
    "Model",
    "allgatherv",
    "allreduce",
    "alltoallv",
    "barrier",
    "broadcast",
]

#: Bytes of a rank up to which a collective is taken for control.
CONTROL = 16


@dataclass(frozen=True)
class Model:
    """A machine: nodes of some ranks each, links inside and between them, and rates of work.

    A group inside one node uses the node's links. Any other takes the network's latency, and its
    bandwidth (that of a node's link) shared by the ranks of a node. Latencies are per step of a
    collective, software included.
    """

    name: str
    latency_s: float
    bandwidth_bytes_per_s: float
    ranks_per_node: int
    node_latency_s: float
    node_bandwidth_bytes_per_s: float
    edges_per_second: float
    vertices_per_second: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        for field in self.__dataclass_fields__:
            if field == "name":
                continue
            value = getattr(self, field)
            if value < 0 or (value == 0 and "latency" not in field):
                raise ValueError(f"{field} must be positive, got {value!r}")

    def scaled(self, factor: float) -> Model:
        """The same machine, for a graph of which every vertex and edge stands for ``factor`` many.

        Latencies stay; bytes and work take so many times as long. So a graph that fits into one
        process is priced like a large one. Collectives to which no rank brings more than `CONTROL`
        bytes are taken for control, which does not grow with the graph.

        >>> ethernet = MODELS["ethernet"].scaled(10)
        >>> ethernet.seconds([0, 1], 2, 1.2e9), ethernet.seconds([0, 1], 2, 1.2e3, grows=False)
        (10.00006, 6.1e-05)
        """
        if not factor > 0:
            raise ValueError(f"factor must be positive, got {factor!r}")
        return replace(
            self,
            name=f"{self.name} x{factor:g}",
            scale=self.scale * factor,
            edges_per_second=self.edges_per_second / factor,
            vertices_per_second=self.vertices_per_second / factor,
        )

    def seconds(
        self, members: Sequence[int], steps: int, nbytes: float, *, grows: bool = True
    ) -> float:
        """The time of a collective of these ranks of the world."""
        if grows:
            nbytes *= self.scale
        nodes = {member // self.ranks_per_node for member in members}
        if len(nodes) == 1:
            return steps * self.node_latency_s + nbytes / self.node_bandwidth_bytes_per_s
        share = self.bandwidth_bytes_per_s / self.ranks_per_node
        return steps * self.latency_s + nbytes / share


#: EDR InfiniBand: 100 Gbit/s are 12.5 GB/s, of which benchmarks see about 12; 1.5 microseconds for
#: a message and about 10 for a GPU library to start one step. Nodes of 6 GPUs with NVLink of the
#: second generation: three links of 25 GB/s to a neighbor. Rates as of V100-class GPUs (900 GB/s
#: of memory bandwidth): some 5e9 edges and 2e10 vertices a second.
#: Ethernet: 10 Gbit/s are 1.25 GB/s, 30 microseconds through the kernel's TCP; one rank a node,
#: rates as of one CPU.
MODELS = {
    "infiniband": Model("infiniband", 11.5e-6, 12e9, 6, 10e-6, 75e9, 5e9, 2e10),
    "ethernet": Model("ethernet", 30e-6, 1.2e9, 1, 1e-6, 10e9, 2e8, 1e9),
}


class Cost(NamedTuple):
    """What a collective takes: as a whole, and of each rank of the group."""

    steps: int
    nbytes: float
    messages: np.ndarray
    sent: np.ndarray
    received: np.ndarray


def allreduce(size: int, nbytes: int) -> Cost:
    """The cost of an allreduce of arrays of ``nbytes``."""
    each = np.full(size, 2 * nbytes * (size - 1) // size)
    return Cost(2 * _depth(size), int(each[0]), _up_and_down(size), each, each)


def broadcast(size: int, nbytes: int, root: int) -> Cost:
    """The cost of a broadcast: all but the root receive, all but one (a leaf twice) send."""
    messages, sent, received = np.ones(size, np.int64), *np.full((2, size), nbytes)
    messages[root] = received[root] = 0
    sent[root - 1] = 0
    return Cost(_depth(size), nbytes if size > 1 else 0, messages, sent, received)


def allgatherv(parts: Sequence[int]) -> Cost:
    """The cost of an allgatherv of parts of so many bytes: gathered at rank 0, then broadcast."""
    size, own = len(parts), np.asarray(parts, np.int64)
    total = int(own.sum())
    sent, received = own + total, np.full(size, total)
    sent[0] -= own[0]
    sent[-1] -= total
    received[0] -= own[0]
    nbytes = total + int(own.max()) if size > 1 else 0
    return Cost(2 * _depth(size), nbytes, _up_and_down(size), sent, received)


def alltoallv(parts: np.ndarray) -> Cost:
    """The cost of an alltoallv: ``parts[i, j]`` bytes go from rank i to rank j, pair by pair."""
    away = np.array(parts, np.int64)
    np.fill_diagonal(away, 0)
    sent, received = away.sum(axis=1), away.sum(axis=0)
    messages = np.count_nonzero(away, axis=1)
    return Cost(len(away) - 1, int(max(sent.max(), received.max())), messages, sent, received)


def barrier(size: int) -> Cost:
    """The cost of a barrier: an allreduce of nothing."""
    return allreduce(size, 0)


def _depth(size: int) -> int:
    return (size - 1).bit_length()


def _up_and_down(size: int) -> np.ndarray:
    messages = np.full(size, 2)
    messages[0] = 0
    return messages
