"""Options of reading: each reaches its reader or is refused by name; a reader's notes are told."""

from __future__ import annotations

import gzip
import inspect
import json
from importlib import import_module

import numpy as np
import pytest

from edgewise import generators
from edgewise.cli.reading import READING, _known
from edgewise.io import FORMATS, write
from edgewise.sensing import Packets, TrafficMatrix, write_matrix, write_records


@pytest.fixture
def info(edgewise, tmp_path):
    """``info(text, suffix, *options)`` writes a file and returns what info says as JSON."""

    def run(text, suffix, *options):
        path = tmp_path / f"graph{suffix}"
        path.write_text(text)
        done = edgewise("info", path, "--json", *options)
        assert done.code == 0, done.err
        return json.loads(done.out)

    return run


@pytest.mark.parametrize(
    ("text", "suffix", "options", "expected"),
    [
        ("1 2\n0 1\n", ".txt", ["--header", "none"], {"edges": 2}),
        ("3 2\n0 1\n1 2\n", ".txt", ["--header", "counts"], {"edges": 2, "vertices": 3}),
        ("a b\n0 1\n1 2\n", ".txt", ["--header", "skip"], {"edges": 2}),
        ("0;1\n1;2\n", ".txt", ["--delimiter", ";"], {"edges": 2}),
        ("a|b\n0|1\n", ".csv", ["--delimiter", "|"], {"edges": 1}),
        ("a b\tc\n", ".csv", ["--delimiter", "tab", "--header", "none"], {"vertices": 2}),
        ("a b\tc\n", ".csv", ["--delimiter", r"\t", "--header", "none"], {"vertices": 2}),
        ("0 1\n1 2\n", ".txt", ["--directed"], {"directed": True}),
        ("# Directed graph\n0 1\n", ".txt", ["--undirected"], {"directed": False}),
        ("3 9\n", ".txt", ["--ids", "as_is"], {"vertices": 10}),
        ("3 9\n", ".txt", ["--ids", "str"], {"ids": {"names": ["3", "9"]}}),
        ("0 1\n", ".txt", ["--num-vertices", 5], {"vertices": 5}),
        ("0 1\n1 1\n", ".txt", ["--self-loops", "drop"], {"self_loops": 0}),
        ("0 1 5\n0 1 7\n", ".wel", ["--duplicates", "max"], {"max_degree": 1}),
        ("0 1 9\n", ".txt", ["--columns", "1,3"], {"ids": {"low": 0, "high": 9, "missing": 8}}),
        ("0 1\n1 2\nx\n", ".txt", ["--on-bad-line", "skip"], {"edges": 2}),
        ("3 9\n", ".txt", ["--no-labels"], {"vertices": 10}),
    ],
)
@pytest.mark.filterwarnings("ignore:.*skipped")
def test_options_reach_the_reader(info, text, suffix, options, expected):
    found = info(text, suffix, *options)
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("text", "suffix", "column"),
    [
        ("0 1 5\n1 2 7\n", ".txt", "3"),
        ("from,to,km\na,b,5\nb,c,7\n", ".csv", "km"),
        ("km,target,source\n5,b,a\n7,c,b\n", ".csv", "km"),
        ("a,b,5\nb,c,7\n", ".csv", "3"),
    ],
)
def test_weight_column(info, text, suffix, column):
    options = ["--header", "none"] if text.startswith("a,") else []
    found = info(text, suffix, "--weight", column, *options)
    assert found["weights"]["total"] == 12
    assert (found["vertices"], found["edges"]) == (3, 2)


def test_weight_attribute_of_graphml(edgewise, tmp_path):
    import networkx as nx

    graph, path = nx.Graph(), tmp_path / "g.graphml"
    graph.add_edge("a", "b", km=12.0)
    nx.write_graphml(graph, path)
    done = edgewise("info", path, "--json", "--weight", "km")
    assert json.loads(done.out)["weights"]["total"] == 12


def test_columns_count_from_one(edgewise, tmp_path):
    path = tmp_path / "g.txt"
    path.write_text("0 1\n")
    done = edgewise("info", path, "--columns", "0,1")
    assert done.code == 1
    assert "count from 1" in done.err


@pytest.mark.parametrize("name", FORMATS)
def test_every_option_of_a_reader_is_an_option(name):
    reader = import_module(FORMATS[name].module).read
    theirs = set(list(inspect.signature(reader).parameters)[1:])
    ours = {option.name for option in READING} | {"weight"}
    internal = {"suffix", "symmetrize", "verify", "trusted", "memory_map", "node_type"}
    internal |= {"names", "weighted"}  # of Pajek, where --labels means names
    internal |= {"memory"}  # algorithms have a --memory of their own
    internal |= {"filesystem"}  # an object of pyarrow
    assert theirs - internal <= ours


@pytest.mark.parametrize("name", FORMATS)
def test_options_that_a_format_has_not_are_refused_by_name(edgewise, tmp_path, name):
    flags = {
        "header": ["--header", "none"], "delimiter": ["--delimiter", ";"], "ids": ["--ids", "int"],
        "duplicates": ["--duplicates", "min"], "self_loops": ["--self-loops", "drop"],
        "labels": ["--labels"], "columns": ["--columns", "1,2"],
        "weight": ["--weight", "3"],
    }  # fmt: skip
    path = tmp_path / f"graph{FORMATS[name].suffixes[0]}"
    path.write_text("")
    known = _known(name) | ({"weight"} if {"columns", "weight"} & _known(name) else set())
    known |= {"labels"} if "names" in known else set()
    for option, words in flags.items():
        done = edgewise("info", path, *words)
        assert done.code == 1
        refused = f"{name} files have no {words[0]}; they have" in done.err
        assert refused == (option not in known), (option, done.err)


def test_every_file_can_be_read_as_undirected(edgewise, tmp_path):
    import edgewise as ew

    path = tmp_path / "arcs.ew"
    ew.write(ew.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True), path)
    assert "--undirected" in edgewise("run", "core_number", path).err
    done = edgewise("run", "core_number", path, "--undirected", "-o", "-")
    assert done.out == "vertex,core_number\n0,1\n1,1\n2,1\n", done.err
    done = edgewise("info", path, "--directed")
    assert done.code == 1
    assert "ew files say themselves whether they are directed" in done.err


def test_what_the_reader_noted_is_told(edgewise, tmp_path):
    path = tmp_path / "noted.txt"
    path.write_text("# Directed graph: a test\n0 1 7\n1 2 8\n")
    info = json.loads(edgewise("info", path, "--json").out)
    assert [note["kind"] for note in info["notes"]] == ["columns", "direction"]
    said = " ".join(edgewise("info", path).out.split())
    assert "column 3 was not read; --weight 3 takes it as the weight" in said
    assert "--undirected says otherwise" in said
    page = tmp_path / "page.html"
    done = edgewise("profile", path, "--report", page)
    assert "Column 3 was not read; --weight 3" in " ".join(done.out.split())
    assert "Column 3 was not read; --weight 3" in page.read_text()
    profile = json.loads(edgewise("profile", path, "--json").out)
    assert profile["notes"] == info["notes"]
    done = edgewise("run", "pagerank", path)
    assert done.err == (
        f"edgewise: note: {path}: column 3 was not read; --weight 3 takes it as the weight\n"
    )
    assert edgewise("run", "pagerank", path, "--quiet").err == ""


def test_a_file_that_looks_like_another_format(edgewise, tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text("c roads\np sp 2 1\na 1 2 7\n")
    assert edgewise("info", path).err.endswith("; it looks like --format dimacs\n")
    assert "looks like" not in edgewise("info", path, "--format", "edges").err
    path = tmp_path / "graph.json"
    path.write_text('{"nodes": [1, 2], "links": []}\n')
    told = edgewise("info", path).err
    assert "the suffix does not determine the format; use --format" in told


def test_a_file_of_packets_is_no_graph(edgewise, tmp_path):
    packets = Packets(np.uint32([1, 2]), np.uint32([2, 1]))
    write_records(packets, tmp_path / "a.packets")
    (tmp_path / "b.pcap.gz").write_bytes(gzip.compress(bytes.fromhex("d4c3b2a1") + bytes(20)))
    write_matrix(TrafficMatrix.from_packets(packets), tmp_path / "c.ewt")
    for name in ("a.packets", "b.pcap.gz"):
        done = edgewise("info", tmp_path / name)
        assert (done.code, "it holds packets, not a graph: `edgewise sense`" in done.err) == (
            1,
            True,
        )
    assert (
        "it holds a traffic matrix: edgewise.sensing.read_matrix"
        in edgewise("info", tmp_path / "c.ewt").err
    )


def test_repeated_edges_may_be_directed(edgewise, tmp_path):
    path = tmp_path / "both.txt"
    path.write_text("0 1\n1 0\n")
    said = " ".join(edgewise("info", path).out.split())
    assert "1 of 2 lines repeat an edge, in either direction; --directed tells directions" in said
    assert "repeat an edge" not in edgewise("info", path, "--directed").out


def test_a_bad_line_comes_with_a_way_out(edgewise, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("source,target\n1,2\n3\n")
    done = edgewise("info", path)
    assert "line 3: " in done.err
    assert "(--on-bad-line skip leaves such lines out)" in done.err


ROADS = "from,to,km,road\na,b,5,A1\nb,c,7,\na,c,20,A3\n"


def test_columns_are_read_shown_and_written(edgewise, tmp_path):
    import edgewise as ew

    path, out = tmp_path / "roads.csv", tmp_path / "roads.gml"
    path.write_text(ROADS)
    done = edgewise("convert", path, out, "--edge-columns", "all")
    assert done.code == 0 and "not read" not in done.err, done.err
    graph = ew.read(out, edge_columns=True)
    assert graph.edges["km"].tolist() == [5, 20, 7]
    assert graph.edges["road"].tolist() == ["A1", "A3", None]
    found = json.loads(edgewise("info", out, "--json", "--edge-columns", "km").out)
    assert found["edge_columns"] == {"km": "int64"} and found["vertex_columns"] == {}
    assert "km (int64), road (string)" in edgewise("info", out, "--edge-columns", "all").out
    done = edgewise("convert", path, tmp_path / "plain.ew")
    assert "--weight km takes it as the weight; --edge-columns all keeps them" in done.err
    done = edgewise("info", path, "--edge-columns", "kn")
    assert done.code == 1 and "'kn'" in done.err
    done = edgewise("info", path, "--vertex-columns", "all")
    assert done.code == 1 and "csv files have no --vertex-columns" in done.err


def test_a_table_of_vertices(edgewise, tmp_path):
    import edgewise as ew

    path, towns, out = tmp_path / "roads.csv", tmp_path / "towns.csv", tmp_path / "roads.ew"
    path.write_text(ROADS)
    towns.write_text("size,name,land\n9,a,DE\n4,d,\n")
    table = ["--vertex-table", towns, "--vertex-key", "name"]
    assert edgewise("convert", path, out, *table).code == 0
    graph = ew.read(out)
    assert graph.label(graph.vertices()).tolist() == ["a", "b", "c", "d"]
    assert graph.vertices["land"].tolist() == ["DE", None, None, None]
    found = json.loads(edgewise("info", path, *table, "--vertex-columns", "land", "--json").out)
    assert found["vertex_columns"] == {"land": "string"} and found["vertices"] == 4
    done = edgewise("info", path, "--vertex-table", towns, "--vertex-key", "town")
    assert done.code == 1 and "got 'town'; there are: 'size', 'name', 'land'" in done.err
    done = edgewise("info", out, "--vertex-table", towns)
    assert done.code == 1 and "ew files have no --vertex-table" in done.err
    done = edgewise("convert", path, out, "--memory", "1GiB", "--vertex-table", towns, "--force")
    assert done.code == 1 and "vertices" in done.err
    done = edgewise("run", "pagerank", path, *table, "--grid", "1x1")
    assert done.code == 1 and "vertices" in done.err


def test_weights_by_the_name_of_a_column(edgewise, tmp_path):
    import edgewise as ew

    path, out = tmp_path / "roads.csv", tmp_path / "roads.ew"
    path.write_text(ROADS)
    assert edgewise("convert", path, out, "--edge-columns", "all").code == 0
    assert ew.read(out).edges.columns == ("km", "road")
    for file in (path, out):
        done = edgewise("run", "sssp", file, "--source", "a", "--weights", "km", "-o", "-")
        assert done.out == "vertex,distance,parent\na,0,a\nb,5,a\nc,12,b\n", done.err
    done = edgewise("run", "sssp", path, "--source", "a", "--weights", "road")
    assert done.code == 1 and "'road' holds string" in done.err
    done = edgewise("run", "sssp", out, "--source", "a", "--weights", "kn")
    assert done.code == 1 and "weights must name a column of the graph, got 'kn'" in done.err


def test_files_of_webgraph(edgewise, tmp_path):
    (tmp_path / "g.properties").write_text("graphclass=BVGraph\nnodes=2\narcs=1\n")
    (tmp_path / "g.graph").write_bytes(bytes([0b01011101, 0b11000000]))
    done = edgewise("convert", tmp_path / "g.graph", tmp_path / "g.el")
    assert done.code == 0, done.err
    assert (tmp_path / "g.el").read_text().splitlines()[-1] == "0 1"
    assert edgewise("convert", tmp_path / "g.el", tmp_path / "h.properties").code == 1


def test_a_memory_limit_for_mapped_files(edgewise, tmp_path):
    path, edges = tmp_path / "graph.ew", tmp_path / "edges.txt"
    write(generators.rmat(7, seed=1), path)
    write(generators.rmat(7, seed=1), edges)
    plain = edgewise("run", "bfs", path, "--source", "0", "-o", "-")
    within = edgewise("run", "bfs", path, "--source", "0", "-o", "-", "--memory", "1MiB")
    assert within.code == 0 and within.out == plain.out != ""
    done = edgewise("info", path, "--json", "--memory", "1MiB")
    assert done.code == 0 and json.loads(done.out) == json.loads(
        edgewise("info", path, "--json").out
    )
    refused = edgewise("run", "communities.louvain", path, "--memory", "1MiB")
    assert refused.code == 1 and "louvain may need memory for every arc" in refused.err
    for command in (["info", edges], ["run", "is_connected", edges]):
        done = edgewise(*command, "--memory", "1MiB")
        assert done.code == 1
        assert f"edgewise convert {edges} graph.ew --memory 1MiB makes one" in done.err
    done = edgewise("run", "bfs", path, "--source", "0", "--memory", "1MiB", "--device", "cuda")
    assert done.code == 1 and "--memory is for one process without a GPU" in done.err
