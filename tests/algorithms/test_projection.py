"""`projection`: NetworkX's projections of bipartite graphs, and the definition pair by pair."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, projection, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx

WEIGHTINGS = ("count", "ratio", "newman", "jaccard", "overlap", "none")


def by_definition(graph, side, weighting):
    """The weight of each pair of the side, from sets of neighbors."""
    large = to_networkx(graph, None)
    ids, others = np.flatnonzero(side), {*np.flatnonzero(~side).tolist()}
    into = large.pred if graph.directed else large.adj
    found = {}
    for i, u in enumerate(ids.tolist()):
        for j, v in enumerate(ids.tolist()):
            a, b = {*large.adj[u]} & others, {*into[v]} & others
            if u == v or not a & b or (not graph.directed and u > v):
                continue
            in_side = [len({*large.adj[w]} & {*ids.tolist()}) for w in a & b]
            found[i, j] = {
                "count": len(a & b),
                "ratio": len(a & b) / len(others),
                "newman": sum(1 / (d - 1) for d in in_side if d > 1),
                "jaccard": len(a & b) / len(a | b),
                "overlap": len(a & b) / min(len(a), len(b)),
                "none": 1,
            }[weighting]
    return found


def weights_of(graph):
    graph.validate()
    u, v, weights = graph.edges()
    values = [1] * len(u) if weights is None else weights.tolist()
    return dict(zip(zip(u.tolist(), v.tolist(), strict=True), values, strict=True))


@given(graphs(), st.sampled_from(TEAMS), st.sampled_from(WEIGHTINGS), st.randoms())
def test_any_graph(graph, team, weighting, draw):
    side = np.array([draw.random() < 0.6 for _ in range(graph.num_vertices)])
    with threads(team):
        found = projection(graph, side, weighting=weighting)
    assert found.num_vertices == side.sum() and found.directed == graph.directed
    assert weights_of(found) == pytest.approx(by_definition(graph, side, weighting))
    assert found.label(np.arange(found.num_vertices)).tolist() == np.flatnonzero(side).tolist()


def test_networkx():
    draw = nx.bipartite.gnmk_random_graph(60, 40, 300, seed=1)
    graph, bi = Graph.from_networkx(draw), nx.algorithms.bipartite
    theirs = {
        "count": bi.weighted_projected_graph(draw, range(60)),
        "ratio": bi.weighted_projected_graph(draw, range(60), ratio=True),
        "newman": bi.collaboration_weighted_projected_graph(draw, range(60)),
        "jaccard": bi.overlap_weighted_projected_graph(draw, range(60)),
        "overlap": bi.overlap_weighted_projected_graph(draw, range(60), jaccard=False),
        "none": bi.projected_graph(draw, range(60)),
    }
    for weighting, other in theirs.items():
        wanted = {
            (min(u, v), max(u, v)): one for u, v, one in other.edges(data="weight", default=1)
        }
        found = projection(graph, np.arange(60), weighting=weighting)
        assert weights_of(found) == pytest.approx(wanted)
        assert found.weights is None or (found.weights.dtype == np.int64) == (weighting == "count")


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for side in (np.zeros(len(graph), bool), np.ones(len(graph), bool), np.arange(len(graph)) > 0):
        assert weights_of(projection(graph, side)) == by_definition(graph, side, "count")


def test_larger_graph_labels_and_errors():
    graph = random_graph(300, 2000, seed=2)
    side = np.arange(300) % 3 > 0
    found = projection(graph, side, weighting="newman")
    assert weights_of(found) == pytest.approx(by_definition(graph, side, "newman"))
    papers = Graph.from_edges(["a", "b", "b"], ["p", "p", "q"])
    assert projection(papers, ["b", "a"]).label([0, 1]).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="weighting must be one of 'none', 'count'"):
        projection(graph, side, weighting="weight")
    with pytest.raises(ValueError, match="vertices must have one entry per vertex"):
        projection(graph, side[1:])
    with pytest.raises(ValueError, match=r"vertices\[0\] must be a vertex id from 0 to 299"):
        projection(graph, [300])
