"""`diameter` is tested with `eccentricity`, whose bounds it shares; here what it gives alone."""

from __future__ import annotations

import networkx as nx
import pytest

from edgewise import diameter
from tests.algorithms.samples import shape, to_networkx


@pytest.mark.parametrize("name", ["one vertex", "one edge", "path", "star", "cycle", "clique"])
def test_as_networkx(name):
    graph = shape(name)
    found = diameter(graph)
    assert found == nx.diameter(to_networkx(graph)) and type(found) is int
