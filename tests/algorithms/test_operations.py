"""`union`, `compose` and their kin: sets of edges in Python, and NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import (
    Graph,
    compose,
    difference,
    intersection,
    symmetric_difference,
    threads,
    union,
)
from tests.algorithms.samples import TEAMS, graphs, shape

LENGTHS = st.sampled_from([1.0, 2.0, 5.0])


def edges_of(graph):
    """The weight of each edge by its ends."""
    graph.validate()
    u, v, w = graph.edges()
    if graph.labels is not None:
        u, v = graph.label(u), graph.label(v)
    pairs = zip(u.tolist(), v.tolist(), strict=True)
    ends = [pair if graph.directed else tuple(sorted(pair)) for pair in pairs]
    return dict(zip(ends, [1.0] * len(ends) if w is None else w.tolist(), strict=True))


def vertices_of(graph):
    n = graph.num_vertices
    return {*(range(n) if graph.labels is None else graph.labels.values.tolist())}


def named(graph, names):
    return graph.with_labels(np.array(names[: graph.num_vertices], object))


@given(st.booleans(), st.data(), st.sampled_from(TEAMS), st.sampled_from(["ids", "names"]))
def test_any_graphs(directed, data, team, by):
    one, two = (
        data.draw(graphs(directed=directed, lengths=data.draw(st.sampled_from([None, LENGTHS]))))
        for _ in range(2)
    )
    if by == "names":
        letters = [*"abcdefghijklmnop"]
        one, two = (named(one, letters), named(two, data.draw(st.permutations(letters))))
    a, b = edges_of(one), edges_of(two)
    with threads(team):
        both, shared = compose(one, two), intersection(one, two)
        less, either = difference(one, two), symmetric_difference(one, two)
    assert edges_of(both) == a | b
    assert edges_of(compose(one, two, combine="first")) == b | a
    assert edges_of(shared) == {edge: a[edge] for edge in a.keys() & b.keys()}
    assert edges_of(less) == {edge: a[edge] for edge in a.keys() - b.keys()}
    assert edges_of(either) == {edge: (a | b)[edge] for edge in a.keys() ^ b.keys()}
    for result in (both, either):
        assert vertices_of(result) == vertices_of(one) | vertices_of(two)
        n = one.num_vertices
        assert by == "ids" or (result.labels.values[:n] == one.labels.values).all()
    assert vertices_of(shared) == vertices_of(one) & vertices_of(two)
    assert vertices_of(less) == vertices_of(one)


@given(st.booleans(), st.data())
def test_unions_are_networkxs(directed, data):
    one, two = (data.draw(graphs(directed=directed)) for _ in range(2))
    found = nx.disjoint_union(*(one.to_networkx(), two.to_networkx()))
    assert {*edges_of(union(one, two))} == {
        edge if directed else tuple(sorted(edge)) for edge in found.edges
    }
    assert union(one, two).num_vertices == len(found)


def test_weights_of_both():
    one = Graph.from_edges([0, 1], [1, 2], [1, 2])
    two = Graph.from_edges([1, 2], [2, 3], [5, 7])
    rules = ("last", "first", "sum", "min", "max")
    found = {rule: compose(one, two, combine=rule).edge_weight(1, 2) for rule in rules}
    assert found == {"last": 5, "first": 2, "sum": 7, "min": 2, "max": 5}
    assert compose(one, Graph.from_edges([0], [3])).edges()[2].tolist() == [1, 1, 2]
    assert union(Graph.from_edges([0], [1]), one).edges()[2].tolist() == [1, 1, 2]
    with pytest.raises(ValueError, match=r"edge \(1, 2\) is given more than once"):
        compose(one, two, combine="raise")


def test_integer_labels_and_mixed_kinds():
    one = Graph.from_edges([10, 20], [20, 30], labels=True)
    two = Graph.from_edges([20, 40], [30, 20], labels=True)
    assert edges_of(compose(one, two)) == {(10, 20): 1, (20, 30): 1, (20, 40): 1}
    three = Graph.from_edges(["x"], ["y"])
    assert vertices_of(compose(one, three)) == {10, 20, 30, "x", "y"}
    assert edges_of(intersection(one, three)) == {}


def test_errors():
    one, two = Graph.from_edges(["a"], ["b"]), Graph.from_edges(["b"], ["c"])
    with pytest.raises(ValueError, match="other must have other labels than graph"):
        union(one, two)
    assert union(one, Graph.from_edges(["c"], ["d"])).has_edge("c", "d")
    for ask in (union, compose, intersection, difference, symmetric_difference):
        with pytest.raises(ValueError, match="other must be an undirected graph"):
            ask(shape("path"), shape("path", directed=True))
        with pytest.raises(TypeError, match="other must be a Graph"):
            ask(shape("path"), 3)
        with pytest.raises(ValueError, match="other must have labels as graph has"):
            ask(one, shape("path"))
