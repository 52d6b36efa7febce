"""Matrix Market: fields and symmetries against SciPy's reader, errors with their line."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io import read, write

BANNER = "%%MatrixMarket matrix coordinate {}\n"


@pytest.fixture
def load(tmp_path):
    """Reads some text as a file."""

    def load(text, **options):
        (tmp_path / "graph.mtx").write_text(text)
        return read(tmp_path / "graph.mtx", **options)

    return load


def matrix(graph):
    weights = np.ones(graph.num_arcs) if graph.weights is None else graph.weights
    return scipy.sparse.csr_array(
        (weights, graph.indices, graph.indptr), shape=graph.shape
    ).toarray()


@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric"])
def test_as_scipy_reads_it(tmp_path, field, symmetry):
    if (field, symmetry) == ("pattern", "skew-symmetric"):
        pytest.skip("there is no such matrix")
    rng = np.random.default_rng(1)
    dense = rng.integers(-9, 9, (40, 40)) * (rng.random((40, 40)) < 0.1)
    if field == "real":
        dense = dense * 0.7
    if symmetry != "general":
        lower = np.tril(dense, -1)
        dense = lower + lower.T if symmetry == "symmetric" else lower - lower.T
    path = tmp_path / "graph.mtx"
    sparse = scipy.sparse.coo_array(dense)
    scipy.io.mmwrite(path, sparse, field=field, symmetry=symmetry, comment="a comment")
    graph = read(path)
    assert np.array_equal(matrix(graph), scipy.io.mmread(path).toarray())
    assert graph.directed == (symmetry != "symmetric")
    assert (graph.weights is None) == (field == "pattern")
    if field != "pattern":
        assert graph.weights.dtype == {"real": np.float64, "integer": np.int64}[field]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "int64", "float64"])
def test_round_trip_and_scipy_reads_ours(tmp_path, random_graph, directed, dtype):
    graph = random_graph(directed=directed, dtype=dtype)
    path = tmp_path / "graph.mtx.gz"
    write(graph, path)
    assert read(path) == graph
    assert np.array_equal(scipy.io.mmread(path).toarray(), matrix(graph))


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_short_types_come_back_wide(tmp_path, random_graph, dtype):
    graph = random_graph(directed=False, dtype=dtype)
    write(graph, tmp_path / "graph.mtx")
    assert read(tmp_path / "graph.mtx").weights.tolist() == graph.weights.tolist()


def test_free_form(load):
    text = BANNER.upper().format("REAL GENERAL").replace("%%MATRIXMARKET", "%%MatrixMarket")
    graph = load(text + "% c\n%\n\n 3\t3 2 \n\n1 2 .5\r\n  3 1 2e0\n")
    assert graph.weights.tolist() == [0.5, 2.0]
    assert graph.num_vertices == 3


def test_direction_can_be_chosen(load):
    symmetric = BANNER.format("integer symmetric") + "3 3 2\n2 1 5\n3 3 2\n"
    both = load(symmetric, directed=True)
    assert both.directed
    assert matrix(both).tolist() == [[0, 5, 0], [5, 0, 0], [0, 0, 2]]
    general = BANNER.format("integer general") + "3 3 2\n1 2 5\n2 3 2\n"
    assert load(general, directed=False).weights.tolist() == [5, 5, 2, 2]
    skew = BANNER.format("integer skew-symmetric") + "3 3 1\n2 1 5\n"
    with pytest.raises(ValueError, match="skew-symmetric"):
        load(skew, directed=False)


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_graph_options_are_passed_on(load):
    text = BANNER.format("integer general") + "3 3 3\n1 2 5\n1 2 4\n3 3 2\n"
    assert load(text).weights.tolist() == [9, 2]
    assert load(text, duplicates="first", self_loops="drop").weights.tolist() == [5]
    assert load(text, num_vertices=7).num_vertices == 7
    with pytest.raises(
        ValueError, match="num_vertices must be at least the matrix's size 3, got 2"
    ):
        load(text, num_vertices=2)


def test_no_entries(load):
    empty = Graph.from_edges([], [], np.zeros(0), directed=True, num_vertices=4)
    assert load(BANNER.format("real general") + "4 4 0\n").with_labels(None) == empty


def test_ids_are_counted_from_one(load):
    text = BANNER.format("integer symmetric") + "3 3 1\n3 1 7\n"
    graph = load(text)
    assert graph.labels.range_start == 1 and graph.num_vertices == 3 and graph.vertex(3) == 2
    assert load(text, num_vertices=5).label(4) == 5
    graph = load(text, ids="as_is")
    assert graph.labels is None and graph.num_vertices == 4
    assert [column.tolist() for column in graph.edges()] == [[1], [3], [7]]
    own = "% edgewise vertices: 4 edges: 1 directed: no weights: none labels: none\n3 3"
    with pytest.raises(FileFormatError, match="line 2: the comment says 4 vertices, .* has 3 rows"):
        load(text.replace("3 3", own, 1))


G, S = BANNER.format("real general"), BANNER.format("real symmetric")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected a %%MatrixMarket banner, got ''; format='edges'"),
        ("1 2\n", 1, "expected a %%MatrixMarket banner, got '1 2'; format='edges'"),
        ("%%MatrixMarket matrix coordinate\n", 1, "five words"),
        ("%%MatrixMarket matrix array real general\n", 1, "not 'matrix array'"),
        ("%%MatrixMarket vector coordinate real general\n", 1, "not 'vector coordinate'"),
        (BANNER.format("complex general"), 1, "not complex general"),
        (BANNER.format("real hermitian"), 1, "not real hermitian"),
        (BANNER.format("pattern skew-symmetric"), 1, "cannot be skew-symmetric"),
        (G + "% only\n", None, "no line with the matrix's size"),
        (G + "3 3\n", 2, "expected the numbers of rows, columns and entries"),
        (G + "3 x 1\n", 2, "expected the number of columns"),
        (G + "3 3 -1\n", 2, "expected the number of entries"),
        (G + "3 4 1\n1 1 1\n", 2, "the matrix is 3 by 4; a graph's is square"),
        (G + "3 3 2\n1 2 1\n", 2, "the header promises 2 entries, but 1 follow"),
        (G + "3 3 1\n1 2 1\n2 3 1\n", 2, "the header promises 1 entries, but 2 follow"),
        (G + "3 3 1\n1 4 1\n", 3, r"vertex id '4' is not in the range 1\.\.3"),
        (G + "3 3 1\n0 1 1\n", 3, r"vertex id '0' is not in the range 1\.\.3"),
        (G + "3 3 1\n1 2\n", 3, "expected 3 columns, found 2"),
        (G + "3 3 1\n1 2 3 4\n", 3, "expected 3 columns, found 4"),
        (G + "3 3 1\n1 2 x\n", 3, "expected a number as weight"),
        (BANNER.format("pattern general") + "3 3 1\n1 2 1\n", 3, "expected 2 columns, found 3"),
        (BANNER.format("integer general") + "3 3 1\n1 2 1.5\n", 3, "expected a whole number"),
        (BANNER.format("integer general") + "3 3 1\n1 2 " + "9" * 20, None, "64 bits"),
        (BANNER.format("real skew-symmetric") + "3 3 1\n2 2 1\n", None, "on the diagonal"),
        (G + "900000000 900000000 1\n1 2 1\n", 2, "pass num_vertices="),
    ],
)
def test_errors(load, text, line, reason):
    with pytest.raises(FileFormatError, match=reason) as error:
        load(text)
    assert error.value.line == line


def test_bad_lines_are_skipped(load):
    with pytest.warns(UserWarning, match="2 bad lines were skipped"):
        graph = load(S + "3 3 3\n1 2 1\n1 9 1\n2 x 1\n", on_bad_line="skip")
    assert graph.num_edges == 1


def test_without_banner_it_is_an_edge_list(load):
    assert load("2 1\n3 2\n", format="edges").num_edges == 2
