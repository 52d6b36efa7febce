"""Ranks that communicate over TCP, without MPI: the ranks of `edgewise.cluster`.

Small arrays go along binomial trees, 2 (g - 1) messages among g ranks. Large reductions are cut
into shares, each of which one rank adds up in the order of the ranks. Sums are the same on all
ranks, and the same again for the same number of ranks. Arrays of a GPU go through host memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.comm import OPERATIONS, Communicator
from edgewise.distributed.mesh import Mesh
from edgewise.distributed.rank_threads import Call
from edgewise.graph.transfer import host

__all__ = ["TcpCommunicator"]

_SMALL = 1 << 14  # bytes up to which latency is most of the cost


class TcpCommunicator(Communicator):
    """A rank of a group of ranks, each of which has a connection to every other."""

    def __init__(self, mesh: Mesh, members: list[int] | None = None) -> None:
        self.mesh = mesh
        #: The ranks of this group, by their numbers in the mesh.
        self.members = list(range(mesh.size)) if members is None else members
        self.rank, self.size = self.members.index(mesh.rank), len(self.members)

    def barrier(self) -> None:
        if self.size > 1:
            self._tree_reduce(self._name("barrier"), np.zeros(1, np.uint8), "max")

    def split(self, color: int, key: int) -> TcpCommunicator:
        mine = np.array([color, key], np.int64)
        every = self.allgatherv(mine, [2] * self.size)[0].reshape(-1, 2).tolist()
        ranks = [rank for rank in range(self.size) if every[rank][0] == int(color)]
        ranks.sort(key=lambda rank: every[rank][1])
        return TcpCommunicator(self.mesh, [self.members[rank] for rank in ranks])

    def fail(self, error: BaseException) -> None:
        raise error

    def exchange_counts(self, counts: list[int]) -> list[int]:
        """How much every rank has for this one."""
        return self._alltoallv(np.array(counts, np.int64), [1] * self.size)[0].tolist()

    def _allreduce(self, array: Any, op: str) -> Any:
        mine = host(array)
        name = self._name("allreduce", op, str(mine.dtype), len(mine))
        if mine.nbytes <= _SMALL:
            return _like(array, self._tree_reduce(name, mine, op))
        counts = np.diff([len(mine) * k // self.size for k in range(self.size + 1)]).tolist()
        parts = self._pairs(name, mine, counts)
        total = parts[0]
        for other in parts[1:]:
            total = OPERATIONS[op](total, other)
        return _like(array, self._gather_pairs(name, total, counts))

    def _broadcast(self, array: Any, root: int) -> Any:
        mine = host(array)
        name = self._name("broadcast", f"root {root}", str(mine.dtype), len(mine))
        found = self._tree_broadcast(name, mine, root)
        if self.rank != root:
            array[...] = _like(array, found)
        return array

    def _counts(self, count: int) -> list[int]:
        name = self._name("counts")
        return self._tree_gather(name, np.array([count], np.int64), [1] * self.size).tolist()

    def _allgatherv(self, array: Any, counts: list[int]) -> Any:
        mine = host(array)
        name = self._name("allgatherv", str(mine.dtype), counts)
        small = sum(counts) * mine.itemsize <= _SMALL
        return _like(
            array, (self._tree_gather if small else self._gather_pairs)(name, mine, counts)
        )

    def _alltoallv(self, array: Any, counts: list[int]) -> tuple[Any, list[int]]:
        mine = host(array)
        parts = self._pairs(self._name("alltoallv", str(mine.dtype)), mine, counts)
        return _like(array, np.concatenate(parts)), [len(part) for part in parts]

    def _name(self, kind: str, *details: Any) -> str:
        """What the frames of a collective say; ranks of other groups say something else."""
        return f"{Call(kind, details)} among {self.size} ranks"

    def _pairs(self, name: str, array: np.ndarray, counts: list[int]) -> list[np.ndarray]:
        """What every rank has for this one, in the order of the ranks."""
        ends = offsets(counts)
        parts = [array[low:high] for low, high in zip(ends, ends[1:], strict=False)]
        others = [rank for rank in range(self.size) if rank != self.rank]
        found = self.mesh.swap(
            name,
            {self.members[rank]: parts[rank] for rank in others},
            [self.members[rank] for rank in others],
        )
        return [
            parts[rank].copy() if rank == self.rank else found[member].view(array.dtype)
            for rank, member in enumerate(self.members)
        ]

    def _gather_pairs(self, name: str, array: np.ndarray, counts: list[int]) -> np.ndarray:
        """All parts, where each rank sends its own to every other."""
        others = [member for member in self.members if member != self.mesh.rank]
        found = self.mesh.swap(name, dict.fromkeys(others, array), others)
        found[self.mesh.rank] = array.view(np.uint8)
        return np.concatenate([found[member].view(array.dtype) for member in self.members])

    def _tree_reduce(self, name: str, array: np.ndarray, op: str) -> np.ndarray:
        total, step = array.copy(), 1
        while step < self.size:
            if self.rank & step:
                self._send(name, self.rank - step, total)
                break
            if self.rank + step < self.size:
                other = self._receive(name, self.rank + step).view(array.dtype)
                total = OPERATIONS[op](total, other)
            step *= 2
        return self._tree_broadcast(name, total, 0)

    def _tree_gather(self, name: str, array: np.ndarray, counts: list[int]) -> np.ndarray:
        ends, step = offsets(counts), 1
        whole = np.empty(int(ends[-1]), array.dtype)
        whole[ends[self.rank] : ends[self.rank + 1]] = array
        while step < self.size:
            if self.rank & step:  # it has the parts of ``step`` ranks by now
                high = min(self.rank + step, self.size)
                self._send(name, self.rank - step, whole[ends[self.rank] : ends[high]])
                break
            if self.rank + step < self.size:
                low, high = self.rank + step, min(self.rank + 2 * step, self.size)
                part = whole[ends[low] : ends[high]]
                part[...] = self._receive(name, low).view(array.dtype)
            step *= 2
        return self._tree_broadcast(name, whole, 0)

    def _tree_broadcast(self, name: str, array: np.ndarray, root: int) -> np.ndarray:
        """The array of ``root``; every rank gets it from its parent in a binomial tree."""
        mine = (self.rank - root) % self.size
        step = 1 << (self.size - 1).bit_length()
        if mine:
            step = mine & -mine
            array = self._receive(name, (mine - step + root) % self.size).view(array.dtype)
        children = []
        while step > 1:
            step //= 2
            if mine + step < self.size:
                children.append(self.members[(mine + step + root) % self.size])
        self.mesh.swap(name, dict.fromkeys(children, array), ())
        return array

    def _send(self, name: str, rank: int, array: np.ndarray) -> None:
        self.mesh.swap(name, {self.members[rank]: array}, ())

    def _receive(self, name: str, rank: int) -> np.ndarray:
        member = self.members[rank]
        return self.mesh.swap(name, {}, [member])[member]


def _like(array: Any, found: np.ndarray) -> Any:
    """A result where ``array`` is: in host memory, or on the GPU."""
    if isinstance(array, np.ndarray):
        return found
    import cupy

    return cupy.asarray(found)
