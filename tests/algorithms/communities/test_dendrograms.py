"""Dendrograms: cuts are partitions that merges lead to, and SciPy draws the linkage."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.cluster.hierarchy import dendrogram, is_monotonic, is_valid_linkage

from edgewise import Graph, communities, generators

CLUB = generators.karate_club()
APART = Graph.from_edges([0, 0, 1, 3, 3, 4, 6], [1, 2, 2, 4, 5, 5, 7], num_vertices=9)
TREES = {
    "girvan_newman": communities.girvan_newman(CLUB).dendrogram,
    "apart": communities.girvan_newman(APART, max_communities=6).dendrogram,
    "greedy": communities.greedy_modularity(CLUB).dendrogram,
    "greedy apart": communities.greedy_modularity(APART).dendrogram,
    "louvain": communities.louvain_partitions(generators.cycle(60)).to_dendrogram(),
    "leiden": communities.leiden_partitions(generators.cycle(60)).to_dendrogram(),
    "no edges": communities.greedy_modularity(generators.empty(3)).dendrogram,
    "one": communities.greedy_modularity(generators.empty(1)).dendrogram,
    "none": communities.girvan_newman(generators.empty(0)).dendrogram,
}


@pytest.mark.parametrize("name", TREES)
def test_cuts_are_nested(name):
    tree = TREES[name]
    most = tree.num_leaves
    least = most - len(tree.merges)
    assert tree.cut(most).tolist() == tree.leaves.tolist()
    finer = tree.cut(most)
    for k in range(most, least - 1, -1):
        cut = tree.cut(k)
        assert cut.num_communities == k
        for label in set(cut.tolist()):
            members = np.flatnonzero(cut == label)
            assert members[0] == label
            assert {*finer[members].tolist()}.isdisjoint(finer[cut != label].tolist())
        finer = cut
    for wrong in (least - 1, most + 1):
        with pytest.raises(ValueError, match="k must"):
            tree.cut(wrong)
    with pytest.raises(TypeError, match="k must be a whole number"):
        tree.cut("a")


@pytest.mark.parametrize("name", [name for name in TREES if name not in ("one", "none")])
def test_scipy_draws_the_linkage(name):
    tree = TREES[name]
    linkage = tree.to_linkage()
    assert linkage.shape == (tree.num_leaves - 1, 4)
    assert is_valid_linkage(linkage) and is_monotonic(linkage)
    assert linkage[-1, 3] == tree.num_leaves
    drawn = dendrogram(linkage, no_plot=True)
    assert sorted(drawn["leaves"]) == [*range(tree.num_leaves)]


def test_linkage_of_nothing():
    assert TREES["one"].to_linkage().shape == TREES["none"].to_linkage().shape == (0, 4)


@pytest.mark.parametrize("function", [communities.girvan_newman, communities.greedy_modularity])
def test_the_best_cut_is_the_result(function):
    found = function(CLUB)
    assert found.tolist() == found.dendrogram.best().tolist()
    assert found.modularity == pytest.approx(found.dendrogram.quality.max())


@pytest.mark.parametrize("every", [communities.louvain_partitions, communities.leiden_partitions])
def test_levels_are_cuts(every):
    graph = generators.lfr_benchmark(2000, mu=0.4, seed=1).graph
    found = every(graph, deterministic=True)
    tree = found.to_dendrogram()
    last = found.levels[-1]
    assert tree.cut(last.num_communities).tolist() == last.tolist()
    assert tree.quality[-1] == found.quality[-1]
    assert [*np.unique(tree.heights)] == [*range(1, len(found.levels))]


def test_levels_that_are_not_nested_are_divided():
    levels = [np.array([0, 0, 2, 2, 4]), np.array([0, 0, 0, 3, 3])]
    tree = communities.Hierarchy(levels, [0.25, 0.5]).to_dendrogram()
    assert tree.leaves.tolist() == [0, 0, 2, 3, 4]
    assert tree.merges.tolist() == [[0, 1], [2, 3]]
    assert tree.cut(2).tolist() == [0, 0, 0, 3, 3]
    assert np.isnan(tree.quality[:2]).all() and tree.quality[2] == 0.5
    assert tree.best().tolist() == [0, 0, 0, 3, 3]


def test_pickle_keeps_the_dendrogram():
    found = pickle.loads(pickle.dumps(communities.greedy_modularity(CLUB)))
    assert found.dendrogram.cut(2).num_communities == 2
    found[0] = 5
    assert found.dendrogram is None
