"""Mycielski graphs against NetworkX's."""

from __future__ import annotations

import networkx as nx
import pytest

from edgewise.generators import cycle, empty, mycielski, mycielskian, petersen
from edgewise.graph import Graph


@pytest.mark.parametrize("k", range(1, 9))
def test_is_networkx_graph(k, same_as):
    same_as(mycielski(k), nx.mycielski_graph(k))


@pytest.mark.parametrize("iterations", [0, 1, 2])
def test_mycielskian_of_any_graph(iterations, same_as):
    graph = mycielskian(petersen(), iterations=iterations)
    same_as(graph, nx.mycielskian(nx.petersen_graph(), iterations))
    isolated = mycielskian(empty(2), iterations=iterations)
    same_as(isolated, nx.mycielskian(nx.empty_graph(2), iterations))


def test_no_triangles(as_networkx):
    assert not any(nx.triangles(as_networkx(mycielskian(cycle(7), iterations=2))).values())


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        mycielski(0)
    with pytest.raises(ValueError, match="k must be at most 24, got 40"):
        mycielski(40)
    with pytest.raises(ValueError, match="iterations must be at least 0"):
        mycielskian(cycle(3), iterations=-1)
    with pytest.raises(ValueError, match="graph must be undirected"):
        mycielskian(Graph.from_edges([0], [1], directed=True))
    with pytest.raises(ValueError, match="graph must have no self-loops"):
        mycielskian(cycle(1))
