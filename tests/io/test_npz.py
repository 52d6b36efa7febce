"""SciPy's .npz: files of SciPy's own, round trips, mangled archives, matrices that are no graph."""

import io
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write

MATRIX = np.array([[0, 2, 0], [0, 5, 7], [1, 0, 0]])


def archive(**arrays):
    """The bytes of an .npz file with these arrays."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def csr(**changes):
    """The arrays of a good csr matrix, some of them changed or, if None, taken out."""
    arrays = {
        "format": np.array(b"csr"),
        "shape": np.array([3, 3]),
        "data": np.array([2.0, 5.0]),
        "indices": np.array([1, 2], np.int32),
        "indptr": np.array([0, 1, 2, 2], np.int32),
    }
    return {name: array for name, array in {**arrays, **changes}.items() if array is not None}


def coo(**changes):
    arrays = {
        "format": np.array(b"coo"),
        "shape": np.array([3, 3]),
        "data": np.array([2.0, 5.0]),
        "row": np.array([0, 1]),
        "col": np.array([1, 2]),
    }
    return {**arrays, **changes}


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array, sp.coo_array, sp.csr_matrix])
@pytest.mark.parametrize("compressed", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.uint8])
def test_reads_what_scipy_writes(tmp_path, make, compressed, dtype):
    sp.save_npz(tmp_path / "a.npz", make(MATRIX.astype(dtype)), compressed=compressed)
    graph = read(tmp_path / "a.npz")
    assert graph.directed and graph.indices.dtype == np.int32
    assert graph.indptr.tolist() == [0, 1, 3, 4] and graph.indices.tolist() == [1, 1, 2, 0]
    assert graph.weights.tolist() == [2, 5, 7, 1]
    assert graph.weights.dtype == (np.int64 if dtype == np.uint8 else dtype)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_reads_large_random_matrices(tmp_path, form):
    rng = np.random.default_rng(1)
    filled = rng.random((300, 300)) < 0.05
    matrix = sp.coo_array(filled * rng.random((300, 300))).asformat(form)
    sp.save_npz(tmp_path / "a.npz", matrix)
    graph = read(tmp_path / "a.npz")
    expected = matrix.tocsr()
    expected.sort_indices()
    assert np.array_equal(graph.indptr, expected.indptr)
    assert np.array_equal(graph.indices, expected.indices)
    assert np.array_equal(graph.weights, expected.data)


def test_equal_places_are_summed_and_rows_sorted(tmp_path):
    places = ([0, 0, 1, 0], [2, 1, 0, 2])
    sp.save_npz(tmp_path / "coo.npz", sp.coo_array(([1, 2, 3, 4], places), (3, 3)))
    unsorted = sp.csr_array(([1, 2, 4, 3], [2, 1, 2, 0], [0, 3, 4, 4]), (3, 3))
    sp.save_npz(tmp_path / "csr.npz", unsorted)
    for name in ("coo.npz", "csr.npz"):
        graph = read(tmp_path / name)
        assert graph.indices.tolist() == [1, 2, 0] and graph.weights.tolist() == [2, 5, 3]


def test_stored_zeros_are_edges(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(([0, 1], [1, 0], [0, 1, 2]), (2, 2)))
    assert read(tmp_path / "a.npz").weights.tolist() == [0, 1]


def test_booleans_are_no_weights(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.coo_array(MATRIX > 0))
    graph = read(tmp_path / "a.npz")
    assert graph.weights is None and graph.indices.tolist() == [1, 1, 2, 0]


def test_room_after_the_last_entry_is_ignored(tmp_path):
    content = archive(**csr(data=np.arange(9.0), indices=np.array([1, 2, 99, -1])))
    (tmp_path / "a.npz").write_bytes(content)
    assert read(tmp_path / "a.npz").weights.tolist() == [0, 1]


def test_undirected_needs_symmetry(tmp_path):
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(MATRIX))
    with pytest.raises(FileFormatError, match="both directions"):
        read(tmp_path / "a.npz", directed=False)
    sp.save_npz(tmp_path / "b.npz", sp.csr_array(MATRIX + MATRIX.T))
    graph = read(tmp_path / "b.npz", directed=False)
    assert not graph.directed and graph.num_edges == 4


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("options", [{}, {"compressed": False}])
def test_round_trip(tmp_path, random_graph, directed, dtype, options):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, tmp_path / "graph.npz", **options)
    copy = read(tmp_path / "graph.npz")
    assert copy == graph
    assert dtype is None or copy.weights.dtype == dtype
    matrix = sp.load_npz(tmp_path / "graph.npz")
    assert np.array_equal(matrix.indices, graph.indices)
    assert np.array_equal(matrix.data, np.ones(graph.num_arcs) if dtype is None else graph.weights)


@pytest.mark.parametrize("labels", [[7, 3, -5], ["b", "", "grün"]])
def test_labels(tmp_path, labels):
    graph = Graph([0, 1, 1, 2], [1, 2], directed=True, labels=Labels(labels))
    write(graph, tmp_path / "a.npz.gz")
    copy = read(tmp_path / "a.npz.gz")
    assert copy == graph and copy.labels == graph.labels


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
def test_tiny(tmp_path, n, directed):
    graph = Graph.from_edges([], [], directed=directed, num_vertices=n)
    write(graph, tmp_path / "tiny.npz")
    assert read(tmp_path / "tiny.npz") == graph


class Malicious:
    """Fails the test if it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was executed",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not an .npz file"),
        (b"0 1\n1 2\n", "not an .npz file"),
        (b"PK\x03\x04 and so on", "damaged .npz archive"),
        (archive(a=np.arange(3)), "no 'format'"),
        (archive(**csr(format=np.array(b"bsr"))), "format 'bsr'"),
        (archive(**csr(format=np.array(b"dia"))), "format 'dia'"),
        (archive(**csr(shape=np.array([3, 4]))), "square matrix, got 3 x 4"),
        (archive(**csr(shape=np.array([3]))), "two counts"),
        (archive(**csr(shape=np.array([-3, -3]))), "two counts"),
        (archive(**csr(shape=np.array([2, 2]))), "indptr must have 3 entries"),
        (archive(**csr(data=None)), "without 'data'"),
        (archive(**csr(data=np.array([1j, 2]))), "real numbers"),
        (archive(**csr(data=np.array(["a", "b"]))), "real numbers"),
        (archive(**csr(data=np.ones((1, 2)))), "one dimension"),
        (archive(**csr(data=np.ones(1))), "from 0 to 1 arcs"),
        (archive(**csr(data=np.array([1, 2**64 - 1], np.uint64))), "fit int64"),
        (archive(**csr(data=np.array([Malicious(), 1], object))), "damaged .npz archive"),
        (archive(**csr(indices=np.array([1.0, 2.0]))), "must be integers"),
        (archive(**csr(indices=np.array([1, 3]))), "arc 1 goes to vertex 3"),
        (archive(**csr(indptr=np.array([0, 2, 1, 2]))), "fall after vertex 1"),
        (archive(**csr(indptr=np.array([1, 1, 2, 2]))), "from 0 to 2 arcs"),
        (archive(**csr(indptr=np.array([0, 1, 2, -2]))), "from 0 to 0 arcs"),
        (archive(**csr(directed=np.array(7))), "one boolean"),
        (archive(**csr(directed=np.array(False))), "both directions"),
        (archive(**csr(labels=np.arange(2))), "'labels' cannot have shape"),
        (archive(**csr(labels=np.ones(3))), "'labels' cannot have type float64"),
        (archive(**csr(labels=np.array([1, 2, 1]))), "distinct"),
        (
            archive(**csr(offsets=np.array([0, 9, 1, 1]), text=np.zeros(1, np.uint8))),
            "labels are damaged",
        ),
        (archive(**coo(row=np.array([0]))), "2 entries, but 1 rows"),
        (archive(**coo(col=np.array([0, 3]))), "columns must be from 0 to 2, got 0 to 3"),
        (archive(**coo(row=np.array([-1, 0]))), "rows must be from 0 to 2, got -1 to 0"),
        (archive(**coo(shape=np.array([2**40] * 2))), "vertices are declared, with only 2 edges"),
    ],
)
def test_malformed(tmp_path, content, reason):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=reason) as caught:
        read(path)
    assert caught.value.path == str(path)


def test_an_array_larger_than_its_bytes_is_refused(tmp_path):
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    huge = file.getvalue().replace(b"(3,)", b"(3333333333,)").replace(b" " * 9 + b"\n", b"\n")
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as archive:
        for name, array in csr(data=None).items():
            with archive.open(f"{name}.npy", "w") as member:
                np.save(member, array)
        archive.writestr("data.npy", huge)
    with pytest.raises(FileFormatError, match="damaged .npz archive"):
        read(tmp_path / "bad.npz")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{}, {"compressed": False}])
def test_mangled_files_give_a_graph_or_an_error(
    tmp_path, mangled, check_graph, random_graph, options
):
    write(random_graph(directed=False, dtype=np.float32, n=20, m=30), tmp_path / "a.npz", **options)
    refused = 0
    for junk in mangled((tmp_path / "a.npz").read_bytes(), 300):
        (tmp_path / "junk.npz").write_bytes(junk)
        try:
            check_graph(read(tmp_path / "junk.npz"))
        except FileFormatError:
            refused += 1
    assert refused > 100


def test_a_failing_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(b"old")
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(Graph([0, 0], [], labels=Labels([(1, 2)])), path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_few_bytes_cannot_claim_many_vertices(tmp_path):
    path = tmp_path / "huge.npz"
    path.write_bytes(archive(**coo(shape=np.array([2**31] * 2))))
    with pytest.raises(FileFormatError, match="2147483648 vertices are declared, with only 2 edge"):
        read(path)
    path.write_bytes(archive(**coo(shape=np.array([5_000_000] * 2))))
    assert read(path, num_vertices=5_000_000).num_vertices == 5_000_000
    with pytest.raises(ValueError, match="num_vertices must be the matrix's size 5000000, got 4"):
        read(path, num_vertices=4)


def test_archives_hold_no_more_than_allowed(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, **csr(data=np.zeros(10**7)))
    assert path.stat().st_size < 10**5
    with pytest.raises(FileFormatError, match="more than 1000000; pass max_bytes="):
        read(path, max_bytes=10**6)


@pytest.mark.parametrize("shape", ["(99999999999,)", "(2, 4611686018427387904)"])
def test_a_header_cannot_ask_for_more_than_the_file_holds(tmp_path, shape):
    path, file = tmp_path / "long.npz", io.BytesIO()
    np.save(file, np.zeros(2))
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    junk = file.getvalue()[:10] + text.ljust(117).encode() + b"\n" + file.getvalue()[128:]
    with zipfile.ZipFile(path, "w") as archived:
        for name, array in csr().items():
            with archived.open(f"{name}.npy", "w") as member:
                np.save(member, array) if name != "data" else member.write(junk)
    with pytest.raises(FileFormatError, match=r"data\.npy is too short for an array of shape"):
        read(path)
