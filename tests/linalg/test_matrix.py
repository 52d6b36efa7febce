"""`Matrix`: what it borrows, converts and refuses."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

import edgewise as ew
from edgewise.base.once import once
from edgewise.linalg import Matrix
from edgewise.linalg.matrix import as_matrix
from tests.linalg.oracles import matrices


def test_scipy_rows_are_borrowed():
    rows = scipy.sparse.random(40, 60, 0.1, format="csr", random_state=1)
    matrix = Matrix.from_scipy(rows)
    assert np.shares_memory(matrix.values, rows.data)
    assert np.shares_memory(matrix.indices, rows.indices)
    assert matrix.indptr.dtype == np.int64
    assert matrix.indices.dtype == np.int32
    assert np.shares_memory(matrix.to_scipy().data, rows.data)
    assert (matrix.to_scipy() != rows).nnz == 0


def test_other_formats_and_duplicates_are_converted():
    entries = scipy.sparse.coo_array(([1, 2, 4], ([0, 0, 1], [2, 2, 0])), shape=(2, 3))
    assert Matrix.from_scipy(entries).to_dense().tolist() == [[0, 0, 3], [4, 0, 0]]
    flags = scipy.sparse.csr_array(np.array([[True, False]]))
    assert Matrix.from_scipy(flags).dtype == np.bool_


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support:UserWarning")
def test_torch_tensors_are_borrowed():
    torch = pytest.importorskip("torch")
    tensor = torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse_csr()
    matrix = Matrix.from_torch(tensor)
    assert matrix.to_dense().tolist() == [[0.0, 2.0], [3.0, 0.0]]
    assert np.shares_memory(matrix.values, tensor.values().numpy())
    with pytest.raises(TypeError, match="tensor must be a sparse CSR tensor"):
        Matrix.from_torch(torch.zeros(2, 2))


def test_dlpack_arrays_are_borrowed():
    class Capsule:
        """An array that only DLPack can read."""

        def __init__(self, array):
            self.array = array
            self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__

    values = np.array([1.5, 2.5])
    matrix = Matrix(np.array([0, 2]), np.array([0, 1], np.int32), Capsule(values), num_columns=2)
    assert np.shares_memory(matrix.values, values)


def test_a_graph_lends_its_arrays():
    graph = ew.generators.path(5).with_weights(np.arange(4.0))
    matrix = Matrix.from_graph(graph)
    assert np.shares_memory(matrix.values, graph.weights)
    assert np.shares_memory(matrix.indptr, graph.indptr)
    assert matrix.T is matrix  # undirected
    assert as_matrix(graph) is as_matrix(graph)
    assert Matrix.from_graph(graph, weights=None).values is None
    other = Matrix.from_graph(graph, weights=np.arange(8))
    assert other.T.to_dense().tolist() == other.to_dense().T.tolist()


@given(matrices())
def test_transposing_twice_gives_the_matrix(matrix):
    assert matrix.T.to_dense().tolist() == matrix.to_dense().T.tolist()
    assert matrix == matrix.T.copy().T
    assert matrix.T.shape == matrix.shape[::-1]


@given(matrices())
def test_copies_pickle_and_compare(matrix):
    for other in (pickle.loads(pickle.dumps(matrix)), matrix.copy(), copy.deepcopy(matrix)):
        assert other == matrix
        assert hash(other) == hash(matrix)
    assert matrix.with_values(None) != matrix


def test_what_entries_tell_is_found_once_for_all_values():
    matrix = Matrix([0, 3, 4], [0, 1, 2, 0], [7, 5, 6, 1], num_columns=3)
    other = matrix.with_values(None)
    assert once(other._structure, "answer", lambda: 42) == other.longest_row + 39 == 42
    assert once(matrix._structure, "answer", lambda: 43) == 42
    assert once(matrix.copy()._structure, "answer", lambda: 43) == 43


def test_rows_out_of_order_are_sorted_on_request():
    matrix = Matrix([0, 3], [2, 0, 1], [7, 5, 6], num_columns=3, sorted_rows=False)
    assert matrix.sorted().indices.tolist() == [0, 1, 2]
    assert matrix.sorted().values.tolist() == [5, 6, 7]
    assert matrix == matrix.sorted()


def test_tuples_of_values():
    matrix = Matrix([0, 1, 2], [1, 0], (np.array([1, 2]), np.array([0.5, 1.5])))
    assert repr(matrix) == "Matrix(2 x 2, 2 entries, (int64, float64))"
    assert matrix.T.values[1].tolist() == [1.5, 0.5]
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    with pytest.raises(TypeError, match="one value per entry"):
        matrix.to_scipy()


def test_repeated_entries_are_combined():
    ends = [1, 0, 1, 1], [2, 0, 2, 0]
    for reduce, wanted in (("plus", [5, 9, 4]), ("min", [5, 9, 1]), ("max", [5, 9, 3])):
        values = np.array([1, 5, 3, 9])
        matrix = Matrix.from_entries(*ends, values, shape=(2, 3), reduce=reduce)
        assert matrix.values.tolist() == wanted


def test_large_shapes_need_no_product_of_sizes():
    wide = Matrix.from_entries([1, 0], [2**40, 5], [1, 2], shape=(9, 2**60))
    assert wide.indices.tolist() == [5, 2**40]
    assert wide.indices.dtype == np.int64


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (([], [], None), "indptr must have one more entry"),
        (([0, 3], [0, 1], None), "indptr must run from 0 to the number of indices"),
        (([0, 1], [0.5], None), "indices must be integers"),
        (([0, 1], [[0]], None), "indices must be one-dimensional"),
        (([0, 1], [0], [1, 2]), "values must have one entry per entry"),
        (([0, 1], [0], ["a"]), "values must be real numbers"),
    ],
)
def test_bad_arrays_are_refused(arguments, rule):
    with pytest.raises((TypeError, ValueError), match=rule):
        Matrix(*arguments)


def test_frozen():
    matrix = Matrix([0, 1], [0], [1.0])
    with pytest.raises(AttributeError, match="frozen"):
        matrix.shape = (2, 2)
    with pytest.raises(ValueError, match="read-only"):
        matrix.values[0] = 2
    with pytest.raises(TypeError, match="matrix must be a Matrix, a Graph or a sparse matrix"):
        as_matrix([[1, 2]])
