"""What is suggested for graphs of which the study says what they want."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from edgewise import ordering
from edgewise.algorithms.ordering.suggest import nearness
from edgewise.generators import barabasi_albert, grid_2d, urand
from tests.algorithms.ordering.oracles import GRAPHS


def shuffled(graph, seed=1):
    return graph.permute(ordering.random(graph, seed=seed))


@pytest.fixture
def _any_size(monkeypatch):
    """As if nothing were small enough to fit the cache."""
    monkeypatch.setattr(import_module("edgewise.algorithms.ordering.suggest"), "_SMALL", 0)


@pytest.mark.parametrize("name", GRAPHS)
def test_small_graphs_are_left_alone(name):
    assert ordering.suggest(GRAPHS[name]) == "natural"


@pytest.mark.usefixtures("_any_size")
def test_by_kind_of_graph():
    mesh = grid_2d(60, 60)
    assert ordering.suggest(mesh) == "natural", "its gaps are small as it is"
    assert ordering.suggest(shuffled(mesh)) == "reverse_cuthill_mckee"
    assert ordering.suggest(urand(11, seed=1)) == "natural", "there is nothing to find"
    assert ordering.suggest(shuffled(barabasi_albert(4000, 4))) not in ("natural", "auto")


@pytest.mark.usefixtures("_any_size")
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    assert ordering.suggest(GRAPHS[name]) != "auto"


def test_nearness_of_random_orders_is_one():
    for graph in (grid_2d(60, 60), urand(11, seed=1), barabasi_albert(4000, 4)):
        near = np.mean([nearness(shuffled(graph, seed)) for seed in range(3)])
        assert near == pytest.approx(1, abs=0.1)
    assert nearness(grid_2d(60, 60)) < 0.5
