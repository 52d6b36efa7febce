"""Checks at the public door: what passes, and what each error says."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.checks import (
    check_choice,
    check_count,
    check_fraction,
    check_number,
    check_vertex,
)
from edgewise.graph import Graph

GRAPH = Graph.from_edges([0, 1], [1, 2])
EMPTY = Graph.from_edges([], [], num_vertices=0)


@pytest.mark.parametrize("vertex", [0, 2, np.int32(1), np.uint64(2)])
def test_vertex(vertex):
    result = check_vertex(GRAPH, vertex)
    assert result == vertex and type(result) is int


@pytest.mark.parametrize("vertex", [True, np.True_, 1.0, b"a", None, [1]])
def test_vertex_of_the_wrong_type(vertex):
    with pytest.raises(TypeError, match=r"root must be a vertex id .*graph.vertex\(label\)"):
        check_vertex(GRAPH, vertex, "root")


def test_vertex_out_of_range():
    with pytest.raises(ValueError, match="source must be a vertex id from 0 to 2, got 3"):
        check_vertex(GRAPH, 3)
    with pytest.raises(ValueError, match="source must be a vertex id from 0 to 2, got -1"):
        check_vertex(GRAPH, -1)
    with pytest.raises(ValueError, match="source must be a vertex id, but the graph has none"):
        check_vertex(EMPTY, 0)


def test_count():
    assert check_count(np.int64(3), "k") == 3
    assert type(check_count(np.uint8(3), "k")) is int
    assert check_count(0, "k") == 0
    with pytest.raises(ValueError, match="k must be at least 0, got -1"):
        check_count(-1, "k")
    with pytest.raises(ValueError, match="k must be at least 2, got 1"):
        check_count(1, "k", 2)
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="k must be a whole number, got"):
            check_count(wrong, "k")


def test_fraction():
    assert check_fraction(0, "alpha") == 0.0
    assert check_fraction(np.float32(0.5), "alpha") == 0.5
    assert type(check_fraction(1, "alpha")) is float
    for wrong in (-0.1, 1.5, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="alpha must be a number from 0 to 1, got"):
            check_fraction(wrong, "alpha")
    for wrong in ("half", None, [0.5]):
        with pytest.raises(TypeError, match="alpha must be a number from 0 to 1, got"):
            check_fraction(wrong, "alpha")


def test_choice():
    assert check_choice("push", "direction", {"push": 0, "pull": 1}) == "push"
    with pytest.raises(ValueError, match="direction must be one of 'push', 'pull', got 'up'"):
        check_choice("up", "direction", ("push", "pull"))


def test_numbers():
    assert check_number(np.float32(0.5), "tol") == 0.5 and check_number(0, "tol") == 0.0
    for wrong in ("0.5", b"1", None, [1], 1j, object()):
        with pytest.raises(TypeError, match="tol must be a finite number, at least 0, got"):
            check_number(wrong, "tol")
    for wrong in (-1, np.nan, np.inf, 10**400):
        with pytest.raises(ValueError, match="tol must be a finite number, at least 0, got"):
            check_number(wrong, "tol")
    with pytest.raises(ValueError, match="delta must be a finite number, positive, got 0"):
        check_number(0, "delta", positive=True)


def test_counts_with_an_upper_limit():
    assert check_count(5, "b", most=5) == 5
    with pytest.raises(ValueError, match="b must be at most 5, got 6"):
        check_count(6, "b", most=5)


def test_fractions_that_are_none():
    with pytest.raises(TypeError, match="alpha must be a number from 0 to 1, got '0.5'"):
        check_fraction("0.5", "alpha")
    with pytest.raises(ValueError, match="alpha must be a number from 0 to 1, got 1000"):
        check_fraction(10**400, "alpha")
