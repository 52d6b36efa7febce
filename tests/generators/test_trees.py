"""Trees: the edges of NetworkX's, number for number; random ones uniform."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import pytest

from edgewise.generators import balanced_tree, binary_tree, random_labeled_tree


@pytest.mark.parametrize(("branching", "height"), [(1, 5), (2, 0), (2, 4), (3, 3), (7, 1)])
def test_balanced_tree_is_networkx_tree(branching, height, same_as):
    same_as(balanced_tree(branching, height), nx.balanced_tree(branching, height))


@pytest.mark.parametrize("n", [0, 1, 2, 13, 31])
def test_binary_tree_is_networkx_full_tree(n, same_as):
    same_as(binary_tree(n), nx.full_rary_tree(2, n))


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="branching must be at least 1, got 0"):
        balanced_tree(0, 2)
    with pytest.raises(ValueError, match="height must be at least 0, got -1"):
        balanced_tree(2, -1)
    with pytest.raises(ValueError, match="n must be at least 0, got -1"):
        binary_tree(-1)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1000])
def test_random_trees_are_trees(n, as_networkx):
    for seed in range(5):
        assert nx.is_tree(as_networkx(random_labeled_tree(n, seed=seed)))


def test_every_labeled_tree_is_equally_likely(edge_set, chi_square):
    seen = Counter(frozenset(edge_set(random_labeled_tree(4, seed=seed))) for seed in range(3200))
    assert len(seen) == 4**2
    assert chi_square(list(seen.values()), [200] * 16) > 1e-4


def test_random_trees_by_seed_and_without_vertices():
    assert random_labeled_tree(200, seed=1) == random_labeled_tree(200, seed=1)
    assert random_labeled_tree(200, seed=1) != random_labeled_tree(200, seed=2)
    with pytest.raises(ValueError, match="n must be at least 1"):
        random_labeled_tree(0)
