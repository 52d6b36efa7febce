"""`Graph.updated` against a dictionary of edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph

N = 7
ENDS = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1))
BATCH = st.lists(st.tuples(ENDS, st.integers(1, 9)), max_size=12)
COMBINE = {
    "last": lambda old, new: new,
    "first": lambda old, new: old,
    "sum": lambda old, new: old + new,
    "min": min,
    "max": max,
}


def key(ends, directed):
    return ends if directed or ends[0] <= ends[1] else ends[::-1]


def columns(batch):
    """Sources, targets and weights of a list of ((u, v), weight)."""
    us, vs = [ends[0] for ends, _ in batch], [ends[1] for ends, _ in batch]
    return np.array(us, int), np.array(vs, int), np.array([float(w) for _, w in batch])


def as_dict(graph):
    us, vs, ws = graph.edges()
    ws = np.ones(len(us)) if ws is None else ws
    return {(int(u), int(v)): float(w) for u, v, w in zip(us, vs, ws, strict=True)}


@given(BATCH, BATCH, st.lists(ENDS, max_size=12), st.booleans(), st.sampled_from([*COMBINE]))
def test_updates_are_those_of_a_dictionary(start, add, remove, directed, duplicates):
    graph = Graph.from_edges(*columns(start), directed=directed, num_vertices=N, duplicates="max")
    expected = as_dict(graph)
    for ends in remove:
        expected.pop(key(ends, directed), None)
    batch = {}
    for ends, weight in add:
        at = key(ends, directed)
        batch[at] = COMBINE[duplicates](batch[at], weight) if at in batch else weight
    for at, weight in batch.items():
        expected[at] = COMBINE[duplicates](expected[at], weight) if at in expected else weight
    before = graph.copy()
    gone = np.array(remove, int).reshape(-1, 2)
    later = graph.updated(columns(add), (gone[:, 0], gone[:, 1]), duplicates=duplicates)
    later.validate()
    assert as_dict(later) == expected
    assert graph == before


@pytest.mark.parametrize("directed", [False, True])
def test_unweighted_graphs(directed):
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 2, 0], directed=directed)
    later = graph.updated(add=([0, 2], [2, 2]), remove=([1, 3], [2, 3]))
    later.validate()
    assert as_dict(later).keys() == (as_dict(graph).keys() | {(0, 2)}) - {(1, 2)}
    assert later.weights is None and later.directed is directed


def test_nothing_to_do():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    assert graph.updated() == graph
    assert graph.updated(add=([], [], []), remove=([], [])) == graph
    empty = Graph.from_edges([], [], num_vertices=0)
    assert empty.updated().num_vertices == 0
    assert empty.updated(add=([0], [3])).num_vertices == 4


def test_new_vertices_and_labels():
    graph = Graph.from_edges(["b", "a"], ["a", "c"])
    later = graph.updated(add=(["z", "a"], ["b", "y"]), remove=(["a"], ["b"]))
    later.validate()
    assert later.labels.values.tolist() == ["a", "b", "c", "y", "z"]
    assert later.has_edge("z", "b") and later.has_edge("y", "a") and not later.has_edge("a", "b")
    assert graph.updated(remove=(["q"], ["a"])) == graph
    numbered = Graph.from_edges([10, 20], [20, 30], labels=True)
    grown = numbered.updated(add=([5], [30]), labels=True)
    assert grown.labels.values.tolist() == [10, 20, 30, 5]
    assert grown.has_edge(grown.vertex(5), grown.vertex(30))
    with pytest.raises(ValueError, match="labels for new vertices"):
        numbered.updated(add=([0], [3]))


def test_weights_are_checked_and_widened():
    weighted, plain = Graph.from_edges([0], [1], [2]), Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match="add has no weights, but the graph has weights"):
        weighted.updated(add=([1], [2]))
    with pytest.raises(ValueError, match="add has weights, but the graph has no weights"):
        plain.updated(add=([1], [2], [1.0]))
    assert weighted.updated(add=([1], [2], [0.5])).weights.dtype == np.float64
    large = Graph.from_edges([0], [1], np.array([2**62]))
    with pytest.raises(ValueError, match="beyond int64"):
        large.updated(add=([1], [0], [2**62]), duplicates="sum")


def test_bad_batches():
    graph = Graph.from_edges([0], [1])
    with pytest.raises(TypeError, match="add must be"):
        graph.updated(add=[1])
    with pytest.raises(TypeError, match="remove must be"):
        graph.updated(remove=([0], [1], [2.0]))
    with pytest.raises(ValueError, match="equally long"):
        graph.updated(add=([0, 1], [1]))
    with pytest.raises(ValueError, match="negative"):
        graph.updated(add=([-1], [1]))
    with pytest.raises(ValueError, match="exists already"):
        graph.updated(add=([1], [0]), duplicates="raise")
    with pytest.raises(ValueError, match="does not exist"):
        graph.updated(remove=([1], [1]), missing="raise")
    with pytest.raises(ValueError, match="missing='raise'"):
        graph.updated(remove=([1], [9]), missing="raise")
    with pytest.raises(ValueError, match="duplicates must be one of"):
        graph.updated(duplicates="mean")
    with pytest.raises(TypeError, match="without labels"):
        graph.updated(add=(["a"], ["b"]))
    assert graph.updated(add=([0], [1]), remove=([0], [1]), duplicates="raise") == graph


def test_columns_stay_with_their_edges():
    graph = Graph.from_edges([0, 1], [1, 2], edge_columns={"year": [1999, 2004]})
    graph = graph.with_columns(vertices={"name": ["x", "y", "z"]})
    plain = graph.updated(add=([0], [3]), remove=([2], [1]))
    assert plain.columns.edges.column("year").to_pylist() == [1999, None]
    assert plain.vertices["name"].tolist() == ["x", "y", "z", None]
    years = {"year": [2020, 2021]}
    later = graph.updated(add=([0, 1], [3, 0]), edge_columns=years)
    assert later.columns.edges.column("year").to_pylist() == [2021, 2020, 2004]
    first = graph.updated(add=([0, 1], [3, 0]), edge_columns=years, duplicates="first")
    assert first.columns.edges.column("year").to_pylist() == [1999, 2020, 2004]
    again = graph.updated(add=([0], [1]), remove=([1], [0]))
    assert again.columns.edges.column("year").to_pylist() == [None, 2004]
    with pytest.raises(TypeError, match="edge_columns must hold int64"):
        graph.updated(add=([0], [2]), edge_columns={"year": ["soon"]})
    with pytest.raises(ValueError, match="one entry per edge"):
        graph.updated(add=([0], [2]), edge_columns={"year": [1, 2]})


@pytest.mark.parametrize("directed", [False, True])
def test_a_batch_may_hold_an_edge_twice_or_not(directed):
    graph = Graph.from_edges([0], [1], num_vertices=4, directed=directed)
    twice = ([1, 2, 1], [2, 3, 2]) if directed else ([1, 2, 2], [2, 3, 1])
    assert graph.updated(twice).num_edges == 3
    assert graph.updated(remove=([0, 0], [1, 1])).num_edges == 0
    with pytest.raises(ValueError, match=r"duplicate|twice|several"):
        graph.updated(twice, duplicates="raise")
