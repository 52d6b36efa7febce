"""Graphs of other libraries at the door of the algorithms."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse as sp

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.graph import CSR, Graph
from edgewise.graph.foreign import as_graph

igraph = pytest.importorskip("igraph")

FRIENDS = [("ann", "bob", 2.0), ("bob", "cat", 1.0)]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_the_door(name):
    function = ALGORITHMS[name].load()
    needs = {"source": 0, "b": 1, "vertex_weights": np.zeros(2)}
    given = {key: value for key, value in needs.items() if key in ALGORITHMS[name].needs}
    with pytest.raises(TypeError, match=r"graph must be a Graph, got a dict: .*from_networkx"):
        function({0: [1]}, **given)
    with pytest.raises(TypeError, match="graph must be a Graph"):
        function(graph=[(0, 1)], **given)
    assert pickle.loads(pickle.dumps(function)) is function
    assert next(iter(inspect.signature(function).parameters)) == "graph"


def test_missing_graph_is_pythons_error():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'graph'"):
        ew.pagerank()


def test_networkx():
    graph = nx.Graph()
    graph.add_weighted_edges_from(FRIENDS)
    assert ew.bfs(graph, "bob").distance.tolist() == [1, 0, 1]
    assert ew.sssp(graph, "cat").distance.tolist() == [3.0, 1.0, 0.0]
    assert ew.pagerank(graph).sum() == pytest.approx(1)
    assert ew.bfs(graph=nx.path_graph(4, nx.DiGraph), source=1).distance.tolist()[2] == 1
    assert as_graph(nx.MultiDiGraph([(0, 1), (0, 1)])).num_edges == 1


def test_attributes_that_weigh():
    """`weights=` names an attribute of edges, as NetworkX's ``weight=`` does."""
    graph = nx.Graph([("ann", "bob", {"km": 5.0}), ("bob", "cat")])  # which weighs 1, as there
    known = nx.single_source_dijkstra_path_length(graph, "cat", weight="km")
    other = igraph.Graph.TupleList([("ann", "bob", 5.0), ("bob", "cat", 1.0)], edge_attrs=["km"])
    for one in (graph, other):
        assert ew.sssp(one, "cat", weights="km").distance.tolist() == [6.0, 1.0, 0.0]
        assert ew.sssp(one, "cat").distance.tolist() == [2, 1, 0]
        with pytest.raises(ValueError, match="weights must name an attribute of edges, got 'm'"):
            ew.sssp(one, "cat", weights="m")
    assert [known[name] for name in graph] == [6.0, 1.0, 0]


def test_networkx_nodes_that_could_be_taken_for_positions():
    with pytest.raises(TypeError, match=r"read as vertex ids. .*Graph.from_networkx\(graph\)"):
        ew.bfs(nx.Graph([(1, 2), (2, 3)]), 1)
    numbers = nx.Graph()
    numbers.add_nodes_from(np.arange(3)[::-1])
    numbers.add_edge(np.int64(0), np.int64(2))
    assert Graph.from_networkx(numbers).labels is None
    assert ew.bfs(numbers, 0).parent.tolist() == [0, -1, 0]


def test_scipy():
    path = sp.csr_array(([1.0, 1.0], ([0, 1], [1, 2])), (3, 3))
    assert as_graph(path).directed and not as_graph(path + path.T).directed
    for kind in (sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix, sp.lil_array):
        assert ew.bfs(kind(path), 0).distance.tolist() == [0, 1, 2]
    assert ew.connected_components(path + path.T).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="weakly_connected_components ignores directions"):
        ew.connected_components(path)
    with pytest.raises(ValueError, match=r"matrix must be square, got shape \(2, 3\)"):
        ew.bfs(path[:2], 0)


def test_igraph():
    graph = igraph.Graph.TupleList(FRIENDS, edge_attrs=["weight"])
    assert ew.bfs(graph, "bob").distance.tolist() == [1, 0, 1]
    assert ew.sssp(graph, "cat").distance.tolist() == [3.0, 1.0, 0.0]
    ring = igraph.Graph.Ring(5, directed=True)
    assert ew.bfs(ring, 1).distance.tolist() == [4, 0, 1, 2, 3]


def test_writing_takes_them_too(tmp_path):
    ew.write(nx.Graph([("ann", "bob")]), tmp_path / "friends.csv")
    assert ew.read(tmp_path / "friends.csv").has_edge("ann", "bob")
    with pytest.raises(TypeError, match="graph must be a Graph"):
        ew.write([(0, 1)], tmp_path / "pairs.csv")


def test_a_rectangular_matrix_is_bipartite():
    matrix = sp.coo_array(([3.0, 2.0, 2.0], ([0, 0, 1], [0, 2, 0])), (2, 3))
    rows = CSR.from_scipy(matrix)
    assert rows.shape == (2, 3)
    for function in (ew.matching.hopcroft_karp, ew.matching.maximum_weight_bipartite):
        assert function(matrix).mate.tolist() == function(rows).mate.tolist() == [4, 2, 1, -1, 0]
    square = sp.csr_array(np.eye(2))
    with pytest.raises(TypeError, match=r"could be either: .*from_scipy.*CSR.from_scipy"):
        ew.matching.hopcroft_karp(square)
    assert ew.matching.hopcroft_karp(CSR.from_scipy(square)).mate.tolist() == [2, 3, 0, 1]
    with pytest.raises(TypeError, match=r"got CSR\(2 x 3, 3 arcs, weights float64\): a matrix"):
        ew.bfs(rows, 0)


def test_rows_of_scipy_matrices():
    twice = sp.coo_array(([1, 2, 5], ([0, 0, 0], [1, 1, 0])), (1, 2))
    assert CSR.from_scipy(twice).weights.tolist() == [5, 3]
    plain = CSR.from_scipy(sp.csr_array([[True, False]]))
    assert plain.weights is None and plain.indices.tolist() == [0]
    with pytest.raises(TypeError, match="matrix must be a SciPy sparse array"):
        CSR.from_scipy([[1]])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("roads.gr", r"got 'roads.gr': edgewise.read\(path\)"),
        (Path("roads.gr"), r"edgewise.read\(path\)"),
        ([(0, 1)], r"Graph.from_edges\(pairs\)"),
        (np.array([[0, 1], [1, 2], [0, 2]]), r"Graph.from_edges\(pairs\)"),
        (np.zeros((4, 4)), r"Graph.from_scipy\(scipy.sparse.csr_array\(matrix\)\)"),
        (pd.DataFrame({"source": [0], "target": [1]}), r"Graph.from_pandas\(frame\)"),
        (pa.table({"source": [0], "target": [1]}), r"Graph.from_arrow\(table\)"),
        ({0: [1]}, "from_networkx"),
        (None, "got None"),
        (3, "got 3"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_advice(given, said):
    with pytest.raises(TypeError, match=f"^graph must be a Graph, got .*{said}|{said}"):
        ew.pagerank(given)


def test_no_library_is_loaded_for_it():
    import subprocess
    import sys

    code = (
        "import sys, edgewise as ew; ew.bfs(ew.Graph.from_edges([(0, 1)]), 0); "
        "print([m for m in ('networkx', 'igraph', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [0.5, 2.0]])
@pytest.mark.parametrize("labels", [None, ["a", "b", "c"], [10, 20, 30]])
def test_igraph_there_and_back(directed, weights, labels):
    graph = Graph.from_edges([0, 1], [1, 1], weights, directed=directed, num_vertices=3)
    graph = graph.with_labels(labels)
    there = graph.to_igraph()
    assert (there.vcount(), there.ecount(), there.is_directed()) == (3, 2, directed)
    assert Graph.from_igraph(there) == graph


def test_igraph_attributes():
    graph = igraph.Graph([(0, 1), (0, 1)], edge_attrs={"km": [3, None]}, vertex_attrs={"x": [1, 1]})
    assert Graph.from_igraph(graph).weights is None
    assert Graph.from_igraph(graph, weight="km").weights.tolist() == [4, 4]
    assert Graph.from_igraph(graph, weight="km", duplicates="max").weights.tolist() == [3, 3]
    with pytest.raises(ValueError, match="labels must be distinct"):
        Graph.from_igraph(graph, label="x")
    assert Graph.from_igraph(igraph.Graph()).num_vertices == 0
