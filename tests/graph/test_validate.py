"""validate() passes good graphs and names the first violation of each rule."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.graph import CSR, Graph


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: CSR([0, 3, 2, 4], [0, 1, 2, 0], num_columns=3),
            "indptr must not decrease, got 3 then 2 at positions 1, 2",
        ),
        (
            lambda: CSR([0, 1, 2], [0, 2]),
            "indices must lie in 0 to 1, got 2 at position 1",
        ),
        (
            lambda: CSR([0, 1, 2], [-1, 0]),
            "indices must lie in 0 to 1, got -1 at position 0",
        ),
        (
            lambda: Graph([0, 2, 2], [1, 0], directed=True),
            "row 0 must be ascending without repeats, got column 0 after 1 at position 1",
        ),
        (
            lambda: Graph([0, 0, 2], [1, 1], directed=True),
            "row 1 must be ascending without repeats, got column 1 after 1 at position 1",
        ),
        (
            lambda: Graph([0, 1, 1], [1]),
            "both directions, got 0 to 1 but not 1 to 0",
        ),
        (
            lambda: Graph([0, 1, 2], [1, 0], [1.0, 2.0]),
            "equal weights in both directions, got 1.0 from 0 to 1 and 2.0 back",
        ),
        (
            lambda: Graph([0, 1, 2], [1, 0], [np.nan, 2.0]),
            "equal weights in both directions, got nan from 0 to 1",
        ),
    ],
)
def test_each_rule(build, message, team):
    with threads(team), pytest.raises(ValueError, match=message):
        build().validate()


@pytest.mark.parametrize("team", [1, 2, 3])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", None])
def test_good_graphs_pass(team, directed, dtype):
    rng = np.random.default_rng(0)
    weights = None if dtype is None else rng.integers(0, 9, 300).astype(dtype)
    ends = rng.integers(0, 50, (2, 300))
    graph = Graph.from_edges(*ends, weights, directed=directed)
    with threads(team):
        graph.validate()
        graph.transposed.validate()


def test_the_first_of_many_faults_is_named():
    n = 1000
    indices = np.arange(n, dtype=np.int32)
    indices[[400, 900]] = 7  # loops everywhere, but for two arcs without a partner
    for team in (1, 2, 3):
        with threads(team), pytest.raises(ValueError, match="got 400 to 7 but not 7 to 400"):
            Graph(np.arange(n + 1), indices).validate()


def test_nan_equals_nan_and_labels_are_named():
    Graph([0, 1, 2], [1, 0], [np.nan, np.nan]).validate()
    with pytest.raises(ValueError, match="got 'a' to 'b' but not 'b' to 'a'"):
        Graph([0, 1, 1], [1]).with_labels(["a", "b"]).validate()
