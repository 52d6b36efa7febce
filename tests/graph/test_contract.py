"""Contraction against a dict of group pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.graph import Graph, contract

REDUCE = {"sum": sum, "min": min, "max": max}


@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=50),
    st.lists(st.integers(0, 4), min_size=12, max_size=12),
    st.booleans(),
    st.sampled_from(list(REDUCE)),
    st.sampled_from(["float32", "float64", "int32", "int64", None]),
)
def test_agrees_with_a_dict(n, pairs, groups, directed, reduce, dtype):
    ends = np.array(pairs, np.int64).reshape(-1, 2) % n
    weights = None if dtype is None else np.arange(len(pairs)).astype(dtype)
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], weights, directed=directed, num_vertices=n)
    groups = np.array(groups[:n])
    names = sorted(set(groups.tolist()))
    expected: dict[tuple, list] = {}
    sources, targets, weights = graph.edges()
    weights = np.ones(len(sources), int) if weights is None else weights
    for u, v, w in zip(sources, targets, weights, strict=True):
        pair = groups[u], groups[v]
        pair = pair if directed else tuple(sorted(pair))
        expected.setdefault(tuple(map(int, pair)), []).append(w)
    small = contract(graph, groups, reduce=reduce)
    small.validate()
    assert small.directed == directed
    assert small.num_vertices == len(names)
    sources, targets, weights = small.edges()
    found = list(zip(small.label(sources).tolist(), small.label(targets).tolist(), strict=True))
    assert sorted(expected) == sorted(found)
    if dtype is None and reduce != "sum":
        assert weights is None
        return
    assert weights.tolist() == [REDUCE[reduce](expected[pair]) for pair in found]
    if reduce == "sum":
        assert weights.dtype == ("float64" if dtype and dtype.startswith("f") else "int64")
    else:
        assert weights.dtype == dtype


def test_groups_of_any_kind_become_labels():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    small = path.contract(["west", "west", "east", "east"])
    assert small.labels.values.tolist() == ["east", "west"]
    assert small.weights.tolist() == [1, 1, 1, 1]
    assert path.contract([7, 7, 9, 9]).labels.values.tolist() == [7, 9]
    assert path.contract([1, 0, 1, 0]).labels is None


def test_weighted_degree_is_kept():
    rng = np.random.default_rng(2)
    graph = Graph.from_edges(*rng.integers(0, 40, (2, 200)), rng.integers(1, 9, 200))
    groups = rng.integers(0, 6, 40)
    small = graph.contract(groups)
    assert small.weight_summary().total == graph.weight_summary().total


def test_errors():
    graph = Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match=r"one entry per vertex \(2\), got 3"):
        graph.contract([0, 1, 2])
    with pytest.raises(ValueError, match="reduce must be one of 'sum', 'min', 'max', got 'first'"):
        graph.contract([0, 1], reduce="first")


def test_nothing_to_contract():
    assert Graph.from_edges([], []).contract([]).num_vertices == 0
