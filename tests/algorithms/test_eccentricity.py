"""`eccentricity`, `diameter` and `radius`: NetworkX's numbers, and those of all distances."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import (
    Graph,
    Trace,
    diameter,
    eccentricity,
    generators,
    multi_source_bfs,
    observe,
    radius,
    read,
    threads,
)
from edgewise.algorithms.distances import all_depths as home
from tests.algorithms.samples import (
    SHAPES,
    TEAMS,
    graphs,
    random_graph,
    shape,
    small_and_large,
    to_networkx,
)

FUNCTIONS = (eccentricity, diameter, radius)

way = small_and_large(home, "_STEPS")


def all_depths(graph):
    """The eccentricities of all distances; those that are not reached do not count."""
    distance = multi_source_bfs(graph, np.arange(graph.num_vertices))
    return np.where(distance == np.iinfo(np.int32).max, -1, distance).max(axis=1, initial=0)


def check(graph):
    known = all_depths(graph)
    assert eccentricity(graph, on_disconnected="ignore").tolist() == known.tolist()
    assert diameter(graph, on_disconnected="ignore") == max(known, default=0)
    assert radius(graph, on_disconnected="ignore") == min(known, default=0)


@given(graphs(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_as_networkx(graph, team):
    try:
        known = nx.eccentricity(to_networkx(graph))
    except nx.NetworkXError:
        for function in FUNCTIONS:
            with pytest.raises(ValueError, match=f"{function.__name__} needs a .*connected graph"):
                function(graph)
        return
    with threads(team):
        assert eccentricity(graph).tolist() == [known[v] for v in range(graph.num_vertices)]
        assert diameter(graph) == max(known.values()) and radius(graph) == min(known.values())


@pytest.mark.parametrize("directed", [False, True])
def test_where_not_all_reach_all(directed):
    """Few edges and many parts; and so many undecided ones that they are searched from at once."""
    for edges in (200, 400, 2500):
        check(random_graph(300, edges, directed=directed, seed=edges))


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    check(shape(name, directed=directed))


@pytest.mark.slow
def test_long_ways_and_short_ones():
    for graph in (
        generators.grid_2d(23, 31),
        generators.rmat(11, seed=2),
        generators.grid_2d(2, 300),
    ):
        check(graph)


@pytest.mark.slow
def test_estimates_are_bounds():
    for graph in (generators.grid_2d(20, 30), random_graph(400, 1500)):
        exact, found = (
            all_depths(graph),
            eccentricity(graph, max_searches=3, on_disconnected="ignore"),
        )
        assert (found <= exact).all()
        options = {"max_searches": 4, "on_disconnected": "ignore"}
        assert exact.max() - 2 <= diameter(graph, **options) <= exact.max()
        assert radius(graph, **options) >= exact.min()


def test_few_searches():
    graph = generators.grid_2d(40, 50)
    with observe(Trace()) as trace:
        assert diameter(graph) == 88
    assert len([row for row in trace.rows if "undecided" in row]) < 40


def test_misuse():
    apart = Graph.from_edges([0, 2], [1, 3])
    with pytest.raises(ValueError, match="diameter needs a connected graph, but 2 vertices have no "
                       "path from vertex 0"):  # fmt: skip
        diameter(apart)
    with pytest.raises(ValueError, match="2 vertices have no path from vertex ann;"):
        diameter(Graph.from_edges(["ann", "cat"], ["bob", "dan"]))
    arrows = Graph.from_edges([0, 1], [1, 2], directed=True)
    with pytest.raises(ValueError, match="2 vertices have no path to vertex 0"):
        radius(arrows)
    with pytest.raises(ValueError, match="max_searches must be at least 1, got 0"):
        diameter(apart, max_searches=0)
    with pytest.raises(ValueError, match="on_disconnected must be one of 'raise', 'ignore'"):
        eccentricity(apart, on_disconnected="drop")


@pytest.mark.data
@pytest.mark.parametrize(("name", "options", "known"), [
    ("facebook_combined.txt.gz", {}, 8),
    ("email-Enron.txt.gz", {"header": "counts"}, 13),
    ("ca-AstroPh.txt.gz", {"columns": (0, 1)}, 14),
    pytest.param("com-dblp.csv.gz", {"format": "edges"}, 23, marks=pytest.mark.slow),
])  # fmt: skip
def test_of_real_graphs(shared_graphs, name, options, known):
    """SNAP's own numbers come from samples: 11 instead of 13 for Enron, 21 instead of 23."""
    assert diameter(read(shared_graphs / name, **options), on_disconnected="ignore") == known
