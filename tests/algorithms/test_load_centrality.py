"""`load_centrality`: NetworkX's numbers, and packets sent one by one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import generators, load_centrality, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def oracle(graph, sources):
    """Send a packet from every vertex back to each source, level by level."""
    other = to_networkx(graph)
    load = np.zeros(graph.num_vertices)
    for source in sources:
        before, depth = nx.predecessor(other, source, return_seen=True)
        for start in before:
            packets = {start: 1.0}
            for level in range(depth[start], 0, -1):
                for v in [v for v in packets if depth[v] == level]:
                    amount = packets.pop(v)
                    load[v] += amount if v != start else 0.0
                    for u in before[v]:
                        packets[u] = packets.get(u, 0.0) + amount / len(before[v])
    return load


def check(graph, sources=None):
    chosen = range(graph.num_vertices) if sources is None else sources
    found = load_centrality(graph, sources=sources, normalized=False)
    np.testing.assert_allclose(found, oracle(graph, chosen), atol=1e-9)


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("name", [name for name in SHAPES if "path" not in name])
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.parametrize("directed", [False, True])
def test_as_networkx(directed):
    graph = random_graph(120, 300, directed=directed)
    for normalized in (True, False):
        known = nx.load_centrality(to_networkx(graph), normalized=normalized)
        found = load_centrality(graph, normalized=normalized)
        np.testing.assert_allclose(found, [known[v] for v in range(120)], atol=1e-12)


def test_threads_and_batches(monkeypatch):
    graph, found = random_graph(500, 2000), []
    for team in (1, 2, 3):
        with threads(team):
            found.append(load_centrality(graph).tobytes())
    assert len({*found}) == 1
    known = load_centrality(graph)
    monkeypatch.setattr("edgewise.algorithms.centrality.load_centrality._BATCH", 1)
    np.testing.assert_allclose(load_centrality(graph), known)


def test_samples():
    graph = generators.karate_club()
    check(graph, [0, 5, 5])
    np.testing.assert_allclose(load_centrality(graph, k=34), load_centrality(graph))
    with pytest.raises(TypeError, match="k or sources"):
        load_centrality(graph, k=3, sources=[1])
