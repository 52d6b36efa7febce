"""`subgraph_match_count` and `subgraph_matches`: NetworkX's matchers, once per subgraph."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st
from networkx.algorithms import isomorphism

from edgewise import (
    Graph,
    generators,
    subgraph_match_count,
    subgraph_matches,
    threads,
    triangle_count,
)
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

PATTERNS = {
    "edge": [(0, 1)],
    "wedge": [(0, 1), (1, 2)],
    "fork": [(0, 1), (0, 2)],
    "triangle": [(0, 1), (1, 2), (2, 0)],
    "transitive": [(0, 1), (1, 2), (0, 2)],
    "path": [(0, 1), (1, 2), (2, 3)],
    "star": [(0, 1), (0, 2), (0, 3)],
    "cycle": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "paw": [(0, 1), (1, 2), (2, 0), (2, 3)],
    "diamond": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)],
    "clique": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
    "both ways": [(0, 1), (1, 0), (1, 2)],
    "house": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4)],
    "bow tie": [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)],
    "star of four": [(0, 1), (2, 0), (0, 3), (0, 4)],
    "prism": [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)],
    "tree": [(0, 1), (1, 2), (1, 3), (3, 4), (3, 5)],
}


def pattern(name, *, directed=False):
    return Graph.from_edges(*np.array(PATTERNS[name]).T, directed=directed, duplicates="first")


def known(graph, small, *, induced, labels=None, wanted=None):
    """All matches as sets of edges of the graph, from NetworkX."""
    graph = graph.without_self_loops()
    large, little = to_networkx(graph), to_networkx(small)
    kind = isomorphism.DiGraphMatcher if graph.directed else isomorphism.GraphMatcher
    same = None
    if labels is not None:
        nx.set_node_attributes(large, dict(enumerate(labels)), "label")
        nx.set_node_attributes(little, dict(enumerate(wanted)), "label")
        same = isomorphism.categorical_node_match("label", None)
    matcher = kind(large, little, node_match=same)
    found = (
        matcher.subgraph_isomorphisms_iter() if induced else matcher.subgraph_monomorphisms_iter()
    )
    return {image(small, {v: u for u, v in one.items()}) for one in found}


def image(small, place):
    """The edges of the graph that a match uses."""
    us, vs, _ = small.arcs()
    return frozenset((int(place[u]), int(place[v])) for u, v in zip(us, vs, strict=True))


def check(graph, small, *, induced=False, labels=None, wanted=None):
    options = {"induced": induced, "vertex_labels": labels, "pattern_labels": wanted}
    expected = known(graph, small, induced=induced, labels=labels, wanted=wanted)
    assert subgraph_match_count(graph, small, **options) == len(expected)
    found = subgraph_matches(graph, small, **options)
    assert found.shape == (len(expected), small.num_vertices)
    assert {image(small, row) for row in found} == expected
    if labels is not None:
        assert (np.asarray(labels)[found] == np.asarray(wanted)).all()


@given(graphs(most=8), st.sampled_from(sorted(PATTERNS)), st.sampled_from(TEAMS), st.booleans())
def test_any_graph(graph, name, team, induced):
    with threads(team):
        check(graph, pattern(name, directed=graph.directed), induced=induced)


@given(graphs(most=8), st.sampled_from(["wedge", "triangle", "path", "diamond", "tree"]), st.data())
def test_labels(graph, name, data):
    small = pattern(name, directed=graph.directed)
    n, k = graph.num_vertices, small.num_vertices
    labels, wanted = (
        data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)) for size in (n, k)
    )
    check(graph, small, labels=labels, wanted=wanted, induced=data.draw(st.booleans()))


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if SHAPES[name][0] <= 40])
def test_shapes(name, directed):
    for one in ("wedge", "triangle", "cycle", "diamond", "clique"):
        check(shape(name, directed=directed), pattern(one, directed=directed))


@pytest.mark.parametrize("team", TEAMS)
def test_hubs(team):
    """Vertices are renumbered by degree; formulas, and a closed form for stars."""
    graph = random_graph(2000, 10_000, seed=3).without_self_loops()
    matrix = graph.to_scipy().astype(np.int64)
    square, degree = matrix @ matrix, graph.row_lengths().astype(np.int64)
    common = square.toarray()[np.triu_indices(2000, 1)]
    with threads(team):
        assert subgraph_match_count(graph, pattern("triangle")) == triangle_count(graph)
        wedges = (degree * (degree - 1) // 2).sum()
        assert subgraph_match_count(graph, pattern("wedge")) == wedges
        cycles = (common * (common - 1) // 2).sum() // 2
        assert subgraph_match_count(graph, pattern("cycle")) == cycles
        hub = generators.star(50)
        assert subgraph_match_count(hub, pattern("star")) == 50 * 49 * 48 // 6


def test_a_limit():
    graph, small = random_graph(300, 2000, seed=1), pattern("triangle")
    whole = subgraph_matches(graph, small)
    for limit in (1, 7, len(whole), 10**6):
        found = subgraph_matches(graph, small, max_matches=limit)
        assert len(found) == min(limit, len(whole))
        np.testing.assert_array_equal(found, whole[:limit])
        assert subgraph_match_count(graph, small, max_matches=limit) == len(found)


def test_cliques_of_a_clique():
    six = Graph.from_edges(*np.triu_indices(6, 1))
    assert subgraph_match_count(shape("clique"), six) == 924  # 12 choose 6
    found = subgraph_matches(shape("clique"), six)
    assert len({frozenset(row) for row in found.tolist()}) == 924


def test_odd_arguments():
    graph, small = shape("clique"), pattern("triangle")
    for wrong, said in (
        (pattern("triangle", directed=True), "pattern must be an undirected graph"),
        (Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]), "2 to 6 vertices, got 7"),
        (Graph.from_edges([0, 2], [1, 3]), "pattern must be connected"),
        (Graph.from_edges([0, 1], [1, 1]), "pattern must have no self-loops"),
    ):
        with pytest.raises(ValueError, match=said):
            subgraph_match_count(graph, wrong)
    with pytest.raises(TypeError, match="pattern must be a Graph, got 3"):
        subgraph_match_count(graph, 3)
    with pytest.raises(TypeError, match="pattern_labels is missing"):
        subgraph_match_count(graph, small, vertex_labels=np.zeros(12, int))
    with pytest.raises(ValueError, match="vertex_labels must have one entry per vertex"):
        subgraph_match_count(graph, small, vertex_labels=[1], pattern_labels=[1, 1, 1])
    with pytest.raises(ValueError, match="max_matches must be at least 1"):
        subgraph_match_count(graph, small, max_matches=0)


def test_patterns_by_name_and_by_pairs():
    graph = random_graph(40, 150, seed=2)
    triangle = [(0, 1), (1, 2), (2, 0)]
    known = subgraph_match_count(graph, Graph.from_edges([0, 1, 2], [1, 2, 0]))
    assert known == subgraph_match_count(graph, "triangle")
    assert known == subgraph_match_count(graph, triangle)
    assert known == subgraph_match_count(graph, np.array(triangle))
    both = random_graph(40, 300, directed=True, seed=2)
    cycle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    assert subgraph_match_count(both, triangle) == subgraph_match_count(both, cycle)
    with pytest.raises(ValueError, match="pattern must be one of 'clique', .* got 'square'"):
        subgraph_match_count(graph, "square")
    with pytest.raises(ValueError, match="the pattern 'triangle' needs an undirected graph"):
        subgraph_match_count(both, "triangle")
    with pytest.raises(TypeError, match="pattern must be a graph, a name, or pairs of vertices"):
        subgraph_match_count(graph, [0, 1, 2])
