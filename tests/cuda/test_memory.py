"""What does not fit on the GPU is refused before any work, with what is needed and what is free."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.generators import rmat
from edgewise.graph import Graph
from edgewise.operators import ADD, MIN, frontier, intersect, propagate, reduce_neighbors, unwind
from tests.operators.engines import no_gpu
from tests.operators.functions import pass_on, through

GRAPH = rmat(10, directed=True, seed=1)


@pytest.fixture
def there(monkeypatch, left):
    """A graph and state on the GPU, and so many bytes ``left`` for all that follows."""
    if reason := no_gpu():
        pytest.skip(reason)
    import cupy

    monkeypatch.setattr("edgewise.operators.cuda.state.LARGE", 0)
    pool, graph = cupy.get_default_memory_pool(), GRAPH.to("cuda")
    values = cupy.zeros(graph.num_vertices)
    depths = cupy.zeros(graph.num_vertices, np.int32)
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + left)
    yield graph, values, depths
    pool.set_limit(size=0)


def search(graph, values, depths):
    propagate(graph, frontier(graph, 0), through, values, reduce=MIN, priority=1.0)


def group(graph, values, depths):
    key = graph.xp.arange(graph.num_vertices)
    reduce_neighbors(graph, None, pass_on, values, reduce=ADD, key=key, mode="out")


def build(graph, values, depths):
    Graph.from_edges(graph.indices, graph.indices, num_vertices=graph.num_vertices)


def go_back(graph, values, depths):
    unwind(graph, depths, pass_on, values, reduce=ADD)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("what", "left", "call"),
    [
        ("the graph", 1 << 15, lambda *there: GRAPH.copy().to("cuda")),
        ("building the graph", 1 << 15, build),
        ("the order of the arcs by target", 1 << 15, lambda graph, *rest: graph.transposed),
        ("propagate with priority", 1 << 15, search),
        ("unwind", 1 << 12, go_back),
        ("reduce_neighbors with key", 1 << 18, group),
        ("intersect", 1 << 15, lambda graph, *rest: intersect(graph)),
    ],
)
def test_what_does_not_fit_is_refused(there, what, left, call):
    reason = rf"^{what} needs \d+\.\d\d GiB on the GPU, and \d+\.\d\d GiB are free$"
    with pytest.raises(MemoryError, match=reason):
        call(*there)
