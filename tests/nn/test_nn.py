"""Sparse products with gradients beside dense ones of PyTorch, and gradients by differences."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import edgewise as ew
from edgewise import generators
from tests.operators.engines import no_gpu

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
_GPU = [pytest.mark.gpu, pytest.mark.skipif(bool(no_gpu()), reason=no_gpu() or "")]
PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "graph_learning.py"
DEVICES = ["cpu", pytest.param("cuda", marks=_GPU)]


def graphs():
    """Small graphs: directed with loops, weighted, with isolated vertices, without edges."""
    rng = np.random.default_rng(3)
    sources, targets = rng.integers(0, 9, (2, 30))
    directed = ew.Graph.from_edges(sources, targets, rng.random(30), directed=True,
                                   num_vertices=11)  # fmt: skip
    return {
        "directed": directed,
        "star": generators.star(6),
        "path": generators.path(5),
        "no edges": ew.Graph.from_edges([], [], num_vertices=3),
        "one": ew.Graph.from_edges([0], [0], num_vertices=1),
        "none": ew.Graph.from_edges([], [], num_vertices=0),
    }


@pytest.fixture(params=graphs(), ids=str)
def graph(request):
    return graphs()[request.param]


def made(graph, device, **options):
    return ew.nn.Adjacency(graph.to(device), dtype="float64", **options)


def random(*shape, device="cpu", seed=0):
    there = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=there, dtype=torch.float64).to(device).requires_grad_()


def dense(adjacency, values):
    """The matrix of some values over entries."""
    n = adjacency.num_vertices
    full = torch.zeros(n, n, dtype=values.dtype, device=values.device)
    return full.index_put((adjacency.rows, adjacency.columns), values)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("transpose", [False, True])
def test_products_are_those_of_dense_matrices(graph, device, transpose):
    adjacency = made(graph, device, transpose=transpose)
    n, e = adjacency.num_vertices, adjacency.num_entries
    x, y = random(n, 4, device=device), random(n, 4, device=device, seed=1)
    values = random(e, device=device, seed=2)
    full = np.zeros((n, n))
    if n:
        full = graph.to_scipy().toarray()
        full = full.T if transpose else full
    assert np.array_equal(dense(adjacency, adjacency.values).cpu(), full)
    torch.testing.assert_close(ew.nn.spmm(adjacency, x), dense(adjacency, adjacency.values) @ x)
    torch.testing.assert_close(ew.nn.spmm(adjacency, x, values), dense(adjacency, values) @ x)
    expected = (x @ y.T)[adjacency.rows, adjacency.columns]
    torch.testing.assert_close(ew.nn.sddmm(adjacency, x, y), expected)
    scores = torch.full((n, n), -torch.inf, dtype=torch.float64, device=device)
    scores = scores.index_put((adjacency.rows, adjacency.columns), values).softmax(1)
    torch.testing.assert_close(
        ew.nn.edge_softmax(adjacency, values), scores[adjacency.rows, adjacency.columns]
    )


@pytest.mark.parametrize("device", DEVICES)
def test_gradients_are_right_twice(graph, device):
    adjacency = made(graph, device)
    n, e = adjacency.num_vertices, adjacency.num_entries
    x, y = random(n, 2, 3, device=device), random(n, 2, 3, device=device, seed=1)
    values = random(e, 2, device=device, seed=2)
    for call, given in (
        (lambda x, a: ew.nn.spmm(adjacency, x, a), (x, values)),
        (lambda x, y: ew.nn.sddmm(adjacency, x, y), (x, y)),
        (lambda a: ew.nn.edge_softmax(adjacency, a), (values,)),
        (lambda x, y: _attended(adjacency, x, y), (x, y)),
        (lambda x, y: _attended(adjacency, x, y, lambda weights: weights * 0.5), (x, y)),
        (lambda x: _attended(adjacency, x, y.detach()), (x,)),
    ):
        if all(one.numel() for one in given):
            assert torch.autograd.gradcheck(call, given, fast_mode=True)
            assert torch.autograd.gradgradcheck(call, given, fast_mode=True)


def _attended(adjacency, x, y, dropout=None):
    return tuple(ew.nn.attention(adjacency, x, y[:, :, 0], y[:, :, 1], dropout=dropout))


def test_long_rows_are_reduced_by_steps(graph):
    """As they are on a GPU."""
    one, other = made(graph, "cpu"), made(graph, "cpu")
    other.balanced = False
    values, x = random(one.num_entries, 2), random(one.num_vertices, 2, 3)
    y = random(one.num_vertices, 2, seed=4)
    for call in (lambda a: [ew.nn.edge_softmax(a, values)],
                 lambda a: ew.nn.attention(a, x, y, -y)):  # fmt: skip
        for here, there in zip(call(one), call(other), strict=True):
            torch.testing.assert_close(here, there)


def test_normalizations_are_those_of_their_definitions(graph):
    """Â = D^-1/2 (A + I) D^-1/2; rows of means sum to one."""
    full = graph.to_scipy().toarray() if graph.num_vertices else np.zeros((0, 0))
    looped = full + np.diag((np.diag(full) == 0).astype(float))
    found = made(graph, "cpu", self_loops=True, normalization="symmetric")
    degree = looped.sum(1)
    expected = looped / np.sqrt(np.outer(degree, degree)) if len(degree) else looped
    assert np.allclose(dense(found, found.values), expected)
    means = made(graph, "cpu", normalization="rows")
    sums = dense(means, means.values).sum(1)
    assert np.allclose(sums, (full.sum(1) > 0).astype(float))
    plain = made(graph, "cpu", weights=None)
    assert np.array_equal(dense(plain, plain.values), full != 0)


def test_heads_are_independent():
    adjacency = made(generators.rmat(6, seed=1), "cpu")
    x, values = random(64, 3, 5), random(adjacency.num_entries, 3, seed=1)
    together = ew.nn.spmm(adjacency, x, values)
    alone = [ew.nn.spmm(adjacency, x[:, h], values[:, h]) for h in range(3)]
    assert torch.equal(together, torch.stack(alone, 1))
    shared = ew.nn.spmm(adjacency, x)
    assert torch.equal(shared[:, 1], ew.nn.spmm(adjacency, x[:, 1]))


def test_features_are_not_copied():
    from edgewise.nn.tensors import as_array, as_tensor

    x = torch.zeros(4, 3)
    assert as_array(x).__array_interface__["data"][0] == x.data_ptr()
    array = np.zeros((4, 3), np.float32)
    assert as_tensor(array).data_ptr() == array.__array_interface__["data"][0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda a, x: ew.nn.spmm(a, x[:2]), ValueError, "features must have one row per vertex"),
        (lambda a, x: ew.nn.spmm(a, x.long()), TypeError, "features must be of float32"),
        (lambda a, x: ew.nn.spmm(a, x.numpy()), TypeError, "features must be a PyTorch tensor"),
        (lambda a, x: ew.nn.spmm(generators.path(3), x), TypeError, "adjacency must be an Adj"),
        (lambda a, x: ew.nn.spmm(a, x, x[:, 0]), ValueError, "values must have one row per entry"),
        (lambda a, x: ew.nn.sddmm(a, x, x[:, :1]), ValueError, "right must have left's shape"),
        (lambda a, x: ew.nn.edge_softmax(a, x), ValueError, "scores must have one row per entry"),
        (lambda a, x: ew.nn.attention(a, x, x, x), ValueError, "features must have 3 dimensions"),
        (lambda a, x: ew.nn.Adjacency(generators.path(2), normalization="max"), ValueError,
         "normalization must be one of"),
        (lambda a, x: ew.nn.Adjacency(generators.path(2), dtype="int64"), ValueError, "dtype must"),
        (lambda a, x: ew.nn.Adjacency(ew.linalg.Matrix([0, 1], [0], num_columns=2)), ValueError,
         "graph must be a square matrix"),
    ],
)  # fmt: skip
def test_bad_arguments_are_named(call, error, message):
    adjacency = ew.nn.Adjacency(generators.path(3))
    with pytest.raises(error, match=message):
        call(adjacency, torch.ones(3, 2))


def test_one_source_trains_a_network_on_cora(shared_graphs):
    """The published accuracy of a graph convolutional network is 81.5 percent."""
    example = runpy.run_path(str(PROGRAM))
    data = example["cora"](shared_graphs)
    accuracy = example["train"](example["Convolutions"], data, epochs=100, seed=1)
    assert accuracy > 0.79


@pytest.mark.slow
def test_attention_trains_a_network_on_cora(shared_graphs):
    """The published accuracy of a graph attention network is 83.0 percent."""
    example = runpy.run_path(str(PROGRAM))
    data = example["cora"](shared_graphs)
    accuracy = example["train"](example["Attentions"], data, epochs=600, rate=0.005, seed=1)
    assert accuracy > 0.81


@pytest.mark.parametrize("workers", [0, 2])
def test_a_data_loader_gives_tensors(workers):
    graph = generators.rmat(7, seed=1)
    batches = ew.learning.neighbor_batches(graph, batch_size=30, fanouts=[3], seed=2)
    loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
    epochs = [list(loader), list(loader)]
    sources = [torch.cat([one.vertices[one.sources] for one in epoch]) for epoch in epochs]
    assert len(epochs[0]) == len(loader) == len(batches)
    assert not torch.equal(*sources)
    assert all(sorted(one.tolist()) == list(range(128)) for one in sources)
    if not workers:
        assert torch.equal(epochs[1][0].vertices, torch.as_tensor(next(batches.epoch(1)).vertices))
