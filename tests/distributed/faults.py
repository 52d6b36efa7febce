"""Programs that go wrong on one rank."""

from __future__ import annotations

import builtins
import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from edgewise.distributed.mpi import world


def raises(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        raise ValueError("no luck")
    comm.allreduce(np.ones(3))


def killed(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        os.kill(os.getpid(), signal.SIGKILL)
    comm.allreduce(np.ones(3))


def vanishes(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        os._exit(0)
    comm.allreduce(np.ones(3))


def stops(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        os.kill(os.getpid(), signal.SIGSTOP)
    comm.allreduce(np.ones(3))


def returns(comm, rank):
    comm.barrier()
    if comm.rank != rank:
        comm.allreduce(np.ones(3))


def leaves(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        sys.exit(3)
    comm.allreduce(np.ones(3))


def leaves_by_raising(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        raise SystemExit(3)
    comm.allreduce(np.ones(3))


def leaves_by_quitting(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        builtins.quit(3)
    comm.allreduce(np.ones(3))


def leaves_at_once(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        os._exit(3)
    comm.allreduce(np.ones(3))


def leaves_early(comm, rank):
    """One rank has nothing left to do, and says so; the others go on without it."""
    group = comm.split(int(comm.rank == rank), 0)
    if comm.rank == rank:
        raise SystemExit(0)
    time.sleep(4)
    told = int(group.allreduce(np.ones(1))[0])
    sys.stdout.write(f"{told}\n")  # in one piece, also where output is not buffered


def stays(comm, rank):
    """One rank leaves and thinks better of it; then it is the first to return."""
    comm.barrier()
    if comm.rank == rank:
        with contextlib.suppress(SystemExit):
            sys.exit(3)
    else:
        time.sleep(4)


def all_leave(comm):
    sys.exit(3)


def all_leave_by_raising(comm):
    raise SystemExit(3)


def cross(comm, rank):
    """One rank waits for others in a group, and they for it in another."""
    pair, everyone = comm.split(comm.rank % 2, 0), comm.split(0, 0)
    (pair if comm.rank == rank else everyone).barrier()


def mismatched(comm, rank, kind):
    """One rank makes another raw call."""
    odd = comm.rank == rank
    if kind == 0:
        comm.allreduce(np.ones(3 + odd))
    elif kind == 1:
        comm.allreduce(np.ones(3), "min" if odd else "sum")
    elif kind == 2:
        comm.broadcast(np.ones(3), int(odd))
    elif kind == 3:
        comm.allgatherv(np.ones(3)) if odd else comm.allreduce(np.ones(3))
    else:
        comm.alltoallv(np.ones(4), [1, 1, 1, 1 + odd])


def lingers(comm, rank):
    comm.barrier()
    if comm.rank == rank:
        time.sleep(2)
    comm.allreduce(np.ones(3))
    return comm.rank


def works(comm, seconds):
    """Ranks that speak to each other all the time, in groups and all together."""
    group, end = comm.split(comm.rank % 2, 0), time.monotonic() + seconds
    if "BEGUN" in os.environ:  # a file, which tells that all ranks are at work
        Path(os.environ["BEGUN"]).touch()
    while comm.allreduce(np.array([time.monotonic()]), "min")[0] < end:
        group.barrier()
        comm.alltoallv(np.arange(comm.size), [1] * comm.size)
        time.sleep(0.001)


def sleeps(comm, rank):
    if comm.rank == rank:
        time.sleep(60)
    return os.getpid()


def differ(comm, rank):
    comm.check_same("scale", 20 if comm.rank == rank else 10)


def all_raise(comm):
    raise ValueError("all alike")


def pids(comm):
    return os.getpid()


def threads(comm):
    return os.environ["EDGEWISE_NUM_THREADS"]


class Odd:
    """Nobody can pickle it."""

    def __reduce__(self):
        raise TypeError("not for pickling")


def odd_result(comm):
    return Odd() if comm.rank == 1 else None


def before_mpi(how, rank=None, *more):
    """What goes wrong on a rank before it calls `world`."""
    if os.environ.get("PMI_RANK") == str(rank):
        if how == "exits":
            sys.exit(3)
        if how == "sleeps_first":
            time.sleep(60)
        if how == "without_mpi4py":
            sys.modules["mpi4py"] = None


if __name__ == "__main__":  # mpiexec -n 4 python -m tests.distributed.faults raises 2
    name, *numbers = sys.argv[1:]
    before_mpi(name, *numbers)
    globals().get(name, pids)(world(), *(map(int, numbers) if name in globals() else ()))
