"""Gaps and spans of graphs for which they are known; against definitions: test_arrangement.py."""

from __future__ import annotations

import math

from edgewise import ordering
from edgewise.generators import complete, path
from edgewise.graph import Graph


def test_a_path_has_gaps_of_two():
    graph = path(10)
    assert ordering.linear_gap(graph) == 2 * 8 == ordering.log_gap(graph) * 2


def test_a_vertex_is_not_in_its_own_neighborhood():
    """Rows of a complete graph miss the diagonal; a loop does not fill the gap."""
    graph = complete(6)
    sources, targets, _ = graph.arcs()
    looped = Graph.from_edges([*sources, *range(6)], [*targets, *range(6)], directed=True)
    assert ordering.log_gap(graph) == ordering.log_gap(looped) == 4
    assert ordering.linear_gap(graph) == ordering.linear_gap(looped) == 2 * 4 + 4 * 5


def test_powers_of_two():
    graph = Graph.from_edges([0] * 5, [1, 2, 4, 8, 16])
    assert ordering.linear_gap(graph) == 15
    assert ordering.log_gap(graph) == math.log2(1 * 2 * 4 * 8)
