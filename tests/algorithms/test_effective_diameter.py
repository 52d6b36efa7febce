"""`effective_diameter`: near the one of all distances."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, effective_diameter, generators
from edgewise.algorithms.distances.effective_diameter import percentile
from tests.algorithms.samples import random_graph
from tests.algorithms.test_neighborhood_function import pairs_within


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_near_the_exact_one(share):
    for graph in (generators.rmat(9, seed=4), random_graph(600, 2400, directed=True)):
        counts = np.diff(pairs_within(graph), prepend=0)
        counts[0] = 0
        found = effective_diameter(graph, fraction=share, seed=3)
        assert found == pytest.approx(percentile(counts, share), rel=0.06)


def test_nobody_reaches_anybody():
    assert effective_diameter(Graph([0, 0, 0], [])) == 0 and effective_diameter(Graph([0], [])) == 0


def test_misuse():
    with pytest.raises(ValueError, match="fraction must be a number from 0 to 1, got 2"):
        effective_diameter(Graph.from_edges([0], [1]), fraction=2)
