"""A common factor of the weights: answers that do not depend on it stay the same.

Every algorithm of the table that takes weights is tried, unless `OTHERS` says why not.
"""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest

from edgewise import Graph, katz_centrality, numeric_assortativity_coefficient, threads
from edgewise.algorithms import ALGORITHMS
from edgewise.cli.sample import without_cycles
from edgewise.communities import leiden, louvain
from edgewise.operators import sample
from tests.algorithms.samples import random_graph
from tests.tiers import later

#: Powers of two, as large as 1e-200, 1e-5 and 1e200: they change no digit.
FACTORS = (2.0**-664, 2.0**-17, 2.0**664)

#: Why the answer of an algorithm depends on the scale of the weights.
OTHERS = {
    "katz_centrality": "alpha is what a step of weight 1 is worth",
    "communities.constant_potts": "resolution is a weight",
}
#: Parts of results that are weights, or one over a weight.
IN_WEIGHTS = {"distance", "weight", "value", "flow", "upper_bound", "all_pairs_shortest_paths",
              "partitioning.edge_cut", "average_shortest_path_length",
              "current_flow_closeness_centrality", "laplacian_matrix",
              "algebraic_connectivity", "cost", "potentials"}  # fmt: skip
IN_INVERSE = {"closeness_centrality", "harmonic_centrality", "global_efficiency",
              "group_closeness_centrality"}  # fmt: skip

GROUPS = np.arange(60) % 4
GIVEN = {"source": 0, "sources": [0, 7], "target": 50, "communities": GROUPS,
         "vertices": GROUPS == 1, "b": 1, "seed": 3, "parts": GROUPS, "k": 4}  # fmt: skip


def weighted():
    """Weights with few digits, of which no two sums are equal by chance."""
    ring, chords = np.arange(60), np.arange(150)
    graph = Graph.from_edges(
        np.r_[ring, chords % 60], np.r_[(ring + 1) % 60, chords * chords % 59], duplicates="first"
    )
    u, v, _ = graph.edges()
    return graph.with_weights(1 + ((u + 1) * (v + 1) * 7919 % 1009) / 1024)


def bipartite():
    left, right = np.divmod(np.arange(900), 30)
    return Graph.from_edges(left, right + 30, 1 + (left * 37 + right * 91) % 101 / 128)


def parts(name, found):
    """Names and numbers of all parts of a result."""
    if hasattr(found, "_fields"):
        for field in found._fields:
            yield from parts(field, getattr(found, field))
    elif isinstance(found, Graph):
        yield from zip(("sources", "targets", "weight"), found.edges(), strict=True)
    else:
        yield name, found.toarray() if hasattr(found, "toarray") else np.asarray(found)


def check_alike(name, call, graph):
    with threads(1):
        known = list(parts(name, call(graph)))
        for factor in FACTORS:
            scaled = graph.with_weights(graph.edges()[2] * factor)
            for (part, old), (_, new) in zip(known, parts(name, call(scaled)), strict=True):
                back = factor if part in IN_WEIGHTS else 1 / factor if part in IN_INVERSE else 1.0
                new = new / back if back != 1 else new
                np.testing.assert_allclose(new, old, rtol=1e-9, atol=1e-12, err_msg=part)


#: Of every way to use weights one in the first tier: lengths, ranks, votes, moves, choices.
FIRST = {
    "sssp",
    "pagerank",
    "communities.label_propagation",
    "communities.louvain",
    "matching.suitor",
}


@pytest.mark.parametrize(
    "name",
    [
        row.name if row.name in FIRST else later(row.name)
        for row in ALGORITHMS.values()
        if "weights" in row.needs
    ],
)
def test_a_common_factor_changes_nothing(name):
    if name in OTHERS:
        return
    row = ALGORITHMS[name]
    function = row.load()
    options = {need: GIVEN[need] for need in row.needs if need in GIVEN}
    if "deterministic" in signature(function).parameters:
        options["deterministic"] = True
    graph = bipartite() if "bipartite" in row.needs else weighted()
    graph = without_cycles(graph) if {"acyclic", "directed"} & {*row.needs} else graph
    check_alike(name, lambda graph: function(graph, weights="weight", **options), graph)


@pytest.mark.parametrize("name", ["pagerank", "hits", "salsa", "eigenvector_centrality"])
def test_of_directed_graphs(name):
    graph = random_graph(60, 240, directed=True)
    graph = graph.with_weights(1 + np.arange(graph.num_edges) % 13 / 16)
    check_alike(name, lambda graph: ALGORITHMS[name].load()(graph, weights="weight"), graph)


def test_where_a_parameter_is_a_weight():
    """They have the same factor."""
    graph = weighted()
    cpm = leiden(graph, objective="constant_potts", resolution=0.2, deterministic=True)
    for factor in FACTORS:
        scaled = graph.with_weights(graph.edges()[2] * factor)
        for beta in (1.0, factor):
            found = katz_centrality(scaled, alpha=0.01 / factor, beta=beta, weights="weight")
            known = katz_centrality(graph, alpha=0.01, weights="weight")
            np.testing.assert_allclose(found, known, rtol=1e-9)
        again = leiden(
            scaled, objective="constant_potts", resolution=0.2 * factor, deterministic=True
        )
        assert again.tolist() == cpm.tolist()
    assert 1 < len(np.unique(cpm)) < 60


def test_values_times_a_factor():
    graph, values = weighted(), np.arange(60) % 7
    known = numeric_assortativity_coefficient(graph, values)
    for factor in (1e-300, 1e-165, 1e200, 1e300):
        found = numeric_assortativity_coefficient(graph, values * factor)
        assert found == pytest.approx(known, rel=1e-9)


@pytest.mark.parametrize("replace", [False, True])
def test_samples_by_extreme_weights(replace):
    graph = weighted()
    known = sample(graph, None, 3, replace=replace, seed=5)
    for factor in (2.0**-1021, 2.0**-1030, 2.0**1022):
        mixed = graph.weights * factor
        mixed[graph.indptr[30] :] = graph.weights[graph.indptr[30] :]  # half of the rows
        for weights in (graph.weights * factor, mixed):
            found = sample(graph, None, 3, replace=replace, seed=5, weights=weights)
            assert found.arcs.tolist() == known.arcs.tolist()


@pytest.mark.parametrize("weight", [5e-324, 1e-310])
def test_the_smallest_weights(weight):
    graph = random_graph(60, 240)
    tiny = graph.with_weights(np.full(graph.num_edges, weight))
    for function in (louvain, leiden):
        found = function(tiny, deterministic=True)
        assert found.tolist() == function(graph, deterministic=True).tolist()
    central = ALGORITHMS["eigenvector_centrality"].load()
    np.testing.assert_allclose(central(tiny, weights="weight"), central(graph), rtol=1e-9)


@pytest.mark.parametrize(
    "name", ["communities.louvain", "communities.leiden", "eigenvector_centrality"]
)
def test_weights_whose_sum_is_infinite(name):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1e308, 1e308, 1e308])
    with pytest.raises(ValueError, match="weights must have a finite sum, got inf"):
        ALGORITHMS[name].load()(graph, weights="weight")
