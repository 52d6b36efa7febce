"""A graph cut for all ranks at once is the graph."""

from __future__ import annotations

import pytest

from edgewise import generators
from edgewise.distributed.cut import Cut
from edgewise.distributed.grid import Grid
from edgewise.distributed.layout import DISTRIBUTIONS
from edgewise.distributed.rank_threads import run_threads
from tests.distributed.helpers import SHAPES, on_grid, same


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_the_blocks_together_are_the_graph(shape, distribution):
    plain = generators.rmat(6, seed=1)
    for graph in (plain, generators.random_weights(plain), generators.rmat(6, directed=True),
                  generators.empty(3), generators.empty(0)):  # fmt: skip
        cut = Cut(graph, shape, distribution=distribution, seed=5)
        assert all(same(found, graph) for found in on_grid(cut.block, shape))


def test_a_cut_is_for_one_shape():
    cut = Cut(generators.cycle(5), (1, 2))
    with pytest.raises(ValueError, match="is cut for"):
        run_threads(lambda comm: cut.block(Grid(comm, (2, 1))), 2)
