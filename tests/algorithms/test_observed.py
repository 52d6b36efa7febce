"""An observer changes nothing: every algorithm gives what it gives without one, bit for bit.

On one thread, where two runs of the same program are the same; and on several, where algorithms
promise that.
"""

from __future__ import annotations

from inspect import signature

import numpy as np
import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.base.threads import threads
from edgewise.cli.sample import bipartite_sample, sample_graph, without_cycles
from edgewise.graph import Graph

#: What makes some algorithms do less, or end on any graph.
OPTIONS = {"hits": {"tol": 1e-3}, "eigenvector_centrality": {"tol": 1e-2},
           "matching.b_edge_cover": {"method": "primal_dual"}, "k_clique_count": {"k": 4},
           "betweenness_centrality": {"k": 3}, "edge_betweenness_centrality": {"k": 3},
           "influence.simulate": {"runs": 70}, "influence.place_sensors": {"samples": 20},
           "influence.contain": {"runs": 70, "samples": 20}}  # fmt: skip


def medium(directed):
    """As many edges as several threads are worth."""
    return ew.generators.rmat(12, seed=3, directed=directed)


def call(row, graph):
    """The parts of what an algorithm gives, as arrays."""
    function = row.load()
    named, groups = signature(function).parameters, np.arange(graph.num_vertices) // 3
    triangle = Graph.from_edges([0, 1, 2], [1, 2, 0], directed=graph.directed)
    needed = {"source": 0, "sources": [0, 1], "target": graph.num_vertices - 1, "b": 1,
              "communities": groups, "vertices": groups % 2 == 0, "parts": groups,
              "vertex_weights": np.sqrt(groups), "attribute": groups,
              "k": 2, "pattern": triangle,
              "other": graph.permute(groups[::-1].argsort())}  # fmt: skip
    options = {name: needed[name] for name in row.needs if name in needed}
    options |= {"on_disconnected": "ignore"} if "on_disconnected" in named else {}
    return [*parts(function(graph, **options, **OPTIONS.get(row.name, {})))]


def parts(found):
    if isinstance(found, Graph):
        yield from found.arcs()[:2]
    elif isinstance(found, dict):
        yield from (np.asarray([*found.keys()]), np.asarray([*found.values()]))
    elif isinstance(found, (tuple, list)):
        for one in found:
            yield from parts(one)
    elif found is not None:
        yield found.toarray() if hasattr(found, "toarray") else np.asarray(found)


#: What takes long on a medium graph is watched there in the second tier.
LONG = {"current_flow_betweenness_centrality", "current_flow_closeness_centrality"}


def graph_for(row, size):
    directed = "directed" in row.needs or "acyclic" in row.needs
    if "bipartite" in row.needs or row.name == "communities.girvan_newman":
        return bipartite_sample()
    graph = sample_graph(directed) if size == "small" else medium(directed)
    if row.name == "matching.b_edge_cover":
        graph = graph.subgraph(np.flatnonzero(graph.degrees() > 0))
    return without_cycles(graph) if "acyclic" in row.needs else graph


def alike(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize(("name", "size"), [
    pytest.param(name, size, marks=[pytest.mark.slow] * (size == "medium" and name in LONG))
    for name in ALGORITHMS for size in ("small", "medium")
])  # fmt: skip
def test_an_observer_changes_no_result(name, size):
    row = ALGORITHMS[name]
    graph = graph_for(row, size)
    with threads(1):
        known = call(row, graph)
        with ew.observe(ew.Trace()):
            watched = call(row, graph)
    alike(known, watched)


PROMISED = {
    "louvain": lambda graph: ew.communities.louvain(graph, deterministic=True, seed=3),
    "leiden": lambda graph: ew.communities.leiden(graph, deterministic=True, seed=3),
    "locally_dominant": lambda graph: ew.matching.locally_dominant(graph),
    "rabbit": lambda graph: ew.ordering.rabbit_order(graph),
    "label_propagation": lambda graph: ew.communities.label_propagation(graph, seed=3),
}


@pytest.mark.parametrize("name", PROMISED)
def test_nor_where_several_threads_agree(name):
    graph, found = medium(False), []
    for team in (1, 3):
        with threads(team):
            found.append([*parts(PROMISED[name](graph))])
            with ew.observe(ew.Trace()):
                found.append([*parts(PROMISED[name](graph))])
    for other in found[1:]:
        alike(found[0], other)
