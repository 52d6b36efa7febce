"""`mark_duplicates` on a grid as on one device."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import frontier, mark_duplicates
from tests.distributed.grids import EVERY_VARIANT, check, on_ranks, over_vertices, spotted, thirds
from tests.distributed.test_operators import GRAPHS
from tests.operators.graphs import SMALL


def members_of(graph):
    return frontier(graph, np.flatnonzero(thirds(np.arange(graph.num_vertices))))


@EVERY_VARIANT
def test_mark_duplicates(shape, distribution, choice):
    def work(graph):
        key = over_vertices(graph, lambda ids: ids * 3 % 7 - 1, np.int64)
        rank, out = over_vertices(graph, lambda ids: -spotted(ids)), graph.full(False, bool)
        mark_duplicates(graph, members_of(graph), key, rank=rank, mode="in", out=out)
        return [
            mark_duplicates(graph, None, key),
            mark_duplicates(graph, None, key, rank=rank, closed=True),
            mark_duplicates(graph, members_of(graph), key, closed=True),
            out,
        ]

    check(work, GRAPHS, shape, distribution, choice)


def test_both_directions_of_a_directed_graph_are_refused():
    def work(graph):
        with pytest.raises(ValueError, match='mark_duplicates with mode="both"'):
            mark_duplicates(graph, None, graph.full(0), mode="both")

    on_ranks(work, (2, 2), SMALL["random, directed"])
