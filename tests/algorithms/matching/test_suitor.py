"""`suitor` under stress: long chains of annulments, and teams that outbid each other."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.algorithms.matching import greedy, locally_dominant, suitor
from edgewise.graph import Graph
from tests.algorithms.samples import TEAMS


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("backward", [False, True])
def test_annulments_along_a_path(team, backward):
    """Each proposal annuls the next, all along the path."""
    n = 20_000
    weights = np.arange(1.0, n)
    graph = Graph.from_edges(
        np.arange(n - 1), np.arange(1, n), weights[::-1] if backward else weights
    )
    with ew.threads(team):
        assert suitor(graph).mate.tolist() == (np.arange(n) ^ 1).tolist()


@pytest.mark.parametrize("team", [2, 3, 8])
def test_everybody_wants_the_same_few(team):
    """Proposals meet at few vertices; the best must win, whoever comes first."""
    rng = np.random.default_rng(team)
    for turn in range(20):
        few, many = 5, 4000
        u, v = np.repeat(np.arange(few), many), np.tile(np.arange(few, few + many), few)
        weights = rng.integers(1, 50 if turn % 2 else 1 << 40, few * many).astype(np.float64)
        graph = Graph.from_edges(u, v, weights)
        with ew.threads(team):
            found = suitor(graph)
        assert found.cardinality == few
        with ew.threads(1):
            assert found.mate.tolist() == locally_dominant(graph).mate.tolist()


@pytest.mark.parametrize("team", [1, 3])
def test_hubs_wait_for_the_next_round(team):
    """Rows too long to be followed at once, and two in pieces: hubs lose, and ask again."""
    leaves = 70_000
    middle = np.arange(40, leaves + 40)
    u = np.concatenate([np.repeat([0, 1], leaves), np.repeat(np.arange(2, 40), 400)])
    v = np.concatenate([middle, middle, np.tile(middle[:400], 38)])
    for weights in (1.0 + (u + v) % 1000, 1.0 + (u * 7 + v * 13) % 7):
        graph = Graph.from_edges(u, v, weights)
        with ew.threads(team):
            assert suitor(graph).mate.tolist() == greedy(graph).mate.tolist()
