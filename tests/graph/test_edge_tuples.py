"""Graphs from pairs and triples."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from edgewise.graph import Graph

WANTED = Graph.from_edges([0, 2], [1, 1])
WEIGHTED = Graph.from_edges([0, 2], [1, 1], [0.5, 2.0])


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 1), (2, 1)],
        ((0, 1), (2, 1)),
        [[0, 1], [2, 1]],
        {(0, 1), (2, 1)},
        np.array([[0, 1], [2, 1]]),
        np.array([[0, 1], [2, 1]], np.uint8),
        np.array([[0.0, 1.0], [2.0, 1.0]]),
        np.asfortranarray([[0, 1], [2, 1]]),
        zip([0, 2], [1, 1], strict=True),
        nx.Graph([(0, 1), (2, 1)]).edges,
        list(pd.DataFrame({"a": [0, 2], "b": [1, 1]}).itertuples(index=False)),
    ],
    ids=lambda pairs: type(pairs).__name__,
)
def test_pairs(pairs):
    assert Graph.from_edges(pairs) == WANTED


@pytest.mark.parametrize(
    "triples",
    [
        [(0, 1, 0.5), (2, 1, 2)],
        np.array([[0, 1, 0.5], [2, 1, 2]]),
        np.array([[0, 1, 0.5], [2, 1, 2]], object),
    ],
)
def test_triples(triples):
    assert Graph.from_edges(triples) == WEIGHTED


def test_whole_triples_have_whole_weights():
    assert Graph.from_edges([(0, 1, 3)]).weights.tolist() == [3, 3]
    assert Graph.from_edges(np.array([[0, 1, 3]])).weights.dtype == np.int64


def test_pairs_with_labels_and_options():
    graph = Graph.from_edges([("b", "a"), ("a", "c")], directed=True)
    assert graph.has_edge("b", "a") and not graph.has_edge("a", "b")
    assert Graph.from_edges([(0, 1)], num_vertices=4).num_vertices == 4
    assert Graph.from_edges([(0, 1), (2, 1)], weights=[0.5, 2.0]) == WEIGHTED
    assert Graph.from_edges([(1, "a")]).vertex("a") == 1


def test_no_pairs():
    assert Graph.from_edges([]) == Graph.from_edges([], []) == Graph.from_edges(np.empty((0, 2)))
    assert Graph.from_edges([], num_vertices=3).num_vertices == 3


@pytest.mark.parametrize(
    ("pairs", "error", "said"),
    [
        ([0, 1, 2], TypeError, "got 0 at position 0"),
        (np.array([0, 1, 2]), ValueError, r"got an array of shape \(3,\)"),
        (np.zeros((2, 4), int), ValueError, r"got an array of shape \(2, 4\)"),
        ([(0, 1), (1, 2, 3)], TypeError, r"got \(1, 2, 3\) at position 1"),
        ([(0, 1), 5], TypeError, "got 5 at position 1"),
        (["ab", "cd"], TypeError, "got 'ab' at position 0"),
        ("ab", TypeError, "got 'ab'"),
        ({0: 1}, TypeError, "got {0: 1}"),
        (5, TypeError, "got 5"),
        ([{0, 1}], TypeError, "at position 0"),
        ((np.array([0, 1]), np.array([1, 2])), TypeError, "or sources and targets; got array"),
        (np.array([[0.5, 1.0]]), ValueError, "whole numbers, got 0.5 at position 0"),
        (np.array([[0, np.nan]]), ValueError, "whole numbers, got nan at position 0"),
        (pd.DataFrame({"a": [1]}), TypeError, "Graph.from_pandas"),
    ],
)
def test_what_is_no_pairs(pairs, error, said):
    with pytest.raises(error, match=said):
        Graph.from_edges(pairs)


def test_weights_given_twice():
    with pytest.raises(TypeError, match="weights must be None where edges are triples"):
        Graph.from_edges([(0, 1, 2.0)], weights=[1.0])
