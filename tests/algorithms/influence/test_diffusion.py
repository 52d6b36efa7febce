"""Chances of edges: what each name means, on one device and on a grid, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, generators
from edgewise.algorithms.influence.diffusion import MODELS, chances, course, edge_keys
from edgewise.distributed.arrays import VertexArray
from tests.distributed.grids import on_ranks

DIRECTED = generators.rmat(6, edge_factor=6, seed=2, directed=True)
UNDIRECTED = generators.rmat(6, edge_factor=4, seed=2)
ONE = 2**32 - 1


def of(graph, probability, model="independent_cascade"):
    return chances(graph, model, probability).thresholds / ONE


@pytest.mark.parametrize("graph", [DIRECTED, UNDIRECTED], ids=["directed", "undirected"])
def test_what_each_name_means(graph):
    u, v, _ = graph.arcs()
    incoming = np.bincount(v, minlength=graph.num_vertices)
    assert abs(of(graph, "weighted_cascade") - 1 / incoming[v]).max() < 1e-9
    assert abs(of(graph, 0.25) - 0.25).max() < 1e-9
    assert (chances(graph, "sir", 1).thresholds == ONE).all() and not of(graph, 0).any()
    drawn = of(graph, "trivalency").round(6)
    assert {0.1, 0.01, 0.001} == set(drawn.tolist())
    assert all(abs((drawn == one).mean() - 1 / 3) < 0.15 for one in (0.1, 0.01, 0.001))
    own = np.linspace(0, 1, graph.num_arcs)
    assert abs(of(graph, own) - own).max() < 1e-9
    weighted = Graph(graph.indptr, graph.indices, own, directed=graph.directed)
    assert (of(weighted, "weight") == of(graph, own)).all()
    keys = edge_keys(graph)
    assert len(np.unique(keys)) == graph.num_arcs and keys.max() < 2**32


def test_whole_numbers_and_no_edges():
    graph = DIRECTED
    assert (chances(graph, "seir", [1] * graph.num_arcs).thresholds == ONE).all()
    for empty in (Graph([0], []), Graph([0, 0, 0], [], directed=True)):
        for probability in ("weighted_cascade", "trivalency", 0.5):
            for model in MODELS:
                assert len(chances(empty, model, probability).thresholds) == 0


@pytest.mark.parametrize("graph", [DIRECTED, UNDIRECTED], ids=["directed", "undirected"])
def test_the_same_on_a_grid(graph):
    """Every rank knows the chances and keys of its arcs: sums over the arcs into a vertex."""
    weighted = Graph(graph.indptr, graph.indices, np.linspace(0, 1, graph.num_arcs) ** 2,
                     directed=graph.directed)  # fmt: skip

    def by_target(given, values):
        found = np.zeros(given.num_vertices, np.uint64)
        arcs = [given.indices, values]
        targets, numbers = (getattr(one, "local", one) for one in arcs)
        np.add.at(found, targets, numbers.astype(np.uint64))
        if given.one_device:
            return found
        return given.grid.world.allreduce(found, "sum")

    def work(given):
        every = [edge_keys(given)]
        for probability in ("weighted_cascade", "trivalency", "weight", 0.3):
            every.append(chances(given, "independent_cascade", probability).thresholds)
        return [by_target(given, one) for one in every]

    if not graph.directed:  # own weights of an undirected graph are alike both ways
        weighted = graph.with_weights(np.linspace(0, 1, graph.num_edges))
    expected = work(weighted)
    for found, wanted in zip(on_ranks(work, (2, 3), weighted), expected, strict=True):
        assert (found == wanted).all()


def test_ends_index_arrays_over_vertices():
    def work(graph):
        array = graph.full(0, np.int64)
        assert isinstance(array, VertexArray)
        ids = graph.xp.arange(graph.num_vertices)
        assert ((ids[graph.sources] == graph.sources) & (ids[graph.indices] == graph.indices)).all()
        return int((graph.sources * 100 + graph.indices).sum())

    u, v, _ = DIRECTED.arcs()
    assert on_ranks(work, (2, 2), DIRECTED) == (u.astype(np.int64) * 100 + v).sum()


def test_linear_threshold_wants_sums_of_one_at_most():
    star = Graph.from_edges([1, 2, 3], [0, 0, 0], directed=True)
    chances(star, "linear_threshold", 1 / 3)
    with pytest.raises(ValueError, match="add up to 1 at most .* got 1.2 at vertex 0"):
        chances(star, "linear_threshold", 0.4)
    with pytest.raises(ValueError, match="add up to 1 at most .* got 1.2 at vertex hub"):
        chances(star.with_labels(["hub", "a", "b", "c"]), "linear_threshold", 0.4)
    with pytest.raises(ValueError, match="add up to 1 at most .* at vertex 0"):
        on_ranks(lambda graph: chances(graph, "linear_threshold", 0.4), (2, 2), star)


def test_what_is_refused():
    graph = DIRECTED.with_labels([f"v{i}" for i in range(DIRECTED.num_vertices)])
    for wrong in (np.nan, -0.1, 1.1):
        with pytest.raises(ValueError, match="probability must be a number from 0 to 1, got"):
            chances(graph, "sir", wrong)
        array = np.full(graph.num_arcs, 0.5)
        array[1] = wrong
        with pytest.raises(
            ValueError, match=rf"probability must lie in 0 to 1, got {wrong} on .*v"
        ):
            chances(graph, "sir", array)
    with pytest.raises(ValueError, match="probability must have one entry per edge"):
        chances(graph, "sir", [0.5])
    with pytest.raises(ValueError, match="probability must be one of 'weighted_cascade'"):
        chances(graph, "sir", "cascade")
    with pytest.raises(ValueError, match="probability must not be 'weight'"):
        chances(graph, "sir", "weight")
    with pytest.raises(ValueError, match="model must be one of 'independent_cascade'"):
        chances(graph, "ic", 0.5)
    with pytest.raises(
        ValueError, match="recovery_probability has no meaning for model 'linear_threshold'"
    ):
        course("linear_threshold", 0.5, None)
    with pytest.raises(
        ValueError, match="incubation_probability has no meaning for model 'sir', got 0.5"
    ):
        course("sir", 0.5, 0.5)
    with pytest.raises(
        ValueError, match="recovery_probability must be a number from 0 to 1, got 2"
    ):
        course("seir", 2, None)
    assert course("independent_cascade", None, None) is None
    assert course("sir", 1, None) == (ONE, ONE)
