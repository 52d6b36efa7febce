"""What readers say about a file: direction, header, columns left out, ids that do not occur."""

from __future__ import annotations

import warnings
from contextlib import nullcontext

import pytest

from edgewise.io import read, write
from edgewise.io.notes import collect


@pytest.fixture
def notes(tmp_path):
    """Reads a text and gives the graph, and the notes by their kind."""

    def look(text, name="graph.txt", **options):
        path = tmp_path / name
        path.write_text(text)
        with collect() as found:
            graph = read(path, **options)
        return graph, {one.kind: one for one in found}

    return look


def test_nothing_to_say(notes):
    assert notes("0 1\n1 2\n")[1] == {}


@pytest.mark.parametrize(
    ("titles", "taken"),
    [
        ("id,from,to", (1, 2)),
        ("when,SRC,dst", (1, 2)),
        ("v,x,U", (2, 0)),
        ("from,to,source,target", (2, 3)),
        ("man,wife,from,to", (0, 1)),  # years, perhaps
        ("a,b,c", (0, 1)),
    ],
)
@pytest.mark.parametrize("name", ["graph.csv", "graph.txt"])
def test_ends_by_their_titles(notes, titles, taken, name):
    row = ",".join(str(10 + k) for k in range(titles.count(",") + 1))
    graph, found = notes(f"{titles}\n{row}\n", name, directed=True)
    assert graph.label([*graph.edges()[0], *graph.edges()[1]]).tolist() == [10 + k for k in taken]
    assert "not read" in found["columns"].text
    assert (found["columns"].option == "") == titles.startswith("id,")  # ids of rows are no weights


def test_ids_that_do_not_occur(notes):
    graph, found = notes("3 4\n4 9\n")
    assert graph.num_vertices == 3 and graph.label(2) == 9
    assert found["ids"].text == "ids 3 to 9; 4 of them do not occur"
    assert found["ids"].option == "--ids as_is"
    graph, found = notes("1 2\n2 3\n")
    assert graph.vertex(3) == 2 and found["ids"].text == "ids 1 to 3"
    graph, found = notes("3 4\n4 9\n", ids="as_is")
    assert graph.num_vertices == 10 and graph.labels is None and found == {}
    assert notes("3 4\n4 9\n", num_vertices=12)[0].num_vertices == 12
    assert notes("3 4\n4 9\n", labels=False)[0].num_vertices == 10
    assert notes("0 1\n1 2\n", labels=True)[0].label(2) == 2


def test_ids_far_apart(notes):
    graph, found = notes("7 1000000000000\n")
    assert graph.num_vertices == 2 and found["ids"].text.startswith(
        "ids 7 to 1000000000000; 999,99"
    )


@pytest.mark.parametrize("name", ["graph.txt", "graph.csv"])
def test_csv_and_edge_lists_behave_alike(notes, name):
    graph, found = notes("# Undirected graph: x\n3\t4\t0.5\n4\t9\t1.5\n", name)
    assert graph.num_vertices == 3 and not graph.directed
    assert found["direction"].text.startswith("undirected, as the comment '# Undirected graph: x'")
    assert found["direction"].option == "--directed"
    assert found["columns"].text == "column 3 was not read"
    assert found["columns"].option == "--weight 3"
    assert found["ids"].text == "ids 3 to 9; 4 of them do not occur"
    graph, found = notes("from,to,km,when\n0,1,5,x\n", name, header="auto")
    assert graph.num_edges == 1
    assert found["columns"].text == "columns 'km', 'when' were not read"
    assert found["columns"].option == "--weight km"


@pytest.mark.parametrize("name", ["graph.txt", "graph.csv"])
@pytest.mark.parametrize("offset", [0, 1])
def test_two_numbers_that_fit_are_a_header(notes, name, offset):
    body = "".join(f"{u + offset}\t{u + 1 + offset}\n" for u in range(9))
    graph, found = notes("10 9\n" + body, name)
    assert (graph.num_vertices, graph.num_edges) == (10, 9)
    assert graph.label(0) == offset
    assert found["header"].text.startswith("line 1 (10 9) is read as the numbers of vertices and")
    with_weights = body.replace("\n", "\t2\n")
    graph, found = notes("10 9\n" + with_weights, "graph.wel")
    assert graph.num_vertices == 10 and graph.weights.tolist() == [2] * 18


def test_both_directions_may_be_counted_once(notes):
    body = "".join(f"{u} {u + 1}\n{u + 1} {u}\n" for u in range(9))
    graph, _ = notes("10 9\n" + body)
    assert (graph.num_vertices, graph.num_edges) == (10, 9)


@pytest.mark.parametrize("first", ["10 8", "9 9", "0 9", "30 9", "5 1"])
def test_two_numbers_that_do_not_fit_are_an_edge(notes, first):
    body = "".join(f"{u} {u + 1}\n" for u in range(9))
    graph, found = notes(f"{first}\n" + body)
    assert "header" not in found
    assert graph.num_vertices == len({*range(10), *map(int, first.split())})


def test_a_header_can_be_refused(notes):
    graph, found = notes("3 2\n0 1\n1 2\n", header="none")
    assert graph.num_vertices == 4 and found == {}


def test_isolated_vertices_that_a_header_counts(notes):
    assert notes("5 2\n0 1\n1 2\n")[0].num_vertices == 5


def test_only_columns_are_a_warning_and_once(tmp_path):
    path = tmp_path / "graph.txt"
    path.write_text("# Directed graph\n3 4 5\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            read(path)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert "column 3 was not read; columns=(0, 1, 2)" in str(caught[0].message)


def test_cedge_files_number_their_edges(tmp_path):
    path = tmp_path / "road.cedge"
    path.write_text("0 5 6 1.5\n1 6 7 2.5\n")
    with collect() as notes:
        graph = read(path)
    assert graph.num_vertices == 3
    assert graph.edges()[2].tolist() == [1.5, 2.5]
    assert [note.kind for note in notes] == ["ids"]
    copy = tmp_path / "copy.cedge"  # what we write ourselves has a header, and no such column
    write(graph, copy)
    assert read(copy) == graph


def test_a_column_that_numbers_the_lines_is_told(tmp_path):
    path = tmp_path / "road.txt"
    path.write_text("".join(f"{i} {i * 7 % 5} {i * 3 % 5}\n" for i in range(8)))
    with collect() as notes:
        read(path)
    told = [note for note in notes if note.kind == "columns"]
    assert [(note.text, note.option) for note in told] == [
        ("column 1 seems to number the lines", "--columns 2,3")
    ]
    path.write_text("".join(f"{i} {i + 1} {i * 3 % 5}\n" for i in range(8)))  # a path
    with collect() as notes:
        read(path)
    assert "column 3 was not read" in [note.text for note in notes]


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("0 1\n1 0\n1 2\n", {}, "1 of 3 lines repeat an edge, in either direction"),
        ("0 1\n0 1\n1 2\n", {"directed": True}, "1 of 3 lines repeat an edge"),
        ("0 1\n1 0\n1 2\n", {"directed": True}, None),
        ("0 1 5\n1 0 6\n", {"columns": (0, 1, 2)}, "that repeat an edge are added up"),
        ("0 1 5\n1 0 6\n", {"columns": (0, 1, 2), "duplicates": "min"}, "count by their min"),
        ("0 1 5\n1 0 6\n", {"columns": (0, 1, 2), "duplicates": "first"}, "do not count"),
    ],
)
def test_repeated_edges_are_told(tmp_path, text, options, expected):
    path = tmp_path / "twice.txt"
    path.write_text(text)
    with collect() as notes:
        graph = read(path, **options)
    warned = "are added up" in (expected or "")
    with pytest.warns(UserWarning, match=expected) if warned else nullcontext():
        read(path, **options)
    told = [note.text for note in notes if note.kind in ("repeats", "weights")]
    assert bool(told) == (expected is not None)
    assert expected is None or expected in " ".join(told)
    options = [note.option for note in notes if note.kind == "repeats"]
    assert ("--directed" in options) == (bool(told) and not graph.directed)


XML = {
    ".gexf": '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph '
    'defaultedgetype="undirected"><nodes><node id="a"/><node id="b"/></nodes><edges>{}</edges>'
    "</graph></gexf>",
    ".graphml": '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph '
    'edgedefault="undirected"><node id="a"/><node id="b"/>{}</graph></graphml>',
}


@pytest.mark.parametrize("suffix", XML)
def test_parallel_edges_are_told(tmp_path, suffix):
    path = tmp_path / f"twice{suffix}"
    edge = '<!-- <edge/> --><edge id="{}" source="a" target="b"/>'
    path.write_text(XML[suffix].format(edge.format(0) + edge.format(1) + edge.format(2)))
    with pytest.warns(UserWarning, match="2 of 3 edges repeat an edge, and are merged"):
        assert read(path).num_edges == 1
    read(path, duplicates="sum")  # who chose needs no warning
    path.write_text(XML[suffix].format(edge.format(0) * 2))
    with pytest.warns(UserWarning, match="1 of 2 edges were not read: parallel edges share an id"):
        assert read(path).num_edges == 1


def test_parallel_edges_of_gml_and_their_weights_are_told(tmp_path):
    path = tmp_path / "twice.gml"
    edge = "edge [ source 1 target 2 weight 3 ]"
    path.write_text(f"graph [ node [ id 1 ] node [ id 2 ] {edge} {edge} ]")
    with pytest.warns(UserWarning) as told:
        assert read(path).weights.tolist() == [6, 6]
    assert ["are merged" in str(one.message) for one in told] == [True, False]
    assert "the weights of edges that repeat an edge are added up (1 of 2)" in str(told[1].message)


def test_merged_rows_with_weights_are_told(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("source,target,weight\nA,B,2\nB,A,3\nA,B,5\n")
    with pytest.warns(UserWarning, match=r"lines that repeat an edge are added up \(2 of 3\)"):
        assert read(path).weights.tolist() == [10, 10]
    assert read(path, duplicates="sum").weights.tolist() == [10, 10]


def test_weights_of_vertices_are_told(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("2 1 010\n7 2\n8 1\n")
    with pytest.warns(UserWarning, match="the sizes and weights of vertices were not read"):
        assert read(path).num_edges == 1
