"""Every way to balance a GPU's work gives the same result; CPU threads refuse to be told."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.balance import STRATEGIES, balanced
from edgewise.operators import ADD, MIN, frontier
from tests.operators.engines import ENGINES, advance, propagate
from tests.operators.graphs import SMALL, random_graph, star

GRAPHS = SMALL | {"hub and more": star(300), "random": random_graph(60, 400, 3)}
EVERY = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
FORCED = pytest.mark.parametrize("strategy", STRATEGIES[1:])


def through(value, weight):
    return value + weight


@EVERY
@FORCED
def test_sums_and_least_paths_are_the_same(engine, graph, strategy):
    if engine is ENGINES["cpu"]:
        pytest.skip("refused on CPU threads, see below")
    values = np.arange(graph.num_vertices, dtype=np.float64)
    found = []
    for name in ("auto", strategy):
        with balanced(name):
            spread, far = values.copy(), graph.full(np.inf)
            advance(graph, None, through, spread, reduce=ADD, direction="push")
            if graph.num_vertices:
                far[0] = 0
                start = frontier(graph, 0)
                propagate(graph, start, through, far, reduce=MIN, direction="push")
            found.append((spread, far))
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.host
@FORCED
def test_cpu_threads_refuse(strategy):
    graph = SMALL["path"]
    with (
        balanced(strategy),
        pytest.raises(ValueError, match=f"balanced..{strategy}.. is for a GPU"),
    ):
        advance(graph, None, through, graph.full(0.0), reduce=ADD)


def test_the_name_is_checked():
    with pytest.raises(ValueError, match="strategy must be one of"), balanced("fair"):
        pass
