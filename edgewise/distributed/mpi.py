"""Ranks as processes that MPI started: ``mpiexec -n 4 python script.py``, with `world` in it.

Arrays travel as buffers. Those of a GPU go through host memory, so several ranks may share one
GPU; where each has its own, see `edgewise.distributed.nccl`. Sums of floats are added in the order
that the MPI library chooses, the same on all ranks.

An exception that nobody catches ends all ranks: it is printed with the rank's number, and the job
is aborted. Every call is noted on the rank's board, for its keeper to see.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from edgewise.base.errors import ConvergenceError, DeviceError, FileFormatError
from edgewise.base.offsets import offsets
from edgewise.distributed import board as boards, keeper
from edgewise.distributed.comm import Communicator, RankError
from edgewise.distributed.leaving import mind_finalizing
from edgewise.distributed.leftovers import mapped_files, remove_leftovers
from edgewise.distributed.rank_threads import Call, cause, differing

try:
    import fcntl
    import termios
except ImportError:  # Windows
    fcntl = termios = None  # type: ignore[assignment]

__all__ = ["MpiCommunicator", "world"]

#: The most elements in one call. MPI 4 has no limit, earlier ones count in 31 bits.
LIMIT: int | None = None

#: Errors that say all that there is to say, without a traceback.
_PLAIN = (RankError, FileFormatError, ConvergenceError, DeviceError, OSError)


#: What this rank is doing, for its keeper.
_board: boards.Board | None = None
_forgotten = False
#: Are all ranks known to make the same calls?
_agreed = False


def world(timeout: float | None = None) -> MpiCommunicator:
    """Return the communicator of all ranks started by ``mpiexec``; without it, of one rank.

    From this call on, an uncaught exception on one rank ends all ranks, and a killed rank is
    reported. Call it early, because the program continues in a child process.

    Parameters
    ----------
    timeout : float, optional
        The seconds that ranks wait for one that has stopped or returned. Then all ranks are ended
        with a message that names it. The default is EDGEWISE_GRID_TIMEOUT, or 300; 0 means no
        limit.
    """
    global _board
    if _board is None:
        _board = keeper.begin(timeout)
    try:
        everyone = _mpi().COMM_WORLD
    except ImportError:
        if _board is not None:
            _board.phase = boards.ALONE
        raise
    _introduce(everyone)
    _forget_files(everyone)
    comm = MpiCommunicator(everyone)
    sys.excepthook = lambda kind, error, trace: comm.fail(error)
    return comm


def _introduce(everyone: Any) -> None:
    """Tell the keepers of a machine where they find the boards of its ranks."""
    if _board is None or _board.phase != boards.STARTING:
        return
    if everyone.Get_size() != len(_board.members):  # another MPI than that of mpiexec
        _board.phase = boards.ALONE
        return
    here = boards.here()
    for rank, (host, pid, file) in enumerate(
        everyone.allgather((here, _board.holder, _board.file))
    ):
        _board.peers[rank] = (pid, file) if host == here else (0, 0)
    _board.phase = boards.UP
    mind_finalizing(_board, _mpi())


def _forget_files(everyone: Any) -> None:
    """Remove the names of MPICH's shared memory, which all ranks have mapped: a job that is killed
    would leave them behind. And those that others left."""
    global _forgotten
    if _forgotten or everyone.Get_size() == 1:
        return
    _forgotten = True
    everyone.Barrier()
    for path in mapped_files():
        with contextlib.suppress(OSError):  # another rank was first
            path.unlink()
    if everyone.Get_rank() == 0:
        remove_leftovers()


def _noted(method: Callable) -> Callable:
    """The rank's board says that it waits in this call, and for whom; first the calls are compared.

    MPI gives ranks whose calls differ wrong answers, or ends in its own errors.
    """
    name = method.__name__.removeprefix("_").removeprefix("exchange_")
    details = _DETAILS.get(name, lambda *args: ())

    @functools.wraps(method)
    def call(self: MpiCommunicator, *args: Any) -> Any:
        board = _board
        if _agreed or (board is not None and board.inside):
            return _within(board, name, self, method, args)
        _within(board, name, self, MpiCommunicator.compare, (Call(name, details(*args)),))
        return _within(board, name, self, method, args)

    return call


#: What must be the same on all ranks of a call.
_DETAILS: dict[str, Callable[..., tuple]] = {
    "allreduce": lambda array, op: (op, str(array.dtype), len(array)),
    "broadcast": lambda array, root: (f"root {root}", str(array.dtype), len(array)),
    "allgatherv": lambda array, counts: (str(array.dtype), counts),
    "alltoallv": lambda array, counts: (str(array.dtype),),
}


def _within(
    board: boards.Board | None, name: str, comm: MpiCommunicator, method: Callable, args: tuple
) -> Any:
    if board is None or board.inside:
        return method(comm, *args)
    board.enter(name, comm.members)
    try:
        return method(comm, *args)
    finally:
        board.leave()


class MpiCommunicator(Communicator):
    """A rank of an MPI communicator."""

    def __init__(self, comm: Any) -> None:
        self.mpi = _mpi()
        self.comm = comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        #: The ranks of this group, by their numbers in the world.
        self.members = np.array(
            comm.Get_group().Translate_ranks(None, self.mpi.COMM_WORLD.Get_group()), np.int32
        )

    def compare(self, call: Call) -> None:
        """RankError on every rank of the group, unless all are about to make this call."""
        digest = hashlib.blake2b(repr(call).encode(), digest_size=8).digest()
        number = int.from_bytes(digest, "little", signed=True)
        both = np.empty(2, np.int64)
        self.comm.Allreduce(np.array([number, ~number]), both, self.mpi.MIN)
        if both[0] == ~both[1]:
            return
        first, *others = zip(self.members.tolist(), self.comm.allgather(str(call)), strict=True)
        raise RankError(differing(first, next(one for one in others if one[1] != first[1])))

    @contextlib.contextmanager
    def agreed(self) -> Iterator[None]:
        """See `Communicator.agreed`."""
        global _agreed
        before, _agreed = _agreed, True
        try:
            yield
        finally:
            _agreed = before

    @_noted
    def barrier(self) -> None:
        self.comm.Barrier()

    @_noted
    def split(self, color: int, key: int) -> MpiCommunicator:
        return type(self)(self.comm.Split(int(color), int(key)))

    def fail(self, error: BaseException) -> None:
        """Print the error, and end all ranks of the program.

        If all ranks fail alike, the message should appear once: the others wait a moment for
        rank 0 to end the job first.
        """
        if _board is not None:
            _board.phase = boards.FAILED
        everyone = self.mpi.COMM_WORLD
        rank, size = everyone.Get_rank(), everyone.Get_size()
        try:
            if rank:
                time.sleep(1 + rank / size)
            if os.environ.get("EDGEWISE_TRACEBACK") or not isinstance(error, _PLAIN):
                traceback.print_exception(error)
            if isinstance(error, RankError):
                text = str(error)
            else:
                text = f"rank {rank} of {size} failed: {cause(error)}"
            print(f"edgewise: {text}", file=sys.stderr)
            _deliver()
        finally:
            everyone.Abort(1)

    @_noted
    def exchange_counts(self, counts: list[int]) -> list[int]:
        """How much every rank has for this one."""
        received = np.empty(self.size, np.int64)
        self.comm.Alltoall(np.array(counts, np.int64), received)
        return received.tolist()

    @_noted
    def _allreduce(self, array: Any, op: str) -> Any:
        host = _plain(array)
        total = np.empty_like(host)
        # The sum of truth values is "or", as in NumPy.
        name = "max" if array.dtype == np.bool_ and op == "sum" else op
        code = {"sum": self.mpi.SUM, "min": self.mpi.MIN, "max": self.mpi.MAX}[name]
        for part in _chunks(len(host)):
            self.comm.Allreduce(host[part], total[part], code)
        return _like(array, total)

    @_noted
    def _broadcast(self, array: Any, root: int) -> Any:
        host = _plain(array)
        for part in _chunks(len(host)):
            self.comm.Bcast(host[part], root)
        if not isinstance(array, np.ndarray) and self.rank != root:
            array[...] = _like(array, host)
        return array

    @_noted
    def _counts(self, count: int) -> list[int]:
        counts = np.empty(self.size, np.int64)
        self.comm.Allgather(np.array([count], np.int64), counts)
        return counts.tolist()

    @_noted
    def _allgatherv(self, array: Any, counts: list[int]) -> Any:
        host = _plain(array)
        whole = np.empty(sum(counts), host.dtype)
        if LIMIT is None or len(whole) <= LIMIT:
            self.comm.Allgatherv(host, [whole, counts])
            return _like(array, whole)
        ends = offsets(counts)
        for k in range(self.size):
            own = whole[ends[k] : ends[k + 1]]
            if k == self.rank:
                own[...] = host
            for part in _chunks(len(own)):
                self.comm.Bcast(own[part], k)
        return _like(array, whole)

    @_noted
    def _alltoallv(self, array: Any, counts: list[int]) -> tuple[Any, list[int]]:
        host = _plain(array)
        received = self.exchange_counts(counts)
        result = np.empty(sum(received), host.dtype)
        if LIMIT is None or not self._any(max(len(host), len(result)) > LIMIT):
            self.comm.Alltoallv([host, counts], [result, received])
        else:
            self._pairwise(host, counts, result, received)
        return _like(array, result), received

    def _pairwise(self, host: Any, counts: list[int], result: Any, received: list[int]) -> None:
        """An alltoallv in messages of at most `LIMIT` elements."""
        out, into = offsets(counts), offsets(received)
        for shift in range(self.size):
            to, source = (self.rank + shift) % self.size, (self.rank - shift) % self.size
            inbox = result[into[source] : into[source + 1]]
            waits = [self.comm.Irecv(inbox[part], source) for part in _chunks(len(inbox))]
            outbox = host[out[to] : out[to + 1]]
            waits += [self.comm.Isend(outbox[part], to) for part in _chunks(len(outbox))]
            self.mpi.Request.Waitall(waits)

    def _any(self, truth: bool) -> bool:
        answer = np.empty(1, np.uint8)
        self.comm.Allreduce(np.array([truth], np.uint8), answer, self.mpi.MAX)
        return bool(answer[0])


def _mpi() -> Any:
    """mpi4py's module, or an error that says how to get it."""
    global LIMIT
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError(f"MPI needs mpi4py: pip install 'edgewise[mpi]' ({error})") from None
    except RuntimeError as error:  # mpi4py is there, the library is not
        raise ImportError(
            f"mpi4py finds no MPI library: pip install mpich, or load your cluster's ({error})"
        ) from None
    if LIMIT is None and MPI.Get_version() < (4, 0):
        LIMIT = 2**31 - 1
    return MPI


def _deliver() -> None:
    """Give mpiexec time to take what this rank printed: it drops the rest when the job aborts."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        end = time.monotonic() + 2
        while _unread(stream) and time.monotonic() < end:
            time.sleep(0.01)
    time.sleep(0.2)  # from mpiexec's helper on this node to mpiexec itself


def _unread(stream: Any) -> int:
    """The bytes that wait in a pipe; 0 for anything else."""
    if fcntl is None:
        return 0
    try:
        count = fcntl.ioctl(stream.fileno(), termios.FIONREAD, bytes(4))
    except OSError:
        return 0
    return int.from_bytes(count, sys.byteorder)


def _chunks(count: int) -> Iterator[slice]:
    """Parts of at most `LIMIT` elements; of none, one empty part."""
    step = LIMIT or max(count, 1)
    for low in range(0, max(count, 1), step):
        yield slice(low, min(low + step, count))


def _plain(array: Any) -> np.ndarray:
    """The array in host memory, with truth values as bytes."""
    host = array if isinstance(array, np.ndarray) else array.get()
    return host.view(np.uint8) if host.dtype == np.bool_ else host


def _like(array: Any, host: np.ndarray) -> Any:
    """A result of the type of ``array``, and where that is."""
    result = host.view(np.bool_) if array.dtype == np.bool_ else host
    if isinstance(array, np.ndarray):
        return result
    import cupy

    return cupy.asarray(result)
