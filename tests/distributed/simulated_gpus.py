"""Ranks whose blocks are on a GPU, in numba-cuda's simulator: a process of its own."""

from __future__ import annotations

from edgewise.communities import markov_clustering
from edgewise.distributed import Grid, distribute, simulate_grid
from edgewise.graph import Graph
from edgewise.linalg import spgemm
from tests.cuda import turns

GRAPH = Graph.from_edges([0, 0, 1, 2, 3, 3, 4, 6], [1, 2, 2, 3, 4, 5, 5, 6], num_vertices=8)
#: So that rows are selected from, and recovered.
RULES = {"threshold": 0.01, "select": 2, "recover": 3}


def work(comm, shape):
    there = distribute(GRAPH, grid=Grid(comm, shape)).to("cuda")
    square = spgemm(there, there, mask=there)
    assert square.device.startswith("cuda") and square.block.device == square.device
    assert square.gather() == spgemm(GRAPH, GRAPH, mask=GRAPH)
    assert spgemm(there, there, memory="8KiB").gather() == spgemm(GRAPH, GRAPH)
    return markov_clustering(there, **RULES).gather().tolist()


if __name__ == "__main__":
    turns.install()
    want = markov_clustering(GRAPH, **RULES).tolist()
    for shape in ((1, 1), (2, 2)):
        ranks = shape[0] * shape[1]
        assert simulate_grid(lambda comm, at=shape: work(comm, at), ranks).results == [want] * ranks
    print("equal")
