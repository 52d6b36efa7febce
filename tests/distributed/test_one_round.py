"""One round on a grid: it reads values from before, and of an edge's arcs the one that it takes."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.distributed.arrays import ArcArray
from edgewise.generators import rmat
from edgewise.operators import ADD, MIN, advance, frontier, propagate, reduce_neighbors
from tests.distributed.grids import check, over_vertices, spotted
from tests.operators.functions import through
from tests.tiers import later

GRAPHS = [rmat(5, seed=3), rmat(5, seed=4, directed=True)]


def by_arc(graph):
    """An array over arcs that differs between the two arcs of an edge."""
    if graph.engine == "local":
        u, v, _ = graph.arcs()
    else:
        u, v = graph.ids[graph.row_of_arcs()], graph.ids[graph.block.indices]
    numbers = (5 * u.astype(np.int64) + 3 * v) % 7 + 1.0
    return numbers if graph.engine == "local" else ArcArray(graph, numbers)


def some(graph, everyone):
    return None if everyone else frontier(graph, np.arange(0, graph.num_vertices, 3))


@pytest.mark.parametrize("direction", ["push", "pull"])
@pytest.mark.parametrize("mode", ["out", "in", "both"])
@pytest.mark.parametrize("everyone", [True, later(False)])
def test_the_arc_that_a_message_takes_has_its_weight(mode, direction, everyone):
    def work(graph):
        found = []
        for operator, reduce in [(advance, MIN), (advance, ADD), (propagate, MIN)]:
            values = over_vertices(graph, spotted)
            operator(graph, some(graph, everyone), through, values, reduce=reduce, mode=mode,
                     weights=by_arc(graph), direction=direction)  # fmt: skip
            found.append(values)
        return found

    check(work, GRAPHS, (2, 3))


@pytest.mark.parametrize("mode", ["out", "in", "both"])
@pytest.mark.parametrize("everyone", [True, later(False)])
def test_neighbors_are_read_along_their_own_arcs(mode, everyone):
    def work(graph):
        values, weights = over_vertices(graph, spotted), by_arc(graph)
        return reduce_neighbors(graph, some(graph, everyone), through, values, reduce=MIN,
                                mode=mode, weights=weights)  # fmt: skip

    check(work, GRAPHS, (2, 3))


def one_less(own):
    return own - 1


def less(value, own, weight):
    return own - value % 2 - weight


def less_for_some(value, own, target):
    return own - value % 2 - target % 3


@pytest.mark.parametrize("message", [one_less, less, less_for_some])
@pytest.mark.parametrize("mode", ["out", "both"])
@pytest.mark.parametrize("everyone", [True, later(False)])
@pytest.mark.parametrize("direction", ["push", "pull"])
def test_own_values_are_those_from_before(message, mode, everyone, direction):
    """Each message that reads what another has changed would go one further down."""

    def work(graph):
        values = over_vertices(graph, spotted)
        weights = by_arc(graph) if message is less else "weight"
        changed = advance(graph, some(graph, everyone), message, values, reduce=MIN, mode=mode,
                          weights=weights, direction=direction)  # fmt: skip
        return values, changed

    check(work, GRAPHS, (2, 2))
