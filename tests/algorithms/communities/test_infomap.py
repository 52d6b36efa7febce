"""`infomap`: never longer than what is obvious, and as short as Infomap's."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import edgewise as ew
from edgewise.communities import codelength, infomap, normalized_mutual_info_score
from edgewise.generators import (
    grid_2d,
    karate_club,
    planted_partition,
    rmat,
)
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, shape

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    found = infomap(graph)
    assert found.dtype == graph.indices.dtype
    assert (found <= np.arange(graph.num_vertices)).all() and (found[found] == found).all()
    one, each = np.zeros(graph.num_vertices, int), np.arange(graph.num_vertices)
    best = min(codelength(graph, one), codelength(graph, each))
    assert codelength(graph, found) <= best + 1e-9


def test_finds_what_was_planted():
    graph, truth = planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1)
    found = infomap(graph)
    assert normalized_mutual_info_score(found, truth) > 0.99


@pytest.mark.parametrize(
    ("make", "known"),  # the shortest of ten trials of igraph 1.0's Infomap, measured by codelength
    [(karate_club, 4.3118), (lambda: grid_2d(20, 20), 5.832), (lambda: rmat(10, seed=1), 8.5515),
     (lambda: rmat(10, seed=2, directed=True), 8.3009)],
    ids=["karate", "grid", "rmat", "directed"],
)  # fmt: skip
def test_as_short_as_infomap(make, known):
    graph = make()
    assert codelength(graph, infomap(graph, runs=5)) < known * 1.005


def test_weights_decide():
    """A path of four: the light edge parts it, wherever it is."""
    for light in range(3):
        weights = np.array([9.0, 9.0, 9.0, 9.0, 9.0])
        weights[light + 1] = 0.1
        path = Graph.from_edges(range(5), range(1, 6), weights)
        found = infomap(path)
        assert found[light + 1] != found[light + 2]


def test_the_same_for_any_number_of_threads():
    graph = rmat(9, seed=5, directed=True)
    with ew.threads(1):
        one = infomap(graph, seed=7)
    with ew.threads(4):
        four = infomap(graph, seed=7)
    np.testing.assert_array_equal(one, four)


def test_more_trials_are_no_worse():
    graph = grid_2d(12, 12)
    lengths = [codelength(graph, infomap(graph, runs=t, seed=3)) for t in (1, 4)]
    assert lengths[1] <= lengths[0] + 1e-9


def test_wrong_calls_say_why():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, -1.0])
    with pytest.raises(ValueError, match="weights must not be negative or NaN, got -1.0 on edge"):
        infomap(graph)
    with pytest.raises(ValueError, match="runs must be at least 1"):
        infomap(karate_club(), runs=0)
    with pytest.raises(ValueError, match="alpha must be a number from 0 to 1"):
        infomap(karate_club(), alpha=2)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        infomap(karate_club(), seed=0.5)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(("mix", "known"), [("0.3", 0.61), ("0.5", 0.56)])
def test_lfr_as_well_as_infomap(mix, known, shared_graphs):
    """igraph's Infomap has these NMIs; every method by modularity stays under 0.36 and 0.12."""
    path = shared_graphs / f"LFR_N100000_mu{mix}.csv.gz"
    graph = ew.read(path, format="edges", columns=(0, 1))
    with gzip.open(shared_graphs / f"LFR_N100000_mu{mix}.communities.json.gz") as file:
        communities = json.load(file)["communities"]
    truth = np.empty(graph.num_vertices, int)
    for number, members in enumerate(communities):
        truth[members] = number
    assert normalized_mutual_info_score(infomap(graph), truth) > known - 0.01
