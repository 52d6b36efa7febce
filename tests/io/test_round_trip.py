"""What is written is read again: every format, direction, type of weights, labels, loneliness.

`write` warns of exactly what does not come back, as the table of formats says; no more is lost.
"""

import os
import warnings
from itertools import product

import numpy as np
import pytest

from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io import FORMATS, read, write

FILES = [(name, suffix) for name, form in FORMATS.items() for suffix in (form.suffixes[0],)]
FILES += [("gap", ".wsg"), ("arrow", ".feather")]
LABELS = {
    "none": None,
    "identity": Labels.range(0, 6),
    "offset": Labels.range(1, 6),
    "gaps": Labels([3, 7, 20, 10**6, 2**40, 2**62]),
    "64 bits": Labels(np.array([9, 1, 2, 3, 4, 2**64 - 1], np.uint64)),
    "no order": Labels([5, 30, 20, 4, 8, 0]),
    "strings": Labels(["Aachen", "Bonn", "Köln", "x-1", "y_2", "Ω"]),
    "strings, no order": Labels(["z", "y", "x", "w", "v", "u"]),
    "digits": Labels(["1", "2", "3", "5", "7", "11"]),
}
DTYPES = [None, "int32", "int64", "float32", "float64"]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Thousands of files need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def graph_of(directed, dtype, labels, isolated):
    """Six vertices; if isolated, the first, one in the middle and the last have no edge."""
    ends = ([1, 2, 3, 1], [2, 3, 1, 3]) if isolated else ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0])
    weights = None if dtype is None else np.arange(1, len(ends[0]) + 1).astype(dtype)
    if dtype is not None and dtype.startswith("float"):
        weights = weights / np.array(3, dtype)
    graph = Graph.from_edges(*ends, weights, directed=directed, num_vertices=6, duplicates="first")
    return graph.with_labels(labels)


def expected(name, suffix, graph):
    """What comes back, and the words of the warning."""
    lost = []
    if name == "adjacency" or suffix == ".sg":
        lost += ["weights"] if graph.weights is not None else []
        graph = graph.with_weights(None)
    if name in ("gap", "networkit"):
        lost += ["labels"] if graph.labels is not None else []
        graph = graph.with_labels(None)
    if name == "networkit" and kind(graph) == np.int32:
        graph = graph.with_weights(graph.edges()[2].astype(np.int64))
    if name == "csv":
        graph, lost = as_csv(graph)
    return graph, lost


def as_csv(graph):
    """A graph by the ids that occur, in ascending order, with weights of 64 bits."""
    lost = []
    if graph.weights is not None:  # whatever float32 looks like, as a number
        texts = [str(weight) for weight in graph.edges()[2]]
        graph = graph.with_weights([(float if "." in text else int)(text) for text in texts])
    labels = graph.labels if graph.labels is not None else Labels.range(0, 6)
    present = np.flatnonzero((graph.degrees() > 0) | (graph.in_degrees() > 0))
    if len(present) < 6:
        lost.append("isolated vertices")
        graph, labels = graph.with_labels(None).subgraph(present), labels.take(present)
    values = labels.values
    if values.dtype == object and str(values[0]).isdigit():
        lost.append("the type of labels")
        values = values.astype(np.int64)
    if labels.dtype == np.uint64:
        lost.append("the type of labels")
    rank = np.argsort(np.argsort(values))
    graph = graph.with_labels(Labels(values)).permute(rank)
    plain = values.dtype != object and np.array_equal(np.sort(values), np.arange(len(values)))
    return graph.with_labels(None) if plain else graph, lost


def refused(name, suffix, graph):
    dtype = None if graph.weights is None else graph.weights.dtype
    if name == "metis":
        return graph.directed or (dtype is not None and dtype.kind == "f")
    if name in ("edges", "adjacency"):
        return graph.labels is not None and graph.labels.dtype == np.uint64
    return suffix == ".wsg" and (dtype is None or dtype.kind == "f")


@pytest.mark.parametrize(("name", "suffix"), FILES)
@pytest.mark.parametrize("labels", LABELS)
def test_round_trip(tmp_path, name, suffix, labels):
    path = tmp_path / f"graph{suffix}"
    for directed, dtype, isolated in product((False, True), DTYPES, (False, True)):
        graph = graph_of(directed, dtype, LABELS[labels], isolated)
        if refused(name, suffix, graph):
            with pytest.raises(ValueError, match="METIS holds|wsg files|cannot hold the label"):
                write(graph, path)
            continue
        wanted, lost = expected(name, suffix, graph)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            write(graph, path)
        told = [str(one.message) for one in caught]
        assert len(told) == bool(lost) and all(word in told[0] for word in lost), (told, lost)
        assert all(any(word in known for known in FORMATS[name].leaves_out) for word in lost)
        if suffix == ".wsg":
            wanted = wanted.with_weights(wanted.edges()[2].astype(np.int32))
        if name == "csv" and labels == "64 bits":
            assert str(2**64 - 1) in read(path, ids="str").labels.values or isolated
            continue
        found = read(path)
        assert same(found, wanted), (directed, dtype, isolated, found, wanted)
        if name == "csv":
            write(graph, path, comment=True)
            assert same(read(path), graph), (directed, dtype, isolated)


def same(found, wanted):
    """Equal in all: arrays, their types, direction, labels; numbers 0 to n - 1 may be none."""
    one, other = (
        graph.with_labels(None)
        if graph.labels is not None and graph.labels.range_start == 0
        else graph
        for graph in (found, wanted)
    )
    return one == other and one.labels == other.labels and kind(one) == kind(other)


def kind(graph):
    return None if graph.weights is None else graph.weights.dtype


@pytest.mark.parametrize(("name", "suffix"), FILES)
@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [None, "int32", "float64"])
def test_graphs_without_edges(tmp_path, name, suffix, n, directed, dtype):
    path = tmp_path / f"graph{suffix}"
    weights = None if dtype is None else np.zeros(0, dtype)
    graph = Graph.from_edges([], [], weights, directed=directed, num_vertices=n)
    if refused(name, suffix, graph):
        pytest.skip("refused")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        write(graph, path)
    found = read(path)
    if name == "csv":
        assert found.num_vertices == found.num_edges == 0
        write(graph, path, comment=True)
        found = read(path)
    assert same(found, expected(name, suffix, graph)[0] if name != "csv" else graph)


@pytest.mark.parametrize(("name", "suffix"), FILES)
def test_labels_of_other_kinds_are_refused(tmp_path, name, suffix):
    graph = Graph.from_edges([0], [1]).with_labels(Labels([(0, 1), (1, 1)]))
    if name in ("gap", "networkit"):
        pytest.skip("labels are left out")
    with pytest.raises(ValueError, match="all integers or all strings"):
        write(graph, tmp_path / f"graph{suffix}")
    assert list(tmp_path.iterdir()) == []
