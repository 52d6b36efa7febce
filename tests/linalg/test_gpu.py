"""Matrices and products on a GPU, beside CuPy's."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.linalg import Matrix, Semiring, SparseVector, spgemm, spmm, spmspv, spmv
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


def test_vectors_by_cusparse(pair, monkeypatch):
    """From so many entries on, plain products with floats are cuSPARSE's; others never are."""
    from edgewise.linalg.cuda import spmv as library

    ours, theirs = pair
    calls = []
    product = library.spmv
    monkeypatch.setattr(library, "_MANY", 1)
    monkeypatch.setattr(library, "spmv", lambda *args: calls.append(1) or product(*args))
    vector = ours.xp.asarray(np.arange(ours.shape[1]) % 5 - 1.0)
    assert bool((spmv(ours, vector) == theirs @ vector).all())
    assert bool((spmv(ours, vector, transpose=True) == theirs.T @ vector).all())
    assert len(calls) == 2
    spmv(ours, vector, "min_plus")
    spmv(ours, vector.astype(np.float32))
    assert len(calls) == 2


def test_operands_on_two_devices_are_refused(pair):
    ours, _ = pair
    with pytest.raises(ValueError, match="vector must be on the device of matrix"):
        spmv(ours.to("cpu"), ours.xp.ones(ours.shape[1]))


#: The cheapest path of two steps, with the cost of the first.
CHEAPEST = Semiring(
    lambda a, b: a if a[0] < b[0] or (a[0] == b[0] and a[1] < b[1]) else b,
    lambda a, b: (a + b, a), ("highest", "highest"), dtype=(np.float64, np.float64),
)  # fmt: skip


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("ring", ["plus_times", "min_plus", "or_and", "plus_pair", CHEAPEST])
def test_products_as_on_cpu_threads(pair, ring, sort):
    """Rows of every kind: of R-MAT 14 with itself, whose hubs reach all columns."""
    ours, here = pair[0], pair[0].to("cpu")
    found = spgemm(ours, ours, ring, sort=sort)
    assert found.sorted_rows or not sort
    assert found.to("cpu") == spgemm(here, here, ring)  # sums of whole numbers are exact


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("complement", [False, True])
def test_masked_products_as_on_cpu_threads(pair, complement, ordered):
    ours, here = pair[0], pair[0].to("cpu")
    right = ours._like(ours.indptr, ours.indices, ours.values, sorted_rows=ordered)
    found = spgemm(ours, right, mask=ours, complement=complement)
    assert found.to("cpu") == spgemm(here, here, mask=here, complement=complement)


@pytest.mark.parametrize("dtype", [np.bool_, np.int32, np.int64, np.float32])
def test_products_of_all_types(pair, dtype):
    ours = pair[0].with_values(pair[0].values.astype(dtype))
    for ring in ("plus_times", "max_first"):
        want = spgemm(ours.to("cpu"), ours.to("cpu"), ring)
        assert spgemm(ours, ours, ring).to("cpu") == want


def test_products_keep_the_memory(pair):
    ours = pair[0]
    whole = spgemm(ours, ours, sort=True)
    assert spgemm(ours, ours, sort=True, memory="64MiB") == whole


def test_results_that_do_not_fit_are_in_host_memory(pair, monkeypatch):
    ours = pair[0]
    monkeypatch.setattr("edgewise.linalg.cuda.spgemm.free_memory", lambda: 1 << 28)
    found = spgemm(ours, ours)
    assert found.device == "cpu"
    monkeypatch.undo()
    assert found == spgemm(ours, ours).to("cpu")
