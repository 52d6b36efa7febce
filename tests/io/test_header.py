"""The comment that Edgewise writes into text files: what it says and what it refuses."""

from pathlib import Path

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import read, write
from edgewise.io.header import Header, header_labels, header_lines, parse_header
from edgewise.io.text import Line

HEAD = "edgewise vertices: {} edges: 1 directed: yes weights: none labels: {}"
PATH = Graph.from_edges([0], [1], num_vertices=3)


def parse(*contents):
    lines = [Line(k, 0, 0, content.encode()) for k, content in enumerate(contents, 1)]
    return parse_header(Path("a.txt"), lines)


def test_a_foreign_file_says_nothing():
    assert parse() == parse("a comment", "edgewise is a library", "vertex: 3") == Header()
    assert Header().ids == "" and not Header().labeled


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (None, "none"),
        (Labels.range(1, 3), "range"),
        (Labels.range(-5, 3), "range"),
        (Labels(np.array([7, 3, 2**63 + 1], np.uint64)), "int"),
        (Labels(["", ' "quoted"', "a\nb\x7f ü"]), "str"),
        (Labels(["1", "2", "03"]), "str"),
    ],
)
@pytest.mark.parametrize("dtype", [None, "int32", "float32"])
def test_what_is_written_is_read(labels, kind, dtype):
    weights = None if dtype is None else np.ones(1, dtype)
    graph = PATH.with_labels(labels).with_weights(weights)
    mark, *text = b"".join(header_lines(graph, "%", every=True)).decode().split("% ")
    assert mark == ""
    header = parse("something else", *(line[:-1] for line in text))
    assert header[:5] == (3, 1, False, dtype or "", kind)
    assert header_labels(Path("a.txt"), header) == labels


def test_a_range_of_labels_takes_one_line():
    graph = PATH.with_labels(Labels.range(17, 3))
    assert [*header_lines(graph, "c", every=True)] == [
        b"c edgewise vertices: 3 edges: 1 directed: no weights: none labels: 17..19\n"
    ]


@pytest.mark.parametrize("labels", [["c", "a", "b"], [30, 10, 20], [2, 1, 0]])
def test_edge_lists_keep_the_order_of_labels(tmp_path, labels):
    graph = PATH.with_labels(Labels(labels))
    write(graph, tmp_path / "a.txt")
    assert read(tmp_path / "a.txt") == graph


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["edgewise vertices: 3 edges: x"], "line 1: damaged header 'edgewise vertices"),
        (["", HEAD.format(3, "1..4")], "line 2: damaged|cannot have the labels '1..4'"),
        (
            [HEAD.format(1, "int"), "vertex: x"],
            "line 2: expected a label .*, got 'x'",
        ),
        ([HEAD.format(1, "int"), f"vertex: {2**64}"], "line 2: expected a label"),
        ([HEAD.format(1, "str"), 'vertex: "a'], "line 2: not a label"),
        ([HEAD.format(1, "str"), 'vertex: "\\ud800"'], "line 2: not a label"),
        ([HEAD.format(2, "str"), "vertex: a"], "line 1: the header promises 2 labels, there are 1"),
        ([HEAD.format(2, "str"), "vertex: a", "vertex: a"], "labels must be distinct"),
    ],
)
def test_a_damaged_header_is_refused(lines, reason):
    with pytest.raises(FileFormatError, match=reason):
        header_labels(Path("a.txt"), parse(*lines))
