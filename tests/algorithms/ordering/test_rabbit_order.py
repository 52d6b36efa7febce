"""`rabbit_order` against joining one vertex at a time, and communities that are there.

Both ways of joining: the kernel of CPU threads, and rounds of operators.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from edgewise import generators, ordering, threads
from edgewise.algorithms.ordering import joining
from edgewise.algorithms.ordering.cpu import rabbit_order as kernel
from edgewise.base.errors import DeviceError
from tests.algorithms.ordering.oracles import GRAPHS, is_order, mixed_blocks, places, runs
from tests.algorithms.samples import graphs, random_graph


def by_rounds(patch):
    """Let operators do what the kernel does."""
    patch.setattr("edgewise.operators.engines._kernel_of", lambda package, algorithm: None)


@pytest.fixture(params=[kernel, joining], ids=["kernel", "rounds"])
def way(request, monkeypatch):
    """The module whose batches count."""
    if request.param is joining:
        by_rounds(monkeypatch)
    return request.param


def one_by_one(graph):
    """Every vertex joins the group of most gain, least id first; then numbered depth first."""
    graph = graph.to_undirected() if graph.directed else graph
    n, arcs = graph.num_vertices, graph.num_arcs
    rows = [{} for _ in range(n)]
    for u, v in zip(*(ends.tolist() for ends in graph.arcs()[:2]), strict=True):
        rows[u][v] = 1
    degree, parent = [float(d) for d in graph.row_lengths()], list(range(n))
    children = [[] for _ in range(n)]

    def root(v):
        return v if parent[v] == v else root(parent[v])

    queue = sorted(range(n), key=lambda v: degree[v])
    for v in queue:
        totals = {}
        for u, weight in rows[v].items():
            if root(u) != v:
                totals[root(u)] = totals.get(root(u), 0) + weight
        gains = {c: arcs * total - degree[v] * degree[c] for c, total in totals.items()}
        best = min(gains, key=lambda c: (-gains[c], c), default=-1)
        if best < 0 or gains[best] <= 0:
            continue
        parent[v] = best
        children[best].append(v)
        degree[best] += degree[v]
        for c, total in totals.items():
            rows[best][c] = rows[best].get(c, 0) + total
    listed = []

    def walk(v):
        listed.append(v)
        for u in children[v]:
            walk(u)

    for v in queue:
        if parent[v] == v:
            walk(v)
    return places(listed)


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, way, monkeypatch):
    assert is_order(GRAPHS[name], ordering.rabbit_order(GRAPHS[name]))
    monkeypatch.setattr(way, "_BATCH", 1)
    assert ordering.rabbit_order(GRAPHS[name]).tolist() == one_by_one(GRAPHS[name])


@given(graphs())
def test_any_graph(graph):
    assert is_order(graph, ordering.rabbit_order(graph))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_BATCH", 1)
        assert ordering.rabbit_order(graph).tolist() == one_by_one(graph)
        by_rounds(patch)
        assert is_order(graph, ordering.rabbit_order(graph))
        patch.setattr(joining, "_BATCH", 1)
        assert ordering.rabbit_order(graph).tolist() == one_by_one(graph)


def test_equal_for_any_number_of_threads(way):
    graph = random_graph(5000, 30_000)
    found = []
    for team in (1, 2, 3):
        with threads(team):
            found.append(ordering.rabbit_order(graph).tolist())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("batch", [1, 64, 1024])
def test_planted_blocks_are_nearly_whole(batch, way, monkeypatch):
    monkeypatch.setattr(way, "_BATCH", batch)
    graph, block = mixed_blocks()
    assert runs(ordering.rabbit_order(graph), block) <= 30, "of 300 in a random order"


def test_a_shuffled_mesh_is_near_again(way):
    mesh = generators.grid_2d(60, 60)
    mesh = mesh.permute(ordering.random_order(mesh, seed=1))
    assert ordering.log_gap(mesh, ordering.rabbit_order(mesh)) < 0.5 * ordering.log_gap(mesh)


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(DeviceError, match="rabbit_order needs a graph in host memory"):
        ordering.rabbit_order(Elsewhere())


def test_weights_do_not_count(way):
    graph = random_graph(300, 900)
    heavy = graph.with_weights(np.arange(graph.num_edges) * 0.0)
    assert ordering.rabbit_order(heavy).tolist() == ordering.rabbit_order(graph).tolist()
