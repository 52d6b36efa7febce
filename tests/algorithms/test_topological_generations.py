"""`topological_generations`: NetworkX's generations; a cycle is named, and is one."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, threads, topological_generations
from edgewise.cli.sample import without_cycles
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    theirs = to_networkx(graph)
    if nx.is_directed_acyclic_graph(theirs):
        level = topological_generations(graph)
        expected = np.zeros(graph.num_vertices, np.int32)
        for at, generation in enumerate(nx.topological_generations(theirs)):
            expected[generation] = at
        assert level.dtype == np.int32 and level.tolist() == expected.tolist()
        return
    with pytest.raises(ValueError, match="graph must have no cycle, got ") as caught:
        topological_generations(graph)
    named = [int(word) for word in re.findall(r"\d+", str(caught.value))]
    assert all(theirs.has_edge(*pair) for pair in zip(named, named[1:], strict=False))
    assert "..." in str(caught.value) or named[0] == named[-1]


@given(graphs(directed=True), st.booleans(), st.sampled_from(TEAMS))
def test_any_graph(graph, acyclic, team):
    with threads(team):
        check(without_cycles(graph) if acyclic else graph)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name, directed=True))


def test_larger_graphs():
    graph = random_graph(3000, 20_000, directed=True)
    check(without_cycles(graph))
    check(graph)


def test_a_long_cycle_is_named_in_part_and_by_label():
    names = [f"v{i:02}" for i in range(20)]
    ring = Graph.from_edges(names, [*names[1:], "v00"], directed=True)
    with pytest.raises(ValueError, match=r"got \.\.\. -> v\d\d -> .* -> v\d\d -> \.\.\.$"):
        topological_generations(ring)
    with pytest.raises(ValueError, match="topological_generations needs a directed graph"):
        topological_generations(shape("path"))
