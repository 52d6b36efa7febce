"""`gorder`: at every step nobody has more in common with the window than who is placed."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import generators, ordering
from edgewise.base.errors import DeviceError
from tests.algorithms.ordering.oracles import GRAPHS, is_order, mixed_blocks, neighborhoods, runs
from tests.algorithms.samples import graphs

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def check(graph, window=5):
    order = ordering.gorder(graph, window=window)
    assert is_order(graph, order)
    rows = [set(row) for row in neighborhoods(graph)]
    few = {v for v, row in enumerate(rows) if len(row) <= isqrt(len(rows))}
    listed = np.argsort(order).tolist()
    for i, v in enumerate(listed):
        last = listed[max(0, i - window) : i]
        score = {u: sum((x in rows[u]) + len(rows[u] & rows[x] & few) for x in last)
                 for u in listed[i:]}  # fmt: skip
        assert score[v] == max(score.values())


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    check(GRAPHS[name])


@given(graphs(), st.integers(1, 6))
def test_any_graph(graph, window):
    check(graph, window)


def test_a_window_wider_than_the_graph_takes_no_more_room():
    mesh = generators.grid_2d(8, 8)
    whole = ordering.gorder(mesh, window=64)
    assert np.array_equal(ordering.gorder(mesh, window=2**62), whole)


def test_planted_blocks_are_nearly_whole():
    graph, block = mixed_blocks()
    assert runs(ordering.gorder(graph), block) <= 60, "of 300 in a random order"


def test_a_shuffled_mesh_is_near_again():
    mesh = generators.grid_2d(60, 60)
    mesh = mesh.permute(ordering.random_order(mesh, seed=1))
    assert ordering.log_gap(mesh, ordering.gorder(mesh)) < 0.5 * ordering.log_gap(mesh)


def test_errors():
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        ordering.gorder(GRAPHS["path"], window=0)

    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(DeviceError, match="gorder needs a graph in host memory"):
        ordering.gorder(Elsewhere())
