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


def growth_of_memory(comm, name, scale, edge_factor):
    """By how many bytes this rank grows with a graph and an algorithm, beyond a small run of both.

    The peak of the process counts; what has been allocated and freed before is reused.
    """
    import gc
    import re
    from pathlib import Path

    import edgewise
    from edgewise.distributed import Grid, generate

    def status(field):
        text = Path("/proc/self/status").read_text()
        return 1024 * int(re.search(rf"{field}:\s*(\d+)", text)[1])

    def run(size):
        graph = generate("rmat", grid=grid, scale=size, edge_factor=edge_factor)
        function = edgewise
        for part in name.split("."):
            function = getattr(function, part)
        function(graph, *([0] if name == "bfs" else []))
        return graph

    grid = Grid(comm)
    run(6)
    comm.barrier()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is what is in use now
    before = status("VmRSS")
    graph = run(scale)
    return status("VmHWM") - before, before, graph.num_vertices, graph.num_arcs


def long_job(comm, name, folder):
    """An algorithm of some seconds with checkpoints; without a communicator, its answer."""
    import edgewise
    from edgewise import generators
    from edgewise.base.observe import observe
    from edgewise.distributed import Grid, checkpoint, distribute

    def call(graph):
        if name == "pagerank":
            return edgewise.pagerank(graph, alpha=0.99, tol=1e-14, max_iter=10**5)
        if name == "markov_clustering":
            return edgewise.communities.markov_clustering(
                graph, inflation=1.4, select=60, recover=80
            )
        if name == "betweenness":
            return edgewise.betweenness_centrality(graph, k=60)
        return edgewise.communities.louvain(graph, deterministic=True)

    graph = generators.rmat(10, seed=4)
    if comm is None:
        return call(graph)
    spread = distribute(graph, grid=Grid(comm))
    with checkpoint(spread.grid, folder, every=0.05), observe(_slowly):
        return call(spread).gather()


def _slowly(iteration, **counts):
    time.sleep(0.03)
