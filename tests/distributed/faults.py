"""Programs that go wrong on one rank."""

from __future__ import annotations

import os
import signal
import sys
import time

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


if __name__ == "__main__":  # mpiexec -n 4 python -m tests.distributed.faults raises 2
    name, *numbers = sys.argv[1:]
    globals()[name](world(), *map(int, numbers))
