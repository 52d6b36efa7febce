"""Graphs from and to other libraries: the same edges, and shared memory where possible."""

from __future__ import annotations

import warnings

import igraph
import networkit as nk
import numpy as np
import pytest
import scipy.sparse

from edgewise import Graph


def sample(directed=False, weights=True):
    rng = np.random.default_rng(2)
    us, vs = rng.integers(0, 30, (2, 90))
    return Graph.from_edges(us, vs, rng.random(90) if weights else None, directed=directed,
                            num_vertices=33)  # fmt: skip


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("directed", [False, True])
def test_scipy_shares_memory_both_ways(directed):
    graph = sample(directed)
    matrix = graph.to_scipy()
    assert address(matrix.data) == address(graph.weights)
    assert address(matrix.indices) == address(graph.indices)
    again = Graph.from_scipy(matrix, directed=directed)
    assert address(again.weights) == address(graph.weights)
    assert address(again.indices) == address(graph.indices) and again == graph
    given = scipy.sparse.csr_array(np.eye(3))
    made = Graph.from_scipy(given)
    assert address(made.weights) == address(given.data)


def test_columns_share_memory():
    km = np.arange(5.0)
    graph = Graph.from_edges(range(5), range(1, 6)).with_columns(edges={"km": km})
    assert address(graph.edges["km"]) == address(km)
    assert address(graph.columns.edges.column("km").chunk(0).to_numpy()) == address(km)
    assert graph.to_arrow().column("km").chunk(0).buffers()[1].address == address(km)


def test_arrays_by_dlpack():
    graph = sample()
    for array in (graph.indptr, graph.indices, graph.weights):
        assert address(np.from_dlpack(array)) == address(array)
    torch = pytest.importorskip("torch")
    indptr, indices = torch.tensor([0, 1, 2]), torch.tensor([1, 0], dtype=torch.int32)
    made = Graph(indptr, indices, torch.tensor([2.0, 2.0]))
    assert address(made.indptr) == indptr.data_ptr() and address(made.indices) == indices.data_ptr()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the array is read-only
        assert torch.from_dlpack(graph.weights).data_ptr() == address(graph.weights)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [False, True])
def test_networkit(directed, weights):
    graph = sample(directed, weights)
    other = graph.to_networkit()
    assert (other.numberOfNodes(), other.numberOfEdges()) == (33, graph.num_edges)
    assert other.isDirected() == directed and other.isWeighted() == weights
    assert Graph.from_networkit(other) == graph
    assert Graph.from_networkit(nk.Graph(2)).num_vertices == 2
    with pytest.raises(TypeError, match=r"graph must be a networkit\.Graph, got Graph"):
        Graph.from_networkit(graph)


@pytest.mark.parametrize("directed", [False, True])
def test_igraph_reads_the_array(directed):
    graph = sample(directed)
    other = graph.to_igraph()
    assert isinstance(other, igraph.Graph) and Graph.from_igraph(other) == graph
    nothing = Graph.from_edges([], [], num_vertices=2).to_igraph()
    assert (nothing.vcount(), nothing.ecount()) == (2, 0)


def test_edge_index():
    graph = sample(weights=False)
    index = np.array(graph.arcs()[:2])
    found = Graph.from_pyg(index)
    assert not found.directed and found.num_edges == graph.num_edges
    assert Graph.from_pyg(index, directed=True).num_edges == graph.num_arcs
    assert Graph.from_pyg(np.array([[0, 1], [1, 2]])).directed
    with pytest.raises(ValueError, match="must hold both directions"):
        Graph.from_pyg(np.array([[0, 1], [1, 2]]), directed=False)
    with pytest.raises(ValueError, match=r"edge_index must have shape \(2, number of edges\)"):
        Graph.from_pyg(np.zeros((3, 2), int))


@pytest.mark.parametrize("directed", [False, True])
def test_data_of_pytorch_geometric(directed):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    graph = sample(directed).with_columns(vertices={"age": np.arange(33)})
    graph = graph.with_columns(edges={"km": np.arange(graph.num_edges) + 0.5})
    data = graph.to_pyg()
    assert data.num_nodes == 33 and data.edge_index.shape == (2, graph.num_arcs)
    assert data.edge_weight.data_ptr() == address(graph.weights)
    assert data.age.data_ptr() == address(graph.vertices["age"])
    again = Graph.from_pyg(data, edge_columns=["km"], vertex_columns=True)
    assert again.directed == directed and again == graph
    data.x = torch.ones(33, 4)
    wide = Graph.from_pyg(data, vertex_columns=["x"])
    assert wide.vertices["x"][0].tolist() == [1] * 4
    assert wide.to_pyg().x.shape == (33, 4)
    with pytest.raises(ValueError, match="vertex_columns must name attributes, got 'y'"):
        Graph.from_pyg(data, vertex_columns="y")
    named = Graph.from_edges(["a"], ["b"]).with_columns(vertices={"text": ["x", "y"]})
    with pytest.warns(UserWarning, match="no place for labels, column 'text'"):
        named.to_pyg()


def test_more_data_of_pytorch_geometric():
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from torch_geometric.data import Batch, Data, HeteroData

    index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    one = Data(edge_index=index, num_nodes=4, edge_attr=torch.tensor([2.0, 2, 5, 5]))
    assert Graph.from_pyg(one, weight="edge_attr").edges()[2].tolist() == [2, 5]
    wide = Data(edge_index=index, num_nodes=4, edge_attr=torch.arange(8).reshape(4, 2))
    found = Graph.from_pyg(wide, directed=True, edge_columns=True)
    assert found.num_vertices == 4 and found.edges["edge_attr"][2].tolist() == [4, 5]
    batch = Graph.from_pyg(Batch.from_data_list([one, one]), vertex_columns=["batch"])
    assert (batch.num_vertices, batch.num_edges) == (8, 4)
    assert batch.vertices["batch"].tolist() == [0] * 4 + [1] * 4
    mixed = HeteroData()
    mixed["a"].x, mixed["a", "to", "a"].edge_index = torch.ones(3, 1), index
    with pytest.raises(ValueError, match="must have one type of nodes and one of edges, got Heter"):
        Graph.from_pyg(mixed)
    assert Graph.from_pyg(mixed.to_homogeneous()).num_edges == 2
