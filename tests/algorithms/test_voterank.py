"""`voterank`: elections in exact fractions, and NetworkX's."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given

from edgewise import Graph, generators, voterank
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx


def oracle(graph):
    """All scores anew in every round."""
    n, plain = graph.num_vertices, graph.without_self_loops()
    rows = [plain.neighbors(v).tolist() for v in range(n)]
    ability, chosen = [Fraction(1)] * n, []
    while len(chosen) < n:
        score = [sum(ability[u] for u in rows[v]) * (v not in chosen) for v in range(n)]
        best = max(range(n), key=lambda v: (score[v], -v))
        if score[best] == 0:
            break
        chosen.append(best)
        ability[best] = Fraction(0)
        for u in rows[best]:
            ability[u] = max(ability[u] - Fraction(n, plain.num_arcs), Fraction(0))
    return chosen


@given(graphs())
def test_any_graph(graph):
    assert voterank(graph).tolist() == oracle(graph)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    assert voterank(graph).tolist() == oracle(graph)


def test_larger_graphs():
    for directed in (False, True):
        graph = random_graph(200, 700, directed=directed)
        assert voterank(graph).tolist() == oracle(graph)


def test_as_networkx():
    graph = generators.karate_club()
    assert voterank(graph, k=10).tolist() == nx.voterank(to_networkx(graph, None), 10)


def test_number():
    graph = shape("star")
    assert voterank(graph).tolist() == [0]  # leaves have no vote left
    assert voterank(graph, k=0).tolist() == []
    assert voterank(generators.cycle(9), k=2).tolist() == [0, 3]
    assert len(voterank(Graph.from_edges([0], [1]), k=50)) == 1
    with pytest.raises(ValueError, match="k must"):
        voterank(graph, k=-1)
