"""Missing edges: no pair is an edge, every target can be drawn, and its share is as wanted."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, generators, threads
from edgewise.learning import sample_missing_edges
from tests.algorithms.samples import random_graph


@pytest.mark.parametrize("method", ["uniform", "degree"])
@pytest.mark.parametrize("directed", [False, True])
def test_no_pair_is_an_edge(directed, method):
    graph = random_graph(90, 500, directed=directed)
    found = sample_missing_edges(graph, k=3, method=method)
    one, other, _ = graph.edges()
    sources = found.sources.reshape(-1, 3)
    assert (sources == sources[:, :1]).all()
    assert ((sources[:, 0] == one) | ((sources[:, 0] == other) & (not directed))).all()
    edges = {*zip(*(side.tolist() for side in graph.arcs()[:2]), strict=True)}
    pairs = {*zip(found.sources.tolist(), found.targets.tolist(), strict=True)}
    assert not pairs & edges and not any(u == v for u, v in pairs)
    with threads(1):
        again = sample_missing_edges(graph, k=3, method=method)
    assert (again.targets == found.targets).all()


@pytest.mark.parametrize("method", ["uniform", "degree"])
def test_shares_of_targets(method):
    graph = Graph.from_edges([0, 0, 3, 3, 3, 4], [1, 2, 1, 4, 5, 5], num_vertices=7)
    found = sample_missing_edges(graph, [0], k=20_000, method=method).targets
    shares = np.bincount(found, minlength=7) / len(found)
    wanted = np.ones(7) if method == "uniform" else graph.degrees() ** 0.75
    wanted[[0, 1, 2]] = 0
    assert abs(shares - wanted / wanted.sum()).max() < 0.015


def test_sources_of_undirected_edges_are_either_end():
    """A vertex is a source in proportion to its degree, whatever its id."""
    graph = random_graph(200, 6000)
    one, other, _ = graph.edges()
    wanted = (np.bincount(one, minlength=200) + np.bincount(other, minlength=200)) / 2
    counts = np.bincount(sample_missing_edges(graph).sources, minlength=200)
    assert (abs(counts - wanted) < 6 * np.sqrt(wanted)).all()


@pytest.mark.parametrize("method", ["uniform", "degree"])
def test_few_vertices_are_left(method):
    sources, targets, _ = generators.complete(200).edges()
    keep = (sources != 0) | (targets < 197)
    graph = Graph.from_edges(sources[keep], targets[keep], num_vertices=200)
    found = sample_missing_edges(graph, [0], k=900, method=method).targets
    counts = np.bincount(found, minlength=200)
    assert counts[:197].sum() == 0 and (counts[197:] > 220).all()


def test_wrong_arguments_are_named():
    full = generators.complete(4)
    with pytest.raises(ValueError, match="vertex 2 has none"):
        sample_missing_edges(full, [2])
    with pytest.raises(ValueError, match="k must"):
        sample_missing_edges(full, [2], k=0)
    with pytest.raises(ValueError, match="method must"):
        sample_missing_edges(full, [2], method="all")
    assert len(sample_missing_edges(Graph.from_edges([], [], num_vertices=3)).targets) == 0
    with pytest.raises(ValueError, match="vertex 0 has none"):
        sample_missing_edges(Graph.from_edges([], [], num_vertices=1), [0])
