"""Matrices and products on a GPU, beside CuPy's."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.linalg import Matrix, SparseVector, spmm, spmspv, spmv
from tests.operators.engines import no_gpu

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(bool(no_gpu()), reason=no_gpu() or "")]


@pytest.fixture(scope="module")
def pair():
    """A matrix with hubs on the GPU, and CuPy's matrix of the same arrays."""
    from cupyx.scipy.sparse import csr_matrix

    graph = ew.generators.rmat(14, seed=3)
    values = np.arange(graph.num_arcs) % 7 - 2.0
    ours = Matrix.from_graph(graph, weights=values).to("cuda")
    theirs = csr_matrix((ours.values, ours.indices, ours.indptr.astype(np.int32)), ours.shape)
    return ours, theirs


def test_cupy_matrices_are_borrowed(pair):
    ours, theirs = pair
    lent = Matrix.from_cupy(theirs)
    assert lent.device == ours.device
    assert lent.values.data.ptr == theirs.data.data.ptr
    assert lent.indices.data.ptr == theirs.indices.data.ptr
    assert lent == ours


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support:UserWarning")
def test_torch_tensors_are_borrowed_on_the_gpu():
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[0.0, 2.0], [3.0, 0.0]], device="cuda").to_sparse_csr()
    matrix = Matrix.from_torch(tensor)
    assert matrix.device == "cuda:0"
    assert matrix.values.data.ptr == tensor.values().data_ptr()
    assert matrix.to_dense().tolist() == [[0.0, 2.0], [3.0, 0.0]]


@pytest.mark.parametrize("width", [1, 3, 8, 32, 50])
def test_blocks_as_cupy(pair, width):
    ours, theirs = pair
    block = ours.xp.asarray(np.arange(ours.shape[1] * width).reshape(-1, width) % 5 - 1.0)
    assert bool((spmm(ours, block) == theirs @ block).all())


def test_vectors_as_cupy(pair):
    ours, theirs = pair
    vector = ours.xp.asarray(np.arange(ours.shape[1]) % 5 - 1.0)
    assert bool((spmv(ours, vector) == theirs @ vector).all())
    sparse = SparseVector.from_dense(vector * (ours.xp.arange(len(vector)) % 3 == 0))
    for direction in ("push", "pull"):
        step = spmspv(ours, sparse, direction=direction)
        assert bool((step.to_dense() == theirs @ sparse.to_dense()).all())


def test_operands_on_two_devices_are_refused(pair):
    ours, _ = pair
    with pytest.raises(ValueError, match="vector must be on the device of matrix"):
        spmv(ours.to("cpu"), ours.xp.ones(ours.shape[1]))
