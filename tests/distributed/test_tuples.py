"""Values that are tuples, on a grid against the one-device engine."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.operators import ARGMIN, advance, propagate
from tests.distributed.grids import EVERY_VARIANT, check, over_vertices, spotted, start, thirds
from tests.distributed.test_operators import GRAPHS
from tests.operators.functions import MIXED, pair_through, triple


@EVERY_VARIANT
def test_tuples(shape, distribution, choice):
    """Pairs (distance, parent)."""

    def work(graph):
        far, first = start(graph, np.inf, 0)
        parent = graph.full(2**31 - 1, np.int32)
        return far, parent, propagate(graph, first, pair_through, (far, parent), reduce=ARGMIN)

    check(work, GRAPHS, shape, distribution, choice)


@pytest.mark.slow
@EVERY_VARIANT
def test_triples(shape, distribution, choice):
    """A sum, a maximum and a minimum at once."""

    def work(graph):
        count = over_vertices(graph, thirds, np.int64)
        least = over_vertices(graph, spotted)
        values = (count, least, over_vertices(graph, lambda ids: ids, np.int32))
        return values, advance(graph, None, triple, values, reduce=MIXED, mode="both")

    check(work, GRAPHS, shape, distribution, choice)
