"""Ranks with a GPU each, that speak NCCL: CuPy arrays go from GPU to GPU.

MPI starts the ranks, brings them together, carries host arrays and the lengths of messages. Every
call is put on the current stream; whoever uses the result on that stream need not wait for it.
NCCL moves bytes; it has no 16-bit integers to add up, so those are widened for a reduction.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from edgewise.distributed.comm import Communicator
from edgewise.distributed.mpi import MpiCommunicator

__all__ = ["NcclCommunicator", "best"]

_TYPES = {
    "b1": "NCCL_UINT8",
    "i1": "NCCL_INT8",
    "u1": "NCCL_UINT8",
    "i4": "NCCL_INT32",
    "u4": "NCCL_UINT32",
    "i8": "NCCL_INT64",
    "u8": "NCCL_UINT64",
    "f4": "NCCL_FLOAT32",
    "f8": "NCCL_FLOAT64",
}
_WIDER = {"i2": np.int32, "u2": np.uint32}


def best(comm: Communicator, device: str | int) -> Communicator:
    """NCCL, if it is there and every rank has a GPU of its own; otherwise ``comm`` as it is.

    ``device`` is the rank's: "cpu", "cuda", "cuda:1", or the number of a GPU. Collective.
    """
    if not isinstance(comm, MpiCommunicator):
        return comm
    number = _number(device)
    places = comm.gather_objects(None if number is None else _place(number))
    if number is None or None in places or len(set(places)) < comm.size:
        return comm
    return NcclCommunicator(comm, number)


class NcclCommunicator(Communicator):
    """A rank with a GPU of its own. Collective: all ranks of ``mpi`` make theirs together."""

    def __init__(self, mpi: MpiCommunicator, device: int) -> None:
        import cupy
        from cupy.cuda import nccl

        self.cupy, self.nccl = cupy, nccl
        self.mpi, self.device = mpi, device
        self.rank, self.size = mpi.rank, mpi.size
        name = mpi.gather_objects(nccl.get_unique_id() if mpi.rank == 0 else None)[0]
        with cupy.cuda.Device(device):
            self.comm = nccl.NcclCommunicator(mpi.size, name, mpi.rank)

    def barrier(self) -> None:
        self.cupy.cuda.get_current_stream().synchronize()
        self.mpi.barrier()

    def split(self, color: int, key: int) -> NcclCommunicator:
        return NcclCommunicator(self.mpi.split(color, key), self.device)

    def fail(self, error: BaseException) -> None:
        self.mpi.fail(error)

    def agreed(self) -> AbstractContextManager[None]:
        """See `Communicator.agreed`."""
        return self.mpi.agreed()

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Broadcasts in the block start together, at its end; until then arrays are unchanged."""
        self.nccl.groupStart()
        yield
        self.nccl.groupEnd()  # not after an error: it would wait for ranks that do not come

    def _allreduce(self, array: Any, op: str) -> Any:
        if isinstance(array, np.ndarray):
            return self.mpi._allreduce(array, op)
        kind = array.dtype.str[1:]
        if kind in _WIDER:
            return self._allreduce(array.astype(_WIDER[kind]), op).astype(array.dtype)
        # The sum of truth values is "or", as in NumPy.
        name = "max" if kind == "b1" and op == "sum" else op
        total = self.cupy.empty_like(array)
        if len(array):
            self.comm.allReduce(
                array.data.ptr,
                total.data.ptr,
                len(array),
                getattr(self.nccl, _TYPES[kind]),
                getattr(self.nccl, f"NCCL_{name.upper()}"),
                self._stream,
            )
        return total

    def _broadcast(self, array: Any, root: int) -> Any:
        if isinstance(array, np.ndarray):
            return self.mpi._broadcast(array, root)
        where, nbytes = array.data.ptr, array.nbytes
        if nbytes:
            self.comm.broadcast(where, where, nbytes, self.nccl.NCCL_UINT8, root, self._stream)
        return array

    def _counts(self, count: int) -> list[int]:
        return self.mpi._counts(count)

    def _allgatherv(self, array: Any, counts: list[int]) -> Any:
        if isinstance(array, np.ndarray):
            return self.mpi._allgatherv(array, counts)
        whole = self.cupy.empty(sum(counts), array.dtype)
        into = whole.data.ptr
        self.nccl.groupStart()
        for root, count in enumerate(counts):
            nbytes = count * array.itemsize
            source = array.data.ptr if root == self.rank else into
            if nbytes:
                self.comm.broadcast(source, into, nbytes, self.nccl.NCCL_UINT8, root, self._stream)
            into += nbytes
        self.nccl.groupEnd()
        return whole

    def _alltoallv(self, array: Any, counts: list[int]) -> tuple[Any, list[int]]:
        if isinstance(array, np.ndarray):
            return self.mpi._alltoallv(array, counts)
        received = self.mpi.exchange_counts(counts)
        result = self.cupy.empty(sum(received), array.dtype)
        source, into = array.data.ptr, result.data.ptr
        self.nccl.groupStart()
        for peer in range(self.size):
            out, back = counts[peer] * array.itemsize, received[peer] * array.itemsize
            if out:
                self.comm.send(source, out, self.nccl.NCCL_UINT8, peer, self._stream)
            if back:
                self.comm.recv(into, back, self.nccl.NCCL_UINT8, peer, self._stream)
            source, into = source + out, into + back
        self.nccl.groupEnd()
        return result, received

    @property
    def _stream(self) -> int:
        return self.cupy.cuda.get_current_stream().ptr


def _number(device: str | int) -> int | None:
    """The number of a GPU, or None for the CPU."""
    if isinstance(device, int):
        return device
    kind, _, number = device.partition(":")
    return int(number or 0) if kind == "cuda" else None


def _place(number: int) -> tuple[str, str] | None:
    """What tells this GPU from all others of the cluster, or None without NCCL."""
    try:
        import cupy
        from cupy.cuda import nccl
    except ImportError:
        return None
    if not nccl.available:
        return None
    return socket.gethostname(), cupy.cuda.runtime.deviceGetPCIBusId(number)
