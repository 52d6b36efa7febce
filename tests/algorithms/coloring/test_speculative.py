"""Speculative coloring: proper, near the greedy number of colors, and the same by any schedule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import coloring, generators, threads
from edgewise.algorithms.coloring import priorities
from edgewise.algorithms.coloring.priorities import by_priority
from edgewise.algorithms.coloring.waves_alone import NUM_WAVES, wave_of
from tests.algorithms.coloring.oracles import GRAPHS, is_proper
from tests.algorithms.ordering.oracles import neighborhoods
from tests.algorithms.samples import TEAMS, graphs, shape


@pytest.fixture(autouse=True, scope="module", params=["one thread", "rounds"])
def way(request):
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "rounds":
            patch.setattr(priorities, "FEW_THREADS", 0)
        yield


def in_waves(graph, seed):
    """Wave by wave, round by round, in plain Python; the first wave one vertex after the other."""
    rows, n = neighborhoods(graph), graph.num_vertices
    place = by_priority(graph, "approximate_degeneracy", seed).tolist()
    color, waves = {}, {}
    for v in range(n):
        wave = (place[v] * 16 // n).bit_length()
        waves.setdefault((wave, 0 if wave else place[v]), []).append(v)
    for _, waiting in sorted(waves.items()):
        while waiting:
            choice = {}
            for v in waiting:
                taken = {color[u] for u in rows[v] if u in color}
                choice[v] = next(c for c in range(len(taken) + 1) if c not in taken)
            lost = [v for v in waiting if any(choice.get(u) == choice[v] and place[u] < place[v]
                                              for u in rows[v])]  # fmt: skip
            color |= {v: choice[v] for v in waiting if v not in lost}
            waiting = lost
    return [color[v] for v in range(n)]


@pytest.mark.parametrize("by", ["vertex", "edge"])
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, by):
    graph = GRAPHS[name]
    found = coloring.speculative(graph, by=by, seed=1)
    assert found.tolist() == in_waves(graph, 1) and is_proper(graph, found)
    assert found.dtype == np.int64


@given(graphs(directed=False), st.sampled_from(TEAMS), st.sampled_from(["vertex", "edge"]))
def test_any_graph(graph, team, by):
    with threads(team):
        found = coloring.speculative(graph, by=by)
    assert found.tolist() == in_waves(graph, 0)


def test_waves_are_as_many_as_are_split():
    wave = wave_of.py_func
    assert {wave(place, 100) for place in range(100)} == {*range(NUM_WAVES)}
    assert [wave(place, 3) for place in range(3)] == [0, 3, 4]


@pytest.mark.parametrize(
    "graph",
    [generators.rmat(12, seed=2), generators.grid_2d(60, 60), generators.complete(40)],
    ids=["rmat", "grid", "clique"],
)
def test_few_colors_for_any_number_of_threads(graph):
    found = []
    for by in ("vertex", "edge"):
        for team in (1, 2):
            with threads(team):
                found.append(coloring.speculative(graph, by=by, seed=7))
    assert all((one == found[0]).all() for one in found) and is_proper(graph, found[0])
    assert found[0].num_colors <= 1.1 * coloring.greedy(graph, order="random").num_colors


def test_wrong_arguments():
    with pytest.raises(ValueError, match="speculative needs an undirected graph"):
        coloring.speculative(shape("path", directed=True))
    with pytest.raises(ValueError, match="by must be"):
        coloring.speculative(shape("path"), by="arc")
