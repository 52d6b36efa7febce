"""`constant_potts`: against the sum over all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.communities import constant_potts
from tests.algorithms.communities.partitions import dense
from tests.algorithms.samples import graphs


@given(graphs(lengths=st.integers(0, 5)), st.data(), st.sampled_from([0.0, 0.5, 3.0]))
def test_any_graph(graph, data, resolution):
    n = graph.num_vertices
    labels = np.array(data.draw(st.lists(st.integers(-2, n), min_size=n, max_size=n)))
    same = np.equal.outer(labels, labels)
    wanted = (dense(graph) * same).sum() - resolution * (same.sum() - n)
    found = constant_potts(graph, labels, resolution=resolution)
    assert found == pytest.approx(wanted if graph.directed else wanted / 2, abs=1e-9)


def test_errors_and_nothing():
    assert constant_potts(Graph([0], []), []) == constant_potts(Graph([0, 0], []), [7]) == 0
    with pytest.raises(TypeError, match="communities must be whole numbers"):
        constant_potts(Graph.from_edges([0], [1]), [0.5, 1])
    with pytest.raises(ValueError, match="resolution must be a finite number, at least 0"):
        constant_potts(Graph.from_edges([0], [1]), [0, 1], resolution=np.inf)
