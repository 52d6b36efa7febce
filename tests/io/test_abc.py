"""`.abc` files: label, label and optionally weight on a line, as the program mcl reads them."""

from __future__ import annotations

import pytest

import edgewise as ew


def test_labels_and_weights(tmp_path):
    path = tmp_path / "x.abc"
    path.write_text("P53 MDM2 0.9\nMDM2 UBC 2\nUBC\tP53\t1e-3\n")
    graph = ew.read(path)
    assert not graph.directed and graph.num_edges == 3
    assert sorted(graph.labels.values.tolist()) == ["MDM2", "P53", "UBC"]
    assert sorted(graph.edges()[2].tolist()) == [0.001, 0.9, 2.0]


def test_without_weights(tmp_path):
    path = tmp_path / "x.abc"
    path.write_text("a b\nb c\n")
    graph = ew.read(path)
    assert graph.num_edges == 2 and graph.weights is None


def test_both_directions_keep_the_larger_weight(tmp_path):
    path = tmp_path / "x.abc"
    path.write_text("a b 1\nb a 3\n")
    assert ew.read(path, duplicates="max").edges()[2].tolist() == [3]


@pytest.mark.parametrize("line", ["a b x", "a", "a b 1 2 3 x y"])
def test_mangled_lines(tmp_path, line):
    path = tmp_path / "x.abc"
    path.write_text(f"a b 1\nb c 2\n{line}\n")
    with pytest.raises(ew.FileFormatError, match="line 3"):
        ew.read(path)


def test_written_and_read(tmp_path):
    graph = ew.Graph.from_edges(["a", "b"], ["b", "c"], [0.5, 2.0])
    ew.write(graph, tmp_path / "x.abc")
    assert ew.read(tmp_path / "x.abc") == graph
