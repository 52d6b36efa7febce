"""CSV: titles, delimiters, quotes, names, errors with their line, round trips."""

import numpy as np
import pandas
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write
from edgewise.io.notes import collect


@pytest.fixture
def load(tmp_path):
    """Reads some text as a file."""

    def load(text, name="graph.csv", **options):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(tmp_path / name, **options)

    return load


def edges(graph):
    return list(zip(*(column.tolist() for column in graph.edges()[:2]), strict=True))


def named_edges(graph):
    sources, targets, weights = graph.arcs()
    names = graph.labels.values
    weights = [None] * len(sources) if weights is None else weights.tolist()
    return set(zip(names[sources].tolist(), names[targets].tolist(), weights, strict=True))


QUOTED = {False: "{},{},{}\n", True: '"{}","{}",{}\n'}


@pytest.fixture(params=[False, True], ids=["plain", "quoted"])
def row(request):
    """Makes one row of three columns, with quotes around the ids or without: two parsers."""
    return QUOTED[request.param].format


def test_columns_by_their_titles(load, row):
    body = row(0, 1, 2.5) + row(1, 2, 3)
    assert load("Source,TARGET,Weight\n" + body).weights.tolist() == [2.5, 2.5, 3, 3]
    with pytest.warns(UserWarning, match="column 'other' was not read; columns=.*'other'"):
        assert load("source,target,other\n" + body).weights is None
    assert load("a,b,weight\n" + body).weights.tolist() == [2.5, 2.5, 3, 3]
    with pytest.warns(UserWarning, match="column 'w' was not read"):
        graph = load("target,source,w\n" + body, directed=True)
    assert edges(graph) == [(1, 0), (2, 1)]


def test_columns_by_name_or_number(load, row):
    text = "a,b,c\n" + row(0, 1, 2) + row(3, 4, 5)
    options = {"directed": True, "ids": "as_is"}
    assert edges(load(text, columns=("b", "c"), **options)) == [(1, 2), (4, 5)]
    assert edges(load(text, columns=(2, 0), **options)) == [(2, 0), (5, 3)]
    assert load(text, columns=("a", "b", "c")).weights.tolist() == [2, 2, 5, 5]
    with pytest.raises(FileFormatError, match="no column named 'x'; there are: a, b, c"):
        load(text, columns=("a", "x"))
    with pytest.raises(FileFormatError, match="there are only 3 columns: a, b, c"):
        load(text, columns=(0, 7))
    with pytest.raises(FileFormatError, match="several columns named 'a'"):
        load("a,a,b\n0,1,2\n", columns=("a", "b"))
    with pytest.raises(ValueError, match="columns must be"):
        load(text, columns=("a", "a"))


def test_what_excel_puts_first(load):
    graph = load("sep=;\r\nFrom;To\r\nBern;Basel\r\n")
    assert graph.labels.values.tolist() == ["Basel", "Bern"]
    assert load('"sep=|"\n1|2\n').labels.values.tolist() == [1, 2]
    assert load("sep=;\n1,2\n", delimiter=",").labels.values.tolist() == [1, 2]
    with pytest.raises(FileFormatError, match="this is UTF-16 text; save it as UTF-8"):
        load("From,To\nBern,Basel\n".encode("utf-16"))


@pytest.mark.parametrize("quotes", ["", '"'])
def test_a_name_among_numbers_comes_with_a_way_out(load, quotes):
    text = f"source,target\n1,2\n2,3\n{quotes}3{quotes},S4\n"
    with pytest.raises(FileFormatError, match="got 'S4'; ids='str' reads ids as names"):
        load(text)
    assert load(text, ids="str").num_vertices == 4
    with pytest.raises(FileFormatError, match="got '-4'$"):
        load(text.replace("S4", "-4"))


def test_without_header(load, row):
    text = row(0, 1, 2) + row(3, 4, 5)
    for header in ("auto", "none"):
        options = {"header": header, "ids": "as_is"}
        assert edges(load(text, columns=(0, 1), **options)) == [(0, 1), (3, 4)]
        assert load(text, columns=(0, 1, 2), **options).weights.tolist() == [2, 2, 5, 5]
    with pytest.raises(FileFormatError, match="line 1: expected a header .* pass header='none'"):
        load(text, header="names")
    with pytest.raises(ValueError, match="columns must be numbers for a file without header"):
        load(text, header="none", columns=("a", "b"))


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
def test_delimiters(load, row, delimiter):
    text = ("a,b,weight\n" + row(0, 1, 2.5)).replace(",", delimiter)
    assert load(text, delimiter=delimiter).weights.tolist() == [2.5, 2.5]
    if delimiter != " ":
        assert load(text).weights.tolist() == [2.5, 2.5]
        with pytest.raises(FileFormatError, match="line 1: expected at least two columns"):
            load(text, delimiter=",")


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "1", "\n", ".", "\u00e4", 5])
def test_delimiters_are_checked(load, delimiter):
    with pytest.raises(ValueError, match="delimiter must"):
        load("a,b\n0,1\n", delimiter=delimiter)


def test_line_ends_blanks_and_spaces(load):
    text = "a,b,weight\r\n\r\n0 , 1,  2\r\n\r\n 1,2 ,3"
    assert load(text).weights.tolist() == [2, 2, 3, 3]
    assert load(text.replace("0 ,", '"0",')).weights.tolist() == [2, 2, 3, 3]
    assert load(b"\xef\xbb\xbf" + text.encode()).num_edges == 2


def test_names(load):
    graph = load("a,b\nNew York,Los Angeles\n#1,New York\n")
    assert graph.labels.values.tolist() == ["#1", "Los Angeles", "New York"]
    graph = load('a,b\n"say ""hi""","two\nlines"\n"a,b",x\n')
    assert graph.labels.values.tolist() == ["a,b", 'say "hi"', "two\nlines", "x"]
    assert load("a,b\n1,2\n", ids="str").labels.values.tolist() == ["1", "2"]
    assert load('a,b\n"1","2"\n', ids="str").labels.values.tolist() == ["1", "2"]


def test_types_of_weights(load, row):
    for tokens, dtype in (
        (["1", "-2"], np.int64),
        (["1", str(2**63 - 1)], np.int64),
        (["1", str(2**63)], np.float64),
        (["1", "1e3"], np.float64),
        (["inf", "-0.0"], np.float64),
    ):
        rows = [row(k, k + 1, token) for k, token in enumerate(tokens)]
        weights = load("a,b,weight\n" + "".join(rows), directed=True).weights
        assert weights.dtype == dtype
        assert weights.tolist() == [dtype(float(t) if dtype is np.float64 else t) for t in tokens]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("7\n", "expected 3 columns, found 1"),
        ("7,8\n", "expected 3 columns, found 2"),
        ("7,8,9,10\n", "expected 3 columns, found 4"),
        ("7,x,1\n", "expected a vertex id .* got 'x'"),
        ("7,,1\n", "expected a vertex id .* got ''"),
        ("-7,1,1\n", "expected a vertex id .* got '-7'"),
        ("1 2,3,1\n", "expected a vertex id .* got '1 2'"),
        ("7,99,1\n", r"is not in the range 0\.\.50"),
        ("7,8,abc\n", "expected a number as weight, got 'abc'"),
        ("7,8,\n", "expected a number as weight, got ''"),
        ("7,8,1 2\n", "expected a number as weight, got '1 2'"),
        ("7,8,1_0\n", "expected a number as weight, got '1_0'"),
    ],
)
def test_a_bad_line_is_named(load, row, bad, reason):
    text = "a,b,weight\n" + row(0, 1, 2) + "\n" + bad + row(1, 2, 3)
    with pytest.raises(FileFormatError, match=f"line 4: .*{reason}"):
        load(text, num_vertices=51)
    with pytest.warns(UserWarning, match=r"graph\.csv: 1 bad line was skipped"):
        graph = load(text, num_vertices=51, on_bad_line="skip")
    assert edges(graph) == [(0, 1), (1, 2)]


def test_lines_are_counted_through_quotes(load):
    with pytest.raises(FileFormatError, match="line 5: expected 2 columns, found 1"):
        load('a,b\n"x\ny",z\nu,v\nw\n')


@pytest.mark.parametrize("text", ['a,b\n"x,y\n1,2\n', 'a,b\n"x"y,z\n'])
def test_broken_quotes(load, text):
    with pytest.raises(FileFormatError, match="line "):
        load(text)


@pytest.mark.parametrize("text", [b"a,b\n\xff\xfe,x\n", b'a,b\n"\xff",x\n'])
def test_names_must_be_text(load, text):
    with pytest.raises(FileFormatError, match="line 2: a name is not UTF-8"):
        load(text)


def test_empty_files(load):
    with pytest.raises(FileFormatError, match="empty"):
        load("")
    assert load("source,target\n").num_vertices == 0
    assert load("source,target,weight", num_vertices=3).num_vertices == 3


@pytest.mark.filterwarnings("ignore:.* repeat an edge")
def test_graph_options_are_passed_on(load, row):
    text = "a,b,weight\n" + row(0, 1, 2) + row(1, 0, 3) + row(1, 1, 4)
    assert load(text).weights.tolist() == [5, 5, 4]
    assert load(text, duplicates="min", self_loops="drop").weights.tolist() == [2, 2]
    assert load(text, labels=True, directed=True).labels.values.tolist() == [0, 1]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "int64", "float64"])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_round_trip(tmp_path, random_graph, directed, dtype, suffix):
    graph = random_graph(directed=directed, dtype=dtype)
    path = tmp_path / f"graph{suffix}"
    with pytest.warns(UserWarning, match="^CSV files have no place for isolated vertices; "):
        write(graph, path)
    assert read(path, num_vertices=graph.num_vertices) == graph
    write(graph, path, comment=True)
    assert read(path) == graph


@pytest.mark.parametrize("labels", [None, ["b", "a, c", "7"]])
def test_other_readers(tmp_path, labels):
    path = tmp_path / "graph.csv"
    graph = Graph.from_edges([0, 1], [1, 2], [0.5, 2], directed=True)
    write(graph.with_labels(labels and Labels(labels)), path, comment=True)
    table = pandas.read_csv(path, comment="#")
    assert table.columns.tolist() == ["source", "target", "weight"]
    write(graph.with_labels(labels and Labels(["b", "a, c", "d"])), path)
    table = pandas.read_csv(path)
    assert table.columns.tolist() == ["source", "target", "weight", "type"]
    assert table.source.tolist() == ([0, 1] if labels is None else ["b", "a, c"])
    assert table.type.tolist() == ["directed"] * 2


def test_a_column_type_gives_the_direction(load):
    for text, directed in [("Directed", True), ("undirected", False)]:
        with collect() as notes:
            graph = load(f"Source,Target,Type,Weight\n0,1,{text},2\n1,2,{text},3\n")
        assert graph.directed is directed and graph.edges()[2].tolist() == [2, 3]
        assert [note.kind for note in notes] == ["direction"]
    assert not load("source,target,type\n0,1,Directed\n", directed=False).directed
    with pytest.raises(FileFormatError, match="line 2: the column 'type' mixes directed and undir"):
        load("source,target,type\n0,1,Directed\n0,2,Undirected\n")
    with pytest.warns(UserWarning, match="column 'type' was not read"):
        assert not load("source,target,type\n0,1,Directed\n0,2,road\n").directed


@pytest.mark.parametrize(
    ("graph", "lost"),
    [
        (Graph.from_edges([], [], directed=True), "direction"),
        (Graph.from_edges([], [], np.zeros(0)), "weights"),
        (Graph.from_edges([0], [2]), "isolated vertices"),
        (Graph.from_edges(["7"], ["8"]), "the type of labels"),
        (Graph.from_edges([-7], [8], labels=True), "the type of labels"),
        (Graph.from_edges([], [], directed=True, num_vertices=2), "direction and isolated vert"),
    ],
)
def test_what_has_no_place_is_told(tmp_path, graph, lost):
    with pytest.warns(UserWarning, match=f"^CSV files have no place for {lost}") as caught:
        write(graph, tmp_path / "graph.csv")
    assert len(caught) == 1 and caught[0].filename == __file__


@pytest.mark.parametrize(
    "values",
    [
        ["d", "c", "b", "a"],
        ["New York", "a,b", 'say "hi"', "two\nlines"],
        [" outer", "white ", "\tspace\n", "x"],
        [70, -5, 2**40, 1],
    ],
)
@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 1e300]])
def test_round_trip_of_labels(tmp_path, values, weights):
    plain = Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
    graph = Graph(plain.indptr, plain.indices, plain.weights, labels=Labels(values))
    if -5 in values:
        with pytest.warns(UserWarning, match="no place for the type of labels"):
            write(graph, tmp_path / "graph.csv")
        with pytest.raises(FileFormatError, match="got '-5'"):
            read(tmp_path / "graph.csv")
        return
    write(graph, tmp_path / "graph.csv")
    back = read(tmp_path / "graph.csv", labels=True)
    assert named_edges(back) == named_edges(graph)


def test_an_empty_label_is_refused(tmp_path):
    plain = Graph.from_edges([0], [1])
    graph = Graph(plain.indptr, plain.indices, labels=Labels(["", "x"]))
    with pytest.raises(ValueError, match="empty label"):
        write(graph, tmp_path / "graph.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1;2;0,5\n2;3;1,5\n", {"columns": (0, 1, 2)}),
        ("a;b;weight\n1;2;0,5\n2;3;1,5\n", {}),
        ("a\tb\tweight\n1\t2\t0,5\n2\t3\t15e-1\n", {}),
        ('a;b;weight\n"1";2;"0,5"\n2;3;"1,5"\n', {}),
        ("a;b;weight\n1;2;,5\n2;3;+1,5e0\n", {}),
    ],
)
def test_decimal_commas(load, text, options):
    assert load(text, **options).edges()[2].tolist() == [0.5, 1.5]


def test_decimal_commas_leave_names_alone(load):
    for quote in ("", '"'):
        text = "a;b;weight\n" + f"{quote}x,1{quote};y.2;0,5\nz;{quote}x,1{quote};2,5\n"
        graph = load(text)
        assert graph.labels.values.tolist() == ["x,1", "y.2", "z"]
        assert graph.edges()[2].tolist() == [0.5, 2.5]


def test_which_decimal_mark(load):
    late = "a;b;weight\n" + "".join(f"{k};{k + 1};1\n" for k in range(200)) + "7;9;0,5\n"
    with pytest.raises(FileFormatError, match="line 202: expected a number as weight, got '0,5'"):
        load(late)
    assert load(late, decimal=",").edges()[2].min() == 0.5
    for text in ("1.000,5", "1,5,5", "1.5"):  # a point beside commas may part thousands
        with pytest.raises(FileFormatError, match=f"line 3: expected a number .*, got '{text}'"):
            load(f"a;b;weight\n1;2;1,5\n2;3;{text}\n", decimal=",")
    with pytest.raises(FileFormatError, match="got '0,5'"):
        load("a;b;weight\n1;2;0,5\n", decimal=".")
    with pytest.raises(ValueError, match="decimal=',' needs another delimiter"):
        load("a,b,weight\n1,2,3\n", decimal=",")
    with pytest.raises(ValueError, match="decimal must be"):
        load("a;b;weight\n1;2;3\n", decimal=";")


def test_a_column_with_decimal_commas_may_be_the_weight(load):
    with pytest.warns(UserWarning, match=r"column 3 was not read; columns=\(0, 1, 2\)"):
        load("1;2;0,5\n2;3;1,5\n")


def test_semicolons_go_before_commas(load):
    graph = load("a;b;weight\nx,1;y;2,5\nx,2;y;1,5\n")
    assert graph.labels.values.tolist() == ["x,1", "x,2", "y"]
