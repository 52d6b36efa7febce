"""What ranks with GPUs run: every algorithm on a grid, compared with CPU threads on one device."""

from __future__ import annotations

import time

import numpy as np

import edgewise
from edgewise import generators, matching
from edgewise.distributed import Grid, distribute
from edgewise.distributed.nccl import NcclCommunicator, best

PROGRAMS = {
    "bfs": lambda graph, weighted: edgewise.bfs(graph, 1).distance,
    "sssp": lambda graph, weighted: edgewise.sssp(weighted, 1).distance,
    "pagerank": lambda graph, weighted: edgewise.pagerank(graph, tol=1e-13),
    "components": lambda graph, weighted: edgewise.connected_components(graph),
    "propagation": lambda graph, weighted: edgewise.connected_components(
        graph, method="propagation"
    ),
    "label_propagation": lambda graph, weighted: edgewise.label_propagation(graph),
    "matching": lambda graph, weighted: matching.locally_dominant(weighted).mate,
    "pointer_jumping": lambda graph, weighted: edgewise.pointer_jumping(graph),
    "triangle_count": lambda graph, weighted: edgewise.triangle_count(graph),
    "core_number": lambda graph, weighted: edgewise.core_number(graph),
    "degree_centrality": lambda graph, weighted: edgewise.degree_centrality(graph),
}


def everything(comm, scale, shape=None, timed=()):
    """Names of the programs that failed, what carries the messages, and seconds of some."""
    comm = best(comm, "cuda")
    graph = generators.rmat(scale, seed=1)
    drawn = np.random.default_rng(1).integers(1, 65, graph.num_edges)
    weighted = graph.with_weights(drawn.astype(np.int32))
    grid = Grid(comm, shape)
    there = [distribute(one, grid).to("cuda") for one in (graph, weighted)]
    wrong, seconds = [], {}
    for name, program in PROGRAMS.items():
        if timed and name not in timed:
            continue
        found = program(*there)
        found = found.gather() if hasattr(found, "gather") else found
        if not np.allclose(found, program(graph, weighted), rtol=1e-8, atol=1e-12):
            wrong.append(name)
        if timed:
            seconds[name] = _time(lambda run=program: run(*there), comm)
    return wrong, type(comm).__name__, seconds


def _time(run, comm):
    import cupy

    spent = []
    for _ in range(3):
        comm.barrier()
        begin = time.perf_counter()
        run()
        cupy.cuda.Device().synchronize()
        comm.barrier()
        spent.append(time.perf_counter() - begin)
    return sorted(spent)[1]


def through_nccl(comm, scale):
    """One rank whose messages all go through NCCL, as if there were others."""
    comm = NcclCommunicator(comm, 0)
    import cupy

    array = cupy.arange(10.0)
    assert (comm._allreduce(array, "sum") == array).all()
    assert (comm._allgatherv(array, [10]) == array).all()
    assert (comm._alltoallv(array, [10])[0] == array).all()
    assert (comm._broadcast(array.copy(), 0) == array).all()
    return everything(comm.mpi, scale)[0]
