"""A stand-in for CuPy and its NCCL, in host memory and over MPI: for what needs several GPUs.

It knows only what `edgewise.distributed.nccl` and `mpi` use, with CuPy's names and arguments. Calls
of a group are kept until its end, as NCCL does.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import types

import numpy as np

TYPES = ["int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]


class Array:
    """An array that is not NumPy's."""

    def __init__(self, host: np.ndarray) -> None:
        self.host = host
        self.dtype, self.itemsize, self.nbytes = host.dtype, host.itemsize, host.nbytes
        self.ndim, self.flags = host.ndim, host.flags
        self.data = types.SimpleNamespace(ptr=host.ctypes.data)

    def __len__(self) -> int:
        return len(self.host)

    def __getitem__(self, part: slice) -> Array:
        return Array(self.host[part])

    def __setitem__(self, part, other: Array) -> None:
        self.host[part] = other.host

    def __add__(self, other: Array) -> Array:
        return Array(self.host + other.host)

    def __rmul__(self, number: int) -> Array:
        return Array(number * self.host)

    def astype(self, dtype) -> Array:
        return Array(self.host.astype(dtype))

    def copy(self) -> Array:
        return Array(self.host.copy())

    def get(self) -> np.ndarray:
        return self.host.copy()


class NcclCommunicator:
    """Has the methods of CuPy's class; ``commId`` tells groups that are made at once apart."""

    def __init__(self, ndev: int, commId: bytes, rank: int) -> None:
        from mpi4py import MPI

        self.mpi = MPI
        self.comm = MPI.COMM_WORLD.Split(int.from_bytes(commId[:4], "little"), rank)
        assert (self.comm.size, self.comm.rank, len(commId)) == (ndev, rank, 128)

    def allReduce(self, sendbuf, recvbuf, count, datatype, op, stream) -> None:  # noqa: N802
        code = [self.mpi.SUM, self.mpi.PROD, self.mpi.MAX, self.mpi.MIN][op]
        self.comm.Allreduce(at(sendbuf, count, datatype), at(recvbuf, count, datatype), code)

    def broadcast(self, sendbuff, recvbuff, count, datatype, root, stream) -> None:
        def go():
            if self.comm.rank == root:
                at(recvbuff, count, datatype)[...] = at(sendbuff, count, datatype)
            return self.comm.Ibcast(at(recvbuff, count, datatype), root)

        later(go)

    def send(self, sendbuf, count, datatype, peer, stream) -> None:
        later(lambda: self.comm.Isend(at(sendbuf, count, datatype), peer))

    def recv(self, recvbuf, count, datatype, peer, stream) -> None:
        later(lambda: self.comm.Irecv(at(recvbuf, count, datatype), peer))


calls: list = []
depth = 0


def later(call) -> None:
    calls.append(call)
    if depth == 0:
        finish()


def finish() -> None:
    from mpi4py import MPI

    requests = [call() for call in calls]
    calls.clear()
    MPI.Request.Waitall(requests)


def group_start() -> None:
    global depth
    depth += 1


def group_end() -> None:
    global depth
    depth -= 1
    if depth == 0:
        finish()


def unique_id() -> bytes:
    from mpi4py import MPI

    return MPI.COMM_WORLD.rank.to_bytes(4, "little") + bytes(124)


def at(address: int, count: int, datatype: int) -> np.ndarray:
    dtype = np.dtype(TYPES[datatype])
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    return np.frombuffer(memory, dtype)


def install(bus: str) -> None:
    """Be CuPy for this process; ``bus`` names its GPU."""
    cupy, cuda, nccl = map(types.ModuleType, ("cupy", "cupy.cuda", "cupy.cuda.nccl"))
    for number, name in enumerate(TYPES):
        setattr(nccl, f"NCCL_{name.upper()}", number)
    nccl.NCCL_SUM, nccl.NCCL_MAX, nccl.NCCL_MIN = 0, 2, 3
    nccl.available, nccl.NcclCommunicator, nccl.get_unique_id = True, NcclCommunicator, unique_id
    nccl.groupStart, nccl.groupEnd = group_start, group_end
    stream = types.SimpleNamespace(ptr=0, synchronize=lambda: None)
    cuda.nccl, cuda.get_current_stream = nccl, lambda: stream
    cuda.Device = lambda number: contextlib.nullcontext()
    cuda.runtime = types.SimpleNamespace(deviceGetPCIBusId=lambda number: bus)
    cupy.cuda, cupy.asarray = cuda, Array
    cupy.empty = lambda count, dtype: Array(np.empty(count, dtype))
    cupy.empty_like = lambda array: Array(np.empty_like(array.host))
    sys.modules |= {"cupy": cupy, "cupy.cuda": cuda, "cupy.cuda.nccl": nccl}
