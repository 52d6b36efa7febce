"""Assortativity: NetworkX's numbers."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import (
    Graph,
    attribute_assortativity_coefficient,
    degree_assortativity_coefficient,
    numeric_assortativity_coefficient,
    threads,
)
from edgewise.algorithms.structure import assortativity, exact_correlation as home
from tests.algorithms.samples import (
    SHAPES,
    TEAMS,
    graphs,
    random_graph,
    shape,
    small_and_large,
    to_networkx,
)

way = small_and_large(home, "_ALONE")


def known(function, graph, *args, **options):
    """NetworkX's number, whose rounding may hide that there is none."""
    if graph.num_arcs == 0:
        return np.nan
    plain = to_networkx(graph)
    for v in plain:
        plain.nodes[v].update(kind=int(v % 3), number=(v * v) % 7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(plain, *args, **options)


def agree(found, wanted):
    if np.isnan(found):
        assert np.isnan(wanted) or abs(wanted) > 1 or wanted == 0, "nothing varies there"
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)


def check(graph):
    vertices = np.arange(graph.num_vertices)
    for x, y in (("out", "in"), ("in", "in")):
        agree(degree_assortativity_coefficient(graph, x=x, y=y),
              known(nx.degree_assortativity_coefficient, graph, x=x, y=y))  # fmt: skip
    agree(numeric_assortativity_coefficient(graph, vertices**2 % 7),
          known(nx.numeric_assortativity_coefficient, graph, "number"))  # fmt: skip
    agree(attribute_assortativity_coefficient(graph, vertices % 3),
          known(nx.attribute_assortativity_coefficient, graph, "kind"))  # fmt: skip


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        check(graph)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs(directed):
    check(random_graph(1000, 8000, directed=directed))


def test_strengths_take_the_place_of_degrees():
    graph = random_graph(300, 900)
    graph = graph.with_weights(np.random.default_rng(1).integers(1, 9, graph.num_edges))
    wanted = known(nx.degree_assortativity_coefficient, graph, weight="weight")
    assert degree_assortativity_coefficient(graph, weights="weight") == pytest.approx(wanted)
    plain = known(nx.degree_assortativity_coefficient, graph)
    assert degree_assortativity_coefficient(graph) == pytest.approx(plain)


def test_nothing_varies():
    cycle = shape("cycle")
    assert np.isnan(degree_assortativity_coefficient(cycle))
    assert np.isnan(numeric_assortativity_coefficient(cycle, np.full(9, 0.1)))
    assert np.isnan(attribute_assortativity_coefficient(cycle, np.full(9, 4)))


def test_large_numbers_do_not_drown():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    plain = numeric_assortativity_coefficient(path, [1, 2, 3, 4])
    assert numeric_assortativity_coefficient(path, np.arange(4) + 1e9) == pytest.approx(plain)


def test_errors():
    graph = shape("path")
    with pytest.raises(ValueError, match="x must be one of 'out', 'in', got 'all'"):
        degree_assortativity_coefficient(graph, x="all")
    with pytest.raises(ValueError, match="attribute must have one entry per vertex"):
        numeric_assortativity_coefficient(graph, [1, 2])
    with pytest.raises(ValueError, match="attribute must be finite, got nan"):
        numeric_assortativity_coefficient(graph, np.full(150, np.nan))
    with pytest.raises(TypeError, match="attribute must be whole numbers"):
        attribute_assortativity_coefficient(graph, np.full(150, 0.5))


def test_whole_numbers_and_floats_agree(monkeypatch):
    star = Graph.from_edges(np.zeros(3000, np.int64), np.arange(1, 3001))
    graph = random_graph(300, 3000)
    exact = [degree_assortativity_coefficient(one) for one in (star, graph)]
    assert exact[0] == -1
    monkeypatch.setattr(assortativity, "exact_correlation", lambda graph, weights: None)
    found = [degree_assortativity_coefficient(one) for one in (star, graph)]
    assert found == pytest.approx(exact, abs=1e-12)
