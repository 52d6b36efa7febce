"""Families of classic graphs: the edges of NetworkX's, number for number."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise import generators

CASES = [
    ("empty", nx.empty_graph, [(0,), (1,), (7,)]),
    ("path", nx.path_graph, [(0,), (1,), (2,), (9,)]),
    ("cycle", nx.cycle_graph, [(0,), (1,), (2,), (3,), (10,)]),
    ("complete", nx.complete_graph, [(0,), (1,), (2,), (8,)]),
    ("complete_bipartite", nx.complete_bipartite_graph, [(0, 0), (0, 3), (3, 0), (4, 6)]),
    ("turan", nx.turan_graph, [(1, 1), (6, 3), (13, 4), (5, 5)]),
    ("star", nx.star_graph, [(0,), (1,), (6,)]),
    ("wheel", nx.wheel_graph, [(0,), (1,), (2,), (3,), (4,), (9,)]),
    ("ladder", nx.ladder_graph, [(0,), (1,), (2,), (6,)]),
    ("circular_ladder", nx.circular_ladder_graph, [(1,), (2,), (3,), (6,)]),
    ("barbell", nx.barbell_graph, [(2, 0), (3, 1), (5, 4)]),
    ("lollipop", nx.lollipop_graph, [(2, 0), (3, 1), (5, 4)]),
]


@pytest.mark.parametrize(
    ("name", "oracle", "arguments"),
    [(name, oracle, arguments) for name, oracle, many in CASES for arguments in many],
)
def test_edges_of_networkx(name, oracle, arguments, same_as):
    same_as(getattr(generators, name)(*arguments), oracle(*arguments))


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_hypercube_reads_networkx_vertices_as_binary_numbers(dimension, same_as):
    expected = nx.hypercube_graph(dimension)
    names = {v: int("".join(map(str, np.ravel(v))), 2) for v in expected}
    same_as(generators.hypercube(dimension), nx.relabel_nodes(expected, names))


def test_smallest_hypercube_is_a_vertex():
    assert generators.hypercube(0) == generators.empty(1)


def test_empty_may_be_directed():
    assert generators.empty(3, directed=True).directed
    assert not generators.empty(3).directed


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("empty", (-1,), "n must be at least 0"),
        ("path", (-1,), "n must be at least 0"),
        ("cycle", (-1,), "n must be at least 0"),
        ("complete", (-1,), "n must be at least 0"),
        ("complete_bipartite", (-1, 2), "left must be at least 0"),
        ("complete_bipartite", (1, -2), "right must be at least 0"),
        ("turan", (3, 4), "r must be at most n = 3, got 4"),
        ("turan", (3, 0), "r must be at least 1"),
        ("star", (-1,), "leaves must be at least 0"),
        ("wheel", (-1,), "n must be at least 0"),
        ("ladder", (-1,), "n must be at least 0"),
        ("circular_ladder", (-1,), "n must be at least 0"),
        ("barbell", (1, 2), "bell must be at least 2"),
        ("barbell", (3, -1), "bar must be at least 0"),
        ("lollipop", (1, 2), "candy must be at least 2"),
        ("lollipop", (2, -2), "stick must be at least 0"),
        ("hypercube", (-1,), "dimension must be at least 0"),
        ("hypercube", (41,), "dimension must be at most 40"),
    ],
)
def test_bad_arguments_are_named(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(generators, name)(*arguments)
