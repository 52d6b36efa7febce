"""Moves in place: sums stay those of communities, gains are gains, by one kernel or operators."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Trace, observe, threads
from edgewise.algorithms.communities.hierarchy import first_level, start, weighed
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.communities.refining import refined
from edgewise.communities import leiden, louvain, modularity
from edgewise.operators import engines
from tests.algorithms.samples import TEAMS, random_graph

GRAPHS = {
    "plain": random_graph(3000, 12_000, seed=1).without_self_loops(),
    "directed": random_graph(3000, 12_000, directed=True, seed=2),
}


@pytest.fixture(params=["one kernel", pytest.param("operators", marks=pytest.mark.slow)])
def way(request, monkeypatch):
    """The operators run where an engine has no kernel for all."""
    if request.param == "operators":
        monkeypatch.setattr(engines, "_kernel_of", lambda package, algorithm: None)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_sums_and_gains(name, team, way):
    level = first_level(GRAPHS[name], "weight")
    mass, ways = float(level.masses[0].sum()), len(level.masses)
    rules = Rules(1 / mass, (3 - ways) / mass, 1e-6)
    with threads(team):
        at = move(level, start(level), rules)
    for found, expected in zip(at.sums, weighed(level, at.label), strict=True):
        assert found.tolist() == expected.tolist(), "whole numbers: no move is lost"
    alone = np.arange(level.size)
    gain = modularity(GRAPHS[name], at.label) - modularity(GRAPHS[name], alone)
    assert gain == pytest.approx(at.gain, abs=1e-9 if team == 1 else 0.02) and gain > 0.1


def test_who_has_no_reason_stays(way):
    level = first_level(GRAPHS["plain"], "weight")
    rules = Rules(1 / float(level.masses[0].sum()), 1.0)
    at = move(level, start(level), rules, np.zeros(level.size, np.int8))
    assert at.gain == 0 and at.label.tolist() == list(range(level.size))


def test_groups_lie_inside_communities(way):
    level = first_level(GRAPHS["plain"], "weight")
    label, rate = np.arange(level.size) % 7, 1 / float(level.masses[0].sum())
    for theta in (0.0, 0.01, 5.0):
        groups = refined(level, label, rate, theta, 1)
        assert (label[groups.label] == label).all()
        assert groups.sums[0].tolist() == weighed(level, groups.label)[0].tolist()
        assert len(np.unique(groups.label)) < 0.9 * level.size


@pytest.mark.slow
def test_observers_hear_every_pass():
    graph = GRAPHS["plain"]
    with observe(Trace()) as trace:
        heard = louvain(graph)
    assert {one["phase"] for one in trace.rows} >= {"move"}
    assert modularity(graph, heard) == pytest.approx(modularity(graph, louvain(graph)), abs=0.02)


@pytest.mark.slow
def test_as_good_by_operators(monkeypatch):
    graph = GRAPHS["plain"]
    fused = [modularity(graph, find(graph)) for find in (louvain, leiden)]
    monkeypatch.setattr(engines, "_kernel_of", lambda package, algorithm: None)
    plain = [modularity(graph, find(graph)) for find in (louvain, leiden)]
    assert plain == pytest.approx(fused, abs=0.02)
