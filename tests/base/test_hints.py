"""Names that people try: the error says where the thing is, and probing still works."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

import edgewise
from edgewise import Graph, communities, matching
from edgewise.base.hints import ELSEWHERE, ON_GRAPHS


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("louvain", "edgewise.communities.louvain"),
        ("suitor", "edgewise.matching.suitor"),
        ("betweenness", "edgewise.betweenness_centrality"),
        ("dijkstra_path", "edgewise.shortest_path"),
        ("connected_component_subgraphs", "groups()"),
        ("find_cliques", "edgewise.maximal_cliques"),
        ("pagrank", "edgewise.pagerank"),
        ("DiGraph", "edgewise.Graph.from_edges"),
        ("fuzzy_join", "edgewise.join"),
    ],
)
def test_names_of_the_package(name, said):
    with pytest.raises(AttributeError, match=f"no attribute '{name}'.*{re.escape(said)}"):
        getattr(edgewise, name)


def test_names_of_a_family():
    with pytest.raises(AttributeError, match=r"'edgewise.communities'.*did you mean "
                                             r"edgewise.communities.louvain\?"):  # fmt: skip
        communities.louvian  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean edgewise.pagerank"):
        matching.pagerank  # noqa: B018
    assert not hasattr(communities, "__wrapped__")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nodes", "graph.vertex_ids(), graph.num_vertices"),
        ("number_of_nodes", "graph.num_vertices"),
        ("vcount", "graph.num_vertices"),
        ("numberOfNodes", "graph.num_vertices"),
        ("add_edge", "graphs do not change"),
        ("predecessors", "graph.transposed"),
        ("pagerank", "edgewise.pagerank(graph)"),
        ("betweenness", "edgewise.betweenness_centrality"),
        ("num_vertex", "graph.num_vertices"),
    ],
)
def test_names_of_a_graph(name, said):
    with pytest.raises(AttributeError, match=f"no attribute '{name}'.*{re.escape(said)}"):
        getattr(Graph.from_edges([0], [1]), name)


def test_what_the_hints_name_is_there():
    graph = Graph.from_edges([0], [1])
    for text in [*ELSEWHERE.values(), *ON_GRAPHS.values()]:
        for path in re.findall(r"edgewise((?:\.\w+)+)", text):
            thing = edgewise
            for part in path[1:].split("."):
                thing = getattr(thing, part)
        for name in re.findall(r"(?<!edgewise\.)\bgraph\.(\w+)", text):
            assert hasattr(graph, name), text


def test_names_that_are_there_have_no_hint():
    graph = Graph.from_edges([0], [1])
    assert not [name for name in ELSEWHERE if name in edgewise.__all__]
    assert not [name for name in ON_GRAPHS if hasattr(graph, name)]


def test_probing_behaves():
    graph = Graph.from_edges([0, 1], [1, 2])
    for name in ("__array__", "_repr_latex_", "_ipython_canary_method_should_not_exist_", "nodes"):
        assert not hasattr(graph, name) and getattr(graph, name, None) is None
    for again in (copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert again == graph
    assert np.ndim(graph) == 0 and len(graph) == 3
    empty = object.__new__(Graph)  # as pickle and copy make one
    assert not hasattr(empty, "indptr") and not hasattr(empty, "__setstate_cython__")


def test_an_error_inside_a_property_is_its_own():
    with pytest.raises(ValueError, match="reverse_arc needs an undirected graph"):
        Graph.from_edges([0], [1], directed=True).reverse_arc  # noqa: B018


def test_import_star_hides_nothing():
    assert not {"filter", "random"} & {*edgewise.__all__}
    assert callable(edgewise.filter) and edgewise.random.__name__ == "edgewise.base.random"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda graph: edgewise.pagerank(graph, weight="w"), "'weight'; did you mean weights?"),
        (lambda graph: edgewise.pagerank(graph, damping=0.9), "'damping'; did you mean alpha?"),
        (lambda graph: edgewise.bfs(graph, 0, colour=1), "its parameters are source, max_depth"),
        (lambda graph: edgewise.k_core(graph, 3), "takes 1 positional argument but 2 .* name: k="),
        (lambda graph: edgewise.pagerank(graph, weights=True), "such as 'weight', .*got True"),
    ],
)  # fmt: skip
def test_wrong_parameters(call, said):
    with pytest.raises(TypeError, match=said.replace("?", r"\?")):
        call(edgewise.generators.karate_club())


def test_generators_of_other_libraries():
    with pytest.raises(AttributeError, match="use edgewise.generators.karate_club"):
        edgewise.generators.karate  # noqa: B018
    with pytest.raises(AttributeError, match="use edgewise.generators.gnp_random"):
        edgewise.generators.erdos_renyi  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean edgewise.generators.watts_strogatz"):
        edgewise.generators.watts_strogats  # noqa: B018
