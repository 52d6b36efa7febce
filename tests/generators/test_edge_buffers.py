"""Edges that are drawn once: chunks that fit no buffer are drawn again, in larger ones."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import generators, threads
from edgewise.generators import edge_buffers


@pytest.mark.parametrize("first", [1, 40, 1 << 15])
@pytest.mark.parametrize("count", [1, 2])
def test_small_buffers_give_the_same_edges(first, count, monkeypatch):
    """Of rows whose lengths differ, too."""
    wanted = np.concatenate([[300.0] * 3, [2.0] * 2000])
    calls = {
        generators.expected_degree: (wanted,),
        generators.waxman: (300,),
        lambda: generators.random_hyperbolic(1000, average_degree=8): (),
    }
    expected = [call(*args) for call, args in calls.items()]
    assert all(graph.num_edges > 500 for graph in expected)
    monkeypatch.setattr(edge_buffers, "_FIRST", first)
    with threads(count):
        assert [call(*args) for call, args in calls.items()] == expected


def test_no_chunks_give_no_edges():
    sources, targets = edge_buffers.drawn_once(None, chunks=0, kind=np.int32, work=0)
    assert len(sources) == len(targets) == 0 and targets.dtype == np.int32
