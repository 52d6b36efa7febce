"""Edge lists: what people publish, our own header, round trips, errors with their line."""

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write


@pytest.fixture
def load(tmp_path):
    """Reads some text as a file."""

    def load(text, name="graph.txt", **options):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(tmp_path / name, **options)

    return load


def edges(graph):
    return list(zip(*(column.tolist() for column in graph.edges()[:2]), strict=True))


def named_edges(graph):
    """Edges by label with their weights, whatever the ids are."""
    sources, targets, weights = graph.arcs()
    names = graph.labels.values
    weights = [None] * len(sources) if weights is None else weights.tolist()
    return set(zip(names[sources].tolist(), names[targets].tolist(), weights, strict=True))


SNAP = "# Directed graph: x.txt\r\n# FromNodeId\tToNodeId\r\n0\t1\r\n\r\n1\t2\r\n% more\r\n2\t0"


def test_snap(load):
    graph = load(SNAP)
    assert edges(graph) == [(0, 1), (1, 2), (2, 0)]
    assert graph.directed
    assert graph.weights is None
    assert edges(load(SNAP, directed=False)) == [(0, 1), (0, 2), (1, 2)]
    assert not load(SNAP.replace("Directed", "Undirected")).directed
    assert load("% asym unweighted\n0 1\n").directed
    assert not load("% sym unweighted\n0 1\n").directed
    assert not load("# directed or not\n0 1\n").directed


@pytest.mark.parametrize("between", [" ", "\t", ",", ", ", " \t , "])
def test_separators(load, between):
    graph = load(
        "".join(f"{u}{between}{u + 1}{between}{u / 4}\n" for u in range(5)), columns=(0, 1, 2)
    )
    assert graph.weights.tolist() == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1]


def test_a_byte_order_mark_is_skipped(load):
    assert edges(load(b"\xef\xbb\xbf0 1\n")) == [(0, 1)]
    assert edges(load(b"\xef\xbb\xbf# c\n0 1\n")) == [(0, 1)]


def test_the_third_column_is_the_weight_if_asked_for(load):
    text = "0 1 2.5\n1 2 3\n"
    with pytest.warns(UserWarning, match=r"txt: column 3 was not read; columns=\(0, 1, 2\)"):
        assert load(text).weights is None
    assert load(text, columns=(0, 1)).weights is None
    assert load(text, columns=(0, 1, 2)).weights.tolist() == [2.5, 2.5, 3.0, 3.0]
    assert load(text, name="graph.wel").weights.tolist() == [2.5, 2.5, 3.0, 3.0]
    assert load(text, name="graph.wel", columns=(0, 1)).weights is None
    assert edges(load("7 0 1 x\n8 1 2 y\n", columns=(2, 1), directed=True)) == [(1, 0), (2, 1)]


def test_whole_weights_are_integers(load):
    weights = load("0 1 5\n1 2 -9223372036854775808\n", columns=(0, 1, 2)).weights
    assert weights.dtype == np.int64
    assert weights.tolist() == [5, 5, -(2**63), -(2**63)]
    weights = load("0 1 inf\n1 2 -1e-3\n2 3 nan", columns=(0, 1, 2), directed=True).weights
    assert weights.tolist()[:2] == [np.inf, -0.001]
    assert np.isnan(weights[2])


def test_every_line_must_have_the_same_columns_unless_chosen(load):
    with pytest.raises(FileFormatError, match="line 2: expected 2 columns, found 4"):
        load("0 1\n1 2 2 3\n3 4\n")
    assert edges(load("0 1\n1 2 2 3\n3 4\n", columns=(0, 1))) == [(0, 1), (1, 2), (3, 4)]
    with pytest.raises(FileFormatError, match="line 3: expected at least 3 columns, found 2"):
        load("0 1 1\n1 2 2 3\n3 4\n", columns=(0, 1, 2))


def test_names(load):
    graph = load("ann bob\nbob cy\n")
    assert graph.labels.values.tolist() == ["ann", "bob", "cy"]
    assert edges(graph) == [(0, 1), (1, 2)]
    assert load("1 2\n", ids="str").labels.values.tolist() == ["1", "2"]
    with pytest.raises(FileFormatError, match="line 1: expected a vertex id"):
        load("ann bob\n", ids="int")


def test_a_line_of_titles_is_not_an_edge(load):
    text = "from to\n0 1\n1 2\n"
    assert edges(load(text)) == [(0, 1), (1, 2)]
    assert edges(load(text, columns=("to", "from"), directed=True)) == [(1, 0), (2, 1)]
    assert edges(load(text, header="skip")) == [(0, 1), (1, 2)]
    with pytest.raises(FileFormatError, match="line 1: expected a vertex id .* got 'from'"):
        load(text, header="none")


def test_counts_in_the_first_line(load):
    graph = load("# c\n5 2\n0 1\n1 2\n", header="counts")
    assert (graph.num_vertices, edges(graph)) == (5, [(0, 1), (1, 2)])
    with pytest.raises(FileFormatError, match="line 2: the header promises 3 edges, but 2 follow"):
        load("# c\n5 3\n0 1\n1 2\n", header="counts")
    with pytest.raises(
        FileFormatError, match="line 1: the header promises 2 vertices, but .* id 2"
    ):
        load("2 2\n0 1\n1 2\n", header="counts")
    with pytest.raises(FileFormatError, match=r"line 3: vertex id '3' is not in the range 0\.\.2"):
        load("2 2\n0 1\n1 3\n", header="counts")
    with pytest.raises(FileFormatError, match="line 1: expected the number of edges"):
        load("5 x\n0 1\n", header="counts")
    with pytest.raises(FileFormatError, match="line 1: expected the numbers of vertices and edges"):
        load("5\n0 1\n", header="counts")
    with pytest.raises(FileFormatError, match="line 1: 99999999999 vertices are declared"):
        load("99999999999 1\n0 1\n", header="counts")


def test_sparse_ids_become_labels(load):
    graph = load("10000000000 5\n9223372036854775807 10000000000\n")
    assert graph.labels.values.tolist() == [5, 10**10, 2**63 - 1]
    assert edges(graph) == [(0, 1), (1, 2)]
    graph = load("7 5\n", labels=True)
    assert graph.labels.values.tolist() == [5, 7]


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_graph_options_are_passed_on(load):
    text = "0 1 2\n1 0 3\n1 1 4\n"
    options = {"columns": (0, 1, 2)}
    assert load(text, **options).weights.tolist() == [5, 5, 4]
    assert load(text, duplicates="max", **options).weights.tolist() == [3, 3, 4]
    assert load(text, self_loops="drop", **options).weights.tolist() == [5, 5]
    assert load(text, num_vertices=9, **options).num_vertices == 9
    assert load("0 1\n1 0\n1 2\n", symmetrize="intersection").num_edges == 1
    with pytest.raises(ValueError, match="given more than once"):
        load(text, duplicates="raise", **options)
    with pytest.raises(ValueError, match="duplicates must be one of"):
        load(text, duplicates="avg", **options)


def test_num_vertices_bounds_the_ids(load):
    with pytest.raises(FileFormatError, match=r"line 2: vertex id '7' is not in the range 0\.\.4"):
        load("0 1\n7 2\n", num_vertices=5)


@pytest.mark.parametrize(
    "columns", [(0,), (0, 1, 2, 3), (0, 0), (0, -1), ("a", "b"), (0, 1, 1), (True, 0)]
)
def test_columns_are_checked(load, columns):
    with pytest.raises(ValueError, match="columns must be"):
        load("0 1\n", columns=columns)


def test_choices_are_checked(load):
    with pytest.raises(ValueError, match="header must be one of"):
        load("0 1\n", header="yes")
    with pytest.raises(ValueError, match="ids must be one of"):
        load("0 1\n", ids="float")
    with pytest.raises(TypeError, match="num_vertices must be a whole number, got '5'"):
        load("0 1\n", num_vertices="5")


def test_bad_lines_are_skipped_with_a_warning(load):
    text = "0 1\nx 2\n1\n1 2 3\n2 3\n"
    with pytest.warns(UserWarning, match=r"graph\.txt: 3 bad lines were skipped"):
        assert edges(load(text, on_bad_line="skip")) == [(0, 1), (2, 3)]


@pytest.mark.parametrize("text", [b"0 1\n\x00\x01", b"\x1f\x8b\x08\x00junk\n", b"0 1\r1 2\r"])
def test_binary_junk(load, text):
    with pytest.raises(FileFormatError, match="line "):
        load(text)


def test_empty_files(load):
    with pytest.raises(FileFormatError, match="empty"):
        load("")
    assert load("# nothing\n").num_vertices == 0
    assert load("# nothing\n", num_vertices=3).num_vertices == 3


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("suffix", [".txt", ".wel", ".el.gz"])
def test_round_trip(tmp_path, random_graph, directed, dtype, suffix):
    graph = random_graph(directed=directed, dtype=dtype)
    write(graph, tmp_path / f"graph{suffix}")
    assert read(tmp_path / f"graph{suffix}") == graph


def test_round_trip_of_odd_weights(tmp_path):
    weights = [np.inf, -np.inf, np.nan, 5e-324, 1.7976931348623157e308, -0.0, 0.1, 1e22, 3.0]
    graph = Graph.from_edges(range(9), range(1, 10), weights, directed=True)
    write(graph, tmp_path / "graph.txt")
    assert read(tmp_path / "graph.txt").weights.tobytes() == graph.weights.tobytes()
    large = graph.with_weights(np.array([2**63 - 1, -(2**63), 2**53 + 1] * 3))
    write(large, tmp_path / "graph.txt")
    assert read(tmp_path / "graph.txt") == large


@pytest.mark.parametrize(
    "graph", [Graph.from_edges([], []), Graph.from_edges([], [], num_vertices=4)]
)
def test_round_trip_without_edges(tmp_path, graph):
    write(graph, tmp_path / "graph.txt")
    assert read(tmp_path / "graph.txt") == graph


def labeled(values, directed=False):
    ids = np.arange(4)
    plain = Graph.from_edges(ids[:3], ids[1:], [1.5, 2.0, -1.0], directed=directed, num_vertices=6)
    return Graph(
        plain.indptr, plain.indices, plain.weights, directed=directed, labels=Labels(values)
    )


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    "values",
    [
        ["d", "c", "b", "a", "lone", "z\u00fcrich"],
        ["1", "2", "3", "4", "5", "6"],
        [6, 5, 4, 3, 2, 1],
        [2**40, 7, 2**63 - 1, 0, 1, 99],
    ],
)
def test_round_trip_of_labels(tmp_path, values, directed):
    graph = labeled(values, directed)
    write(graph, tmp_path / "graph.txt")
    back = read(tmp_path / "graph.txt")
    assert back.directed == directed
    assert sorted(back.labels.values.tolist()) == sorted(values)
    assert named_edges(back) == named_edges(graph)


@pytest.mark.parametrize("wrong", ["New York", "a,b", "#tag", "%x", "", "a\nb", "a\x00"])
def test_names_that_do_not_fit_are_refused(tmp_path, wrong):
    with pytest.raises(ValueError, match="an edge list cannot hold the label"):
        write(labeled(["a", "b", wrong, "d", "e", "f"]), tmp_path / "graph.txt")
    with pytest.raises(ValueError, match="cannot hold the label -1"):
        write(labeled([0, 1, 2, 3, 4, -1]), tmp_path / "graph.txt")
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(labeled([(0, 1), 1, "b", 3, 4, 5]), tmp_path / "graph.txt")
    assert list(tmp_path.iterdir()) == []


OWN = "# edgewise vertices: {} edges: 1 directed: no weights: {} labels: {}\n"


def test_our_own_header_is_checked(load):
    with pytest.raises(FileFormatError, match=r"line 3: vertex id '2' is not in the range 0\.\.1"):
        load(OWN.format(2, "none", "none") + "0 1\n1 2\n")
    with pytest.raises(FileFormatError, match="line 1: the header promises 1 edges, but 2 follow"):
        load(OWN.format(3, "none", "none") + "0 1\n1 2\n")
    with pytest.raises(FileFormatError, match="line 1: damaged header 'edgewise v"):
        load(OWN.format(3, "none", "some") + "0 1\n")
    with pytest.raises(FileFormatError, match="line 1: some weights are not int32"):
        load(OWN.format(2, "int32", "none") + "0 1 3000000000\n")
    with pytest.raises(FileFormatError, match="line 1: some weights are not int64"):
        load(OWN.format(2, "int64", "none") + "0 1 0.5\n")
    with pytest.raises(FileFormatError, match="line 2: expected 3 columns, found 2"):
        load(OWN.format(2, "float64", "none") + "0 1\n")
    with pytest.raises(FileFormatError, match="line 1: 900000000000 vertices are declared"):
        load(OWN.format(900000000000, "none", "none") + "0 1\n")
    with pytest.raises(FileFormatError, match="expected a label"):
        load(OWN.format(3, "none", "int") + "# vertex: x\n0 1\n")
    with pytest.raises(FileFormatError, match="line 1: the header promises 3 labels, there are 2"):
        load(OWN.format(3, "none", "str") + "a b\n")


def test_options_override_our_own_header(load):
    text = OWN.format(5, "int64", "none") + "0 1 7\n"
    graph = load(text, directed=True, columns=(1, 0), num_vertices=3)
    assert (graph.directed, graph.num_vertices, graph.weights) == (True, 3, None)
    assert edges(graph) == [(1, 0)]


def test_files_of_konect(tmp_path):
    path = tmp_path / "out.moreno-crime_x"
    path.write_text("% asym posweighted\n% 2 3 3\n1 2 0.5\n2 3 4\n")
    graph = read(path)
    assert graph.directed and graph.weights.tolist() == [0.5, 4]
    path.write_text("% sym signed\n1 2 -1\n2 3 1\n")
    assert read(path).edges()[2].tolist() == [-1, 1]
    path.write_text("% bip positive\n1 2\n2 3\n")
    with pytest.warns(UserWarning, match="'% bip' says that both columns number"):
        assert read(path).weights is None
    path.write_text("% asym multiposweighted\n1 2 0.5\n2 3 4\n")
    assert read(path).weights.tolist() == [0.5, 4]
    path.write_text("% sym unweighted\n1 2\n2 3\n")
    assert read(path).weights is None and read(path).num_edges == 2


def test_semicolons_with_decimal_commas(load):
    """Blanks and commas would make vertices '1;2;0' and '5' of it."""
    graph = load("1;2;0,5\n2; 3; 1,5\n", columns=(0, 1, 2))
    assert graph.labels.values.tolist() == [1, 2, 3] and graph.edges()[2].tolist() == [0.5, 1.5]
    assert load("a;b c;d\nb;c d;e\n").labels.values.tolist() == ["a;b", "b;c", "c;d", "d;e"]


def test_a_decimal_comma_between_blanks_is_not_cut(load):
    with pytest.raises(FileFormatError, match="line 2: the weight '0,5' has a comma"):
        load("# a b w\n1 2 0,5\n2 3 1,5\n", columns=(0, 1, 2))
    assert load("1 2 0,5\n2 3 1,5\n", columns=(0, 1, 2), delimiter=" ").edges()[2].sum() == 2
    assert load("1, 2, 5\n2, 3, 5\n", columns=(0, 1, 2)).edges()[2].sum() == 10
