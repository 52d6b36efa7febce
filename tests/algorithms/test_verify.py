"""The verifiers themselves: they accept right answers and notice each kind of wrong one."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, Paths
from tests.algorithms.verify import brandes, check_components, check_paths, solved_pagerank

FAR = 2**31 - 1
#: A square 0-1-2-3 with a tail 3-4, and 5 apart.
GRAPH = Graph.from_edges([0, 1, 2, 3, 3], [1, 2, 3, 0, 4], num_vertices=6)
DISTANCE, PARENT = [0, 1, 2, 1, 2, FAR], [0, 0, 1, 0, 3, -1]


def test_a_right_answer_passes():
    check_paths(GRAPH, 0, Paths(np.array(DISTANCE, np.int32), np.array(PARENT)))
    check_paths(GRAPH, 0, Paths(np.array(DISTANCE, np.int32), np.array([0, 0, 3, 0, 3, -1])))


@pytest.mark.parametrize(
    ("distance", "parent"),
    [
        ([0, 1, 2, 1, 3, FAR], PARENT),  # an edge improves it
        ([0, 1, 2, 1, 1, FAR], PARENT),  # too short for its parent
        ([0, 1, 2, 1, FAR, FAR], [0, 0, 1, 0, -1, -1]),  # reachable, not reached
        ([0, 1, 2, 1, 2, 3], [0, 0, 1, 0, 3, 4]),  # reached along no edge
        (DISTANCE, [0, 0, 1, 0, 1, -1]),  # a parent that is no neighbor
        (DISTANCE, [0, 0, 1, 0, -1, -1]),  # reached, but without a parent
        (DISTANCE, [0, 0, 1, 0, 3, 0]),  # a parent, but not reached
        (DISTANCE, [3, 0, 1, 0, 3, -1]),  # the source is not its own parent
        ([1, 1, 2, 1, 2, FAR], PARENT),  # the source is not at zero
    ],
)
def test_wrong_paths_are_noticed(distance, parent):
    with pytest.raises(AssertionError):
        check_paths(GRAPH, 0, Paths(np.array(distance, np.int32), np.array(parent)))


def test_a_ring_of_zero_lengths_is_no_tree():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1.0, 0.0, 0.0])
    distance = np.array([0.0, 1.0, 1.0, 1.0])
    check_paths(graph, 0, Paths(distance, np.array([0, 0, 1, 2])), graph.weights)
    with pytest.raises(AssertionError, match="do not all lead to the source"):
        check_paths(graph, 0, Paths(distance, np.array([0, 0, 3, 2])), graph.weights)


def test_components():
    check_components(GRAPH, np.array([0, 0, 0, 0, 0, 5], np.int32))
    for wrong in ([0, 0, 0, 0, 4, 5], [0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 5]):
        with pytest.raises(AssertionError):
            check_components(GRAPH, np.array(wrong, np.int32))


def test_brandes_and_pagerank_on_a_star():
    star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    vertices, arcs = brandes(star, range(4))
    assert vertices.tolist() == [6, 0, 0, 0]
    assert arcs.tolist() == [3, 3, 3, 3, 3, 3]
    rank = solved_pagerank(star)
    assert rank.sum() == pytest.approx(1) and rank[0] == pytest.approx(0.4797297)
