"""``-``: standard input, with its format told by its start, and standard output."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys

import pytest

import edgewise as ew
from edgewise.cli.streams import sniff
from edgewise.graph import Graph
from edgewise.io import FORMATS

TOLD = [name for name in FORMATS if name not in ("metis", "gap")]


@pytest.fixture
def feed(monkeypatch):
    """``feed(content)`` puts bytes on standard input."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put


def test_info_of_standard_input(edgewise, feed):
    feed(b"0 1\n1 2\n")
    done = edgewise("info", "-")
    assert done.code == 0, done.err
    assert done.out.startswith("standard input\n")
    assert " ".join(done.out.split()).count("vertices 3") == 1


def test_packed_standard_input(edgewise, feed):
    feed(gzip.compress(b"source,target\nann,bob\n"))
    done = edgewise("run", "bfs", "-", "--source", "ann", "-o", "-")
    assert done.code == 0, done.err
    assert done.out == "vertex,distance,parent\nann,0,ann\nbob,1,ann\n"


def test_errors_name_standard_input(edgewise, feed):
    feed(b"0 1\n1\n")
    done = edgewise("info", "-", "--format", "edges")
    assert done.code == 1
    assert "standard input, line 2" in done.err


def test_a_stream_that_tells_nothing(edgewise, feed):
    feed(b"\x00\x01\xff\xfe" * 50)
    done = edgewise("info", "-")
    assert done.code == 1
    assert "--format" in done.err


@pytest.mark.parametrize("name", TOLD)
def test_formats_are_told_by_their_start(name, tmp_path):
    path = tmp_path / f"graph{FORMATS[name].suffixes[0]}"
    graph = Graph.from_edges(["ann", "bob"], ["bob", "eve"], directed=True)
    try:
        ew.write(graph, path, format=name)
    except (ValueError, UserWarning):  # a format without labels
        ew.write(Graph.from_edges([0, 1], [1, 2], directed=True), path, format=name)
    found = sniff(path)
    assert found == name or {found, name} <= {"edges", "adjacency"}


def test_a_file_without_suffix_gets_a_suggestion(edgewise, tmp_path):
    path = tmp_path / "links.data"
    path.write_text("0 1\n1 2\n")
    done = edgewise("info", path)
    assert done.code == 1
    assert "it looks like --format edges" in done.err


@pytest.mark.parametrize("name", ["edges", "ew", "parquet"])
def test_convert_to_standard_output(barbell, tmp_path, name):
    command = [sys.executable, "-m", "edgewise", "convert", str(barbell), "-"]
    done = subprocess.run([*command, "--output-format", name], capture_output=True)
    assert done.returncode == 0, done.stderr
    copy = tmp_path / f"copy{FORMATS[name].suffixes[0]}"
    copy.write_bytes(done.stdout)
    assert ew.read(copy) == ew.read(barbell)


def test_standard_output_needs_a_format(edgewise, barbell):
    for command in (["convert", barbell, "-"], ["generate", "path", "--n", 4, "-o", "-"]):
        done = edgewise(*command)
        assert done.code == 1
        assert "--output-format" in done.err


def test_generated_graph_on_standard_output(edgewise):
    done = edgewise("generate", "path", "--n", 4, "-o", "-", "--output-format", "edges")
    assert done.code == 0, done.err
    assert done.out.endswith("0 1\n1 2\n2 3\n")


def test_one_thing_on_standard_output(edgewise, barbell):
    for *command, option in (["run", "pagerank", "-o"], ["profile", "--report"]):
        done = edgewise(*command, barbell, "--json", option, "-")
        assert done.code == 1
        assert "both write to standard output" in done.err


def test_report_on_standard_output(edgewise, barbell):
    done = edgewise("profile", barbell, "--report", "-")
    assert done.code == 0, done.err
    assert done.out.startswith("<!DOCTYPE html>")
    assert done.out.endswith("</html>\n")
