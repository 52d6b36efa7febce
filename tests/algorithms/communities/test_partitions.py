"""`louvain_partitions`, `leiden_partitions`: the last level is what `louvain`, `leiden` return.

What the levels are is tested beside these two.
"""

from __future__ import annotations

import pytest

from edgewise import Graph, generators
from edgewise.communities import (
    Communities,
    leiden,
    leiden_partitions,
    louvain,
    louvain_partitions,
    modularity,
)

PAIRS = [(louvain, louvain_partitions), (leiden, leiden_partitions)]


@pytest.mark.parametrize(("last", "every"), PAIRS)
def test_the_last_level_is_the_answer(last, every):
    graph = generators.planted_partition(8, 40, p_in=0.3, p_out=0.01, seed=1).graph
    options = {"deterministic": True, "seed": 3, "resolution": 1.2}
    levels, quality = every(graph, **options)
    assert levels[-1].tolist() == last(graph, **options).tolist()
    assert len(levels) == len(quality) > 1
    for level, rated in zip(levels, quality, strict=True):
        assert isinstance(level, Communities)
        assert rated == pytest.approx(modularity(graph, level, resolution=1.2))


@pytest.mark.parametrize("every", [louvain_partitions, leiden_partitions])
def test_without_edges_there_is_one_level(every):
    levels, quality = every(Graph.from_edges([], [], num_vertices=3))
    assert [level.tolist() for level in levels] == [[0, 1, 2]] and quality == [0.0]


def test_arguments_are_checked():
    graph = generators.cycle(5)
    with pytest.raises(ValueError, match="max_level must be at least 1, got 0"):
        louvain_partitions(graph, max_level=0)
    with pytest.raises(ValueError, match="max_iter must be at least 1, got 0"):
        leiden_partitions(graph, max_iter=0)
