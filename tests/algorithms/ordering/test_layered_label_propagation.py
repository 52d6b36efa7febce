"""`layered_label_propagation`: an order, the same for all threads, in which clusters are whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Trace, observe, ordering, threads
from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import GRAPHS, is_order, mixed_blocks, runs
from tests.algorithms.samples import graphs, random_graph

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier

llp = ordering.layered_label_propagation


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    assert is_order(GRAPHS[name], llp(GRAPHS[name]))


@given(graphs(), st.integers(0, 99))
def test_any_graph(graph, seed):
    assert is_order(graph, llp(graph, seed=seed))


def test_equal_for_any_number_of_threads():
    graph = random_graph(3000, 20_000)
    with threads(1):
        alone = llp(graph, seed=3).tolist()
    with threads(3):
        assert llp(graph, seed=3).tolist() == alone
    assert llp(graph, seed=4).tolist() != alone


def test_planted_blocks_are_whole():
    graph, block = mixed_blocks()
    for resolutions in ((0.0,), (0.5, 0.02), (1.0, 0.25, 0.02)):
        assert runs(llp(graph, resolutions=resolutions, max_iter=60), block) == 6


def test_a_later_layer_keeps_the_order_inside_its_clusters():
    """One clique: every layer after the first sees one cluster, and changes nothing."""
    clique = Graph.from_edges(*np.triu_indices(30, 1))
    assert llp(clique, resolutions=(0.0,)).tolist() == list(range(30))
    graph, block = mixed_blocks()
    fine = llp(graph, resolutions=(0.02,), max_iter=60)
    both = llp(graph, resolutions=(0.02, 0.0), max_iter=60)
    for b in range(6):
        inside = np.flatnonzero(block == b)
        assert (np.argsort(fine[inside]) == np.argsort(both[inside])).all()


def test_a_price_on_size_keeps_clusters_small():
    """A ring of cliques is one cluster at last without a price, and never with a high one."""
    ring = [(8 * a + i, 8 * a + j) for a in range(12) for i in range(8) for j in range(i)]
    ring += [(8 * a, (8 * a + 9) % 96) for a in range(12)]
    order = llp(Graph.from_edges(*zip(*ring, strict=True)), resolutions=(0.5,), max_iter=60)
    assert runs(order, np.arange(96) // 8) == 12


def test_observers_hear_of_layers():
    with observe(Trace()) as trace:
        llp(GRAPHS["random"], resolutions=(1.0, 0.0))
    assert [row["gamma"] for row in trace.rows if row.get("phase") == "layer"] == [1.0, 0.0]


def test_errors():
    with pytest.raises(ValueError, match="resolutions must be a finite number, at least 0, got -1"):
        llp(GRAPHS["path"], resolutions=(1.0, -1.0))
    with pytest.raises(ValueError, match="max_iter must be at least 0"):
        llp(GRAPHS["path"], max_iter=-1)
