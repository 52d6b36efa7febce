"""Programs that the ranks of a cluster import."""

from __future__ import annotations

import os
import signal
import sys
import time


def number_of_arcs(comm, graph, *, more=0):
    return comm.rank, graph.block.num_arcs + more


def raises_on(comm, rank):
    if comm.rank == rank:
        raise KeyError("no luck")
    comm.barrier()


def returns_early(comm, rank):
    if comm.rank != rank:
        comm.barrier()


def dies(comm, rank, number=signal.SIGKILL):
    if comm.rank == rank:
        print("farewell", flush=True)
        os.kill(os.getpid(), number)
        time.sleep(30)
    comm.barrier()


def leaves(comm, rank):
    if comm.rank == rank:
        sys.stderr.write("out of here")
        sys.stderr.flush()
        os._exit(7)
    comm.barrier()


def sleeps(comm, seconds):
    time.sleep(seconds)
    return comm.rank


class UnpicklableError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


def raises_unpicklable(comm):
    raise UnpicklableError("this", "that")


def returns_unpicklable(comm):
    return lambda: comm.rank


def parent(comm):
    return os.getppid()
