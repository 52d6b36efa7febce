"""Functions that take ``nodes``: values of some nodes, and where such calls run."""

from __future__ import annotations

import math

import networkx as nx
import pytest

from edgewise.networkx.dispatch import backend
from edgewise.networkx.recent_calls import CALLS
from tests.networkx.test_functions import GRAPHS, WHERE, called, equal

KINDS = ("plain", "named", "mixed", "directed", "acyclic", "connected", "grid", "no arcs")


@pytest.mark.parametrize("name", ["constraint", "effective_size"])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_structural_holes_of_some_nodes(name, weight):
    """Also of directed and weighted graphs, where the formulas of NetworkX differ."""
    for kind in KINDS:
        graph, before = GRAPHS[kind], CALLS[name]
        nodes = [*graph][::-2]
        for some in (nodes, (*nodes, nodes[0]), {*nodes}, iter(nodes), [], dict.fromkeys(nodes)):
            again = [*some] if hasattr(some, "__next__") else None
            ours, theirs = (
                called(name, graph, b, nodes=iter(again) if again else some, weight=weight)
                for b in WHERE
            )
            assert equal(ours, theirs), kind
        assert CALLS[name] == before + 6
    for wrong, error in ((["nowhere"], KeyError), ([[]], TypeError)):
        found = {called(name, GRAPHS["plain"], where, nodes=wrong) for where in WHERE}
        assert found == {error}


def test_structural_holes_of_all_nodes_of_directed_graphs():
    """NetworkX counts predecessors only where all nodes are asked for."""
    graph = nx.DiGraph([(0, 1), (2, 1)])
    for nodes, isolated in ((None, False), ([0, 1, 2], True)):
        ours, theirs = (called("constraint", graph, where, nodes=nodes) for where in WHERE)
        assert equal(ours, theirs) and math.isnan(ours[1]) == isolated


def test_other_weights_are_left_to_networkx():
    graph = nx.Graph([(0, 1, {"weight": 0}), (1, 2, {"weight": 2})])
    for name in ("constraint", "effective_size"):
        options = {"nodes": [0], "weight": "weight"}
        assert called(name, graph, "edgewise", **options) is NotImplementedError
    assert called("effective_size", graph, "edgewise", weight="weight") is NotImplementedError


def test_a_few_nodes_stay_in_networkx():
    graph = nx.star_graph(5000)
    for nodes in (0, [0], {0, 1}):
        assert "few nodes" in backend.should_run("clustering", (graph, nodes), {})
        assert "few nodes" in backend.should_run("constraint", (graph,), {"nodes": [0]})
    assert backend.should_run("clustering", (graph, [*range(200)]), {}) is True
    assert backend.should_run("clustering", (graph, iter([0])), {}) is True
    assert backend.should_run("clustering", (graph,), {"nodes": None}) is True
