"""What ranks with GPUs run: every algorithm on a grid, compared with CPU threads on one device."""

from __future__ import annotations

import time

import numpy as np

import edgewise
from edgewise import generators, matching
from edgewise.distributed import Grid, distribute
from edgewise.distributed.nccl import NcclCommunicator, best
from edgewise.linalg import reduce_rows, spgemm
from edgewise.operators import ADD, MIN, OR, advance, propagate, reduce_neighbors
from tests.operators.functions import drawn, gain, only_weight, pass_on, through, tilted

PROGRAMS = {
    "bfs": lambda graph, weighted: edgewise.bfs(graph, 1).distance,
    "sssp": lambda graph, weighted: edgewise.sssp(weighted, 1).distance,
    "pagerank": lambda graph, weighted: edgewise.pagerank(graph, tol=1e-13),
    "components": lambda graph, weighted: edgewise.connected_components(graph),
    "propagation": lambda graph, weighted: edgewise.connected_components(
        graph, method="propagation"
    ),
    "label_propagation": lambda graph, weighted: edgewise.communities.label_propagation(graph),
    "matching": lambda graph, weighted: matching.locally_dominant(weighted).mate,
    "forest_roots": lambda graph, weighted: edgewise.forest_roots(graph),
    "triangle_count": lambda graph, weighted: edgewise.triangle_count(graph),
    "core_number": lambda graph, weighted: edgewise.core_number(graph),
    "degree_centrality": lambda graph, weighted: edgewise.degree_centrality(graph),
    "betweenness": lambda graph, weighted: edgewise.betweenness_centrality(graph, sources=[1, 2]),
    "scores": lambda graph, weighted: _scores(weighted),
    "absent": lambda graph, weighted: _absent(graph),
    "columns": lambda graph, weighted: _columns(weighted),
    "own": lambda graph, weighted: _own(weighted),
    "bits": lambda graph, weighted: _bits(graph),
    "spgemm": lambda graph, weighted: _row_sums(spgemm(graph, weighted)),
    "batches": lambda graph, weighted: _row_sums(spgemm(graph, graph, memory="64MiB")),
    "masked": lambda graph, weighted: _row_sums(spgemm(weighted, graph, "min_plus", mask=graph)),
    "markov_clustering": lambda graph, weighted: edgewise.communities.markov_clustering(weighted),
}


def _row_sums(matrix):
    if hasattr(matrix, "gather"):
        return matrix.reduce_rows()
    return reduce_rows(matrix)


def _scores(graph):
    """The best of the labels around each vertex; how large a label is stands at its vertex."""
    n = graph.num_vertices
    label, size = graph.xp.arange(n) * 7 % n, graph.row_lengths() * 1.0
    given = {"key": label, "stay": label, "by_key": {"size": size}, "params": {"scale": 0.25}}
    return reduce_neighbors(graph, None, only_weight, size, reduce=ADD, choose=gain, **given).key


def _absent(graph):
    color = graph.xp.arange(graph.num_vertices) % 5
    return reduce_neighbors(graph, None, None, color, key=color, choose="absent").key


def _columns(graph):
    """Three searches at once, and one step of a sum of each."""
    far = graph.xp.full((graph.num_vertices, 3), np.inf)
    far[[1, 2, 3], [0, 1, 2]] = 0
    propagate(graph, None, through, far, reduce=MIN)
    total = reduce_neighbors(graph, None, tilted, far, reduce=MIN)
    return total[:, 0] + 2 * total[:, 1] + 4 * total[:, 2]


def _own(graph):
    table = graph.block.xp.arange(4.0) if hasattr(graph, "block") else np.arange(4.0)
    values = graph.row_lengths() * 1.0
    given = {"pull": 0.5, "table": table, "limit": 50.0}
    advance(graph, None, drawn, values, reduce=ADD, where=under, params=given)
    return values


def under(value, limit):
    return value < limit


def _bits(graph):
    """Which of the first 60 vertices reach each one."""
    ids = graph.xp.arange(graph.num_vertices)
    seen = graph.xp.where(ids < 60, 1 << (ids % 60), 0)
    propagate(graph, None, pass_on, seen, reduce=OR)
    return seen % 1000003


def everything(comm, scale, shape=None, timed=()):
    """Names of the programs that failed, what carries the messages, and seconds of some."""
    comm = best(comm, "cuda")
    graph = generators.rmat(scale, seed=1)
    drawn = np.random.default_rng(1).integers(1, 65, graph.num_edges)
    weighted = graph.with_weights(drawn.astype(np.int32))
    grid = Grid(comm, shape)
    there = [distribute(one, grid=grid).to("cuda") for one in (graph, weighted)]
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
