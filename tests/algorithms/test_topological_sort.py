"""`topological_sort` and `is_dag`: edges lead to later vertices, if NetworkX says they can."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import is_dag, threads, topological_generations, topological_sort
from edgewise.cli.sample import without_cycles
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def check(graph):
    answer = is_dag(graph)
    assert answer is nx.is_directed_acyclic_graph(to_networkx(graph))
    if not graph.directed:
        with pytest.raises(ValueError, match="needs a directed graph"):
            topological_sort(graph)
    elif not answer:
        with pytest.raises(ValueError, match="graph must have no cycle"):
            topological_sort(graph)
    else:
        order = topological_sort(graph)
        assert sorted(order.tolist()) == list(range(graph.num_vertices))
        place = np.argsort(order)
        u, v, _ = graph.arcs()
        assert (place[u] < place[v]).all()
        level = topological_generations(graph)[order]
        keys = list(zip(level.tolist(), order.tolist(), strict=True))
        assert keys == sorted(keys)


@given(graphs(), st.booleans(), st.sampled_from(TEAMS))
def test_any_graph(graph, acyclic, team):
    with threads(team):
        check(without_cycles(graph) if acyclic else graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


def test_larger_graphs():
    graph = random_graph(3000, 20_000, directed=True)
    check(without_cycles(graph))
    check(graph)
