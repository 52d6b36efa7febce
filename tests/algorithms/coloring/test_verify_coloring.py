"""Verdicts on colorings against definitions that try all paths and cycles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, coloring, generators, threads
from edgewise.base.errors import DeviceError
from tests.algorithms.coloring.oracles import GRAPHS, breaks
from tests.algorithms.ordering.oracles import neighborhoods
from tests.algorithms.samples import graphs, random_graph, shape
from tests.distributed.grids import on_ranks

KINDS = ["distance_1", "distance_2", "star", "acyclic"]


def check_conflict(graph, colors, kind, conflict):
    """The vertices break the rule: by themselves, without trust in how they were found."""
    rows = [{*row} for row in neighborhoods(graph)]
    used = {colors[v] for v in conflict}
    joined = all(b in rows[a] for a, b in zip(conflict, conflict[1:], strict=False))
    assert len({*conflict}) == len(conflict)
    if len(conflict) == 1:
        assert colors[conflict[0]] < 0
    elif len(conflict) == 2:
        assert joined and len(used) == 1
    elif kind == "distance_2":
        assert joined and len(conflict) == 3 and colors[conflict[0]] == colors[conflict[2]]
    elif kind == "star":
        assert joined and len(conflict) == 4 and len(used) == 2
    else:
        assert kind == "acyclic" and joined and conflict[0] in rows[conflict[-1]]
        assert len(used) == 2 and len(conflict) >= 4


@given(st.data(), graphs(directed=False, most=7), st.sampled_from(KINDS))
def test_any_coloring(data, graph, kind):
    some = st.lists(st.integers(-1 if kind == "star" else 0, 4), min_size=graph.num_vertices,
                    max_size=graph.num_vertices)  # fmt: skip
    colors = data.draw(some)
    valid, num_colors, conflict = coloring.verify_coloring(graph, colors, kind=kind)
    assert valid == (min(colors) >= 0 and not breaks(graph, colors, kind))
    assert num_colors == len({*colors} - {-1}) and valid == (conflict == ())
    if not valid:
        check_conflict(graph, colors, kind, conflict)


@given(st.data(), graphs(directed=False, most=7), st.sampled_from(KINDS[1:]))
def test_proper_colorings(data, graph, kind):
    """Random colors break distance 1 first: these do not."""
    order = data.draw(st.permutations(range(graph.num_vertices)))
    colors = coloring.greedy(graph, order=np.array(order)).tolist()
    valid, _, conflict = coloring.verify_coloring(graph, colors, kind=kind)
    assert valid == (not breaks(graph, colors, kind))
    if not valid:
        check_conflict(graph, colors, kind, conflict)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, kind):
    """All colors differ: valid by every rule. One color: valid without edges alone."""
    graph = GRAPHS[name]
    n = graph.num_vertices
    assert coloring.verify_coloring(graph, np.arange(n), kind=kind) == (True, n, ())
    verdict = coloring.verify_coloring(graph, np.zeros(n, int), kind=kind)
    assert verdict.valid == (not any(neighborhoods(graph)))


def test_the_first_conflict_is_named():
    path = generators.path(6)
    assert coloring.verify_coloring(path, [0, 1, 1, 0, 0, 1]).conflict == (1, 2)
    assert coloring.verify_coloring(path, [0, 1, 2, 1, 0, -1]).conflict == (5,)
    found = coloring.verify_coloring(path, [0, 1, 2, 1, 0, 2], kind="distance_2")
    assert found.conflict == (1, 2, 3)
    cycle = generators.cycle(6)
    found = coloring.verify_coloring(cycle, [0, 1, 0, 1, 0, 1], kind="acyclic")
    assert sorted(found.conflict) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["distance_1", "distance_2"])
def test_grids_and_threads_say_the_same(kind):
    graph = random_graph(80, 160, seed=4)
    for colors in (np.arange(80), np.arange(80) // 2, np.arange(80) % 40, np.arange(80) - 1):
        with threads(1):
            wanted = coloring.verify_coloring(graph, colors, kind=kind)
        found = on_ranks(
            lambda g, c=colors: coloring.verify_coloring(g, c, kind=kind), (2, 3), graph
        )
        assert tuple(found) == wanted == coloring.verify_coloring(graph, colors, kind=kind)


def test_wrong_arguments():
    path = shape("path")
    with pytest.raises(ValueError, match="verify_coloring needs an undirected graph"):
        coloring.verify_coloring(shape("path", directed=True), np.zeros(150, int))
    with pytest.raises(ValueError, match="kind must be"):
        coloring.verify_coloring(path, np.zeros(150, int), kind="distance")
    with pytest.raises(ValueError, match="one entry per vertex"):
        coloring.verify_coloring(path, [0, 1])
    with pytest.raises(TypeError, match="whole numbers"):
        coloring.verify_coloring(path, np.zeros(150))
    with pytest.raises((ValueError, DeviceError), match="grid|host memory"):
        on_ranks(lambda g: coloring.verify_coloring(g, np.arange(150), kind="star"), (1, 2), path)


def test_a_loop_is_no_conflict():
    graph = Graph.from_edges([0, 0, 1], [0, 1, 2])
    assert coloring.verify_coloring(graph, [0, 1, 0]).valid
    assert coloring.verify_coloring(graph, [0, 1, 2], kind="distance_2").valid
