"""Kneser graphs against NetworkX's."""

from __future__ import annotations

from itertools import combinations
from math import comb

import networkx as nx
import numpy as np
import pytest

from edgewise.generators import kneser


@pytest.mark.parametrize("n", range(1, 9))
def test_is_networkx_graph(n, same_as):
    for k in range(1, n + 1):
        names = {one: i for i, one in enumerate(combinations(range(n), k))}
        same_as(kneser(n, k), nx.relabel_nodes(nx.kneser_graph(n, k), names))


def test_petersen_and_larger(as_networkx):
    assert nx.is_isomorphic(as_networkx(kneser(5, 2)), nx.petersen_graph())
    graph = kneser(13, 4)
    assert graph.num_vertices == comb(13, 4)
    assert set(graph.degrees().tolist()) == {comb(9, 4)}


@pytest.mark.parametrize(("n", "k"), [(5, 2), (6, 2), (7, 3)])
def test_colors_of_the_proof_are_enough(n, k):
    """A set gets its smallest element as its color, at most n - 2k + 1: n - 2k + 2 colors."""
    smallest = np.array([one[0] for one in combinations(range(n), k)])
    colors = np.minimum(smallest, n - 2 * k + 1)
    sources, targets, _ = kneser(n, k).edges()
    assert (colors[sources] != colors[targets]).all()


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        kneser(5, 0)
    with pytest.raises(ValueError, match="n must be at least 3, got 2"):
        kneser(2, 3)
    with pytest.raises(ValueError, match="at most 2\\*\\*31 edges, got 60 and 8"):
        kneser(60, 8)
