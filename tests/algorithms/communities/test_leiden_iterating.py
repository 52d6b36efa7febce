"""An iteration of Leiden: communities come apart where that gains, and the gain is counted."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import threads
from edgewise.algorithms.communities.hierarchy import Moved, first_level, weighed
from edgewise.algorithms.communities.iterating import _leave
from edgewise.algorithms.communities.moving import Rules
from edgewise.communities import modularity
from tests.algorithms.samples import random_graph


@pytest.mark.parametrize("directed", [False, True])
def test_leaving_gains_what_it_says(directed):
    graph = random_graph(60, 240, directed=directed).without_self_loops()
    level = first_level(graph.with_weights(np.ones(graph.num_edges)), "weight")
    mass, ways = float(level.masses[0].sum()), len(level.masses)
    rules = Rules(2.0 / mass, (3 - ways) / mass, 1e-5)
    label = np.arange(60, dtype=level.graph.id_dtype) % 2
    before = modularity(graph, label, resolution=2.0)
    with threads(1):  # moves at the same time gain less than each of them
        found = _leave(level, Moved(label, weighed(level, label), 0.0), rules)
    after = modularity(graph, found.label, resolution=2.0)
    assert len(np.unique(found.label)) > 2 and after > before
    assert found.gain == pytest.approx(after - before)
    known = weighed(level, found.label)
    assert all(np.allclose(one, two) for one, two in zip(found.sums, known, strict=True))
    # Nobody who is left would gain by leaving.
    again = _leave(level, Moved(found.label.copy(), known, 0.0), rules)
    assert again.label.tolist() == found.label.tolist()
