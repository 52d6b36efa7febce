"""Arrays over edges have one entry per edge, in the order of `Graph.edges`, in public functions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs, arcs_of, per_edge
from tests.algorithms.samples import graphs

#: A triangle with a tail and a loop: edges 0-1, 0-2, 1-2, 2-3, 3-3.
TAIL = Graph.from_edges([0, 1, 2, 2, 3], [1, 2, 0, 3, 3])


def _with_loops():
    """A connected graph given with loops, and some edges twice, in both directions."""
    draw = np.random.default_rng(5)
    ring = np.arange(24)
    us = np.r_[draw.integers(0, 24, 40), ring, ring[:4]]
    vs = np.r_[draw.integers(0, 24, 40), (ring + 1) % 24, ring[:4]]
    return Graph.from_edges(np.r_[us, vs[:9]], np.r_[vs, us[:9]], draw.random(len(us) + 9))


LOOPS = _with_loops()
PLAIN = LOOPS.with_weights(None)
NEEDED = {"source": 0, "target": 1, "sources": [0], "seeds": [0], "b": 1, "k": 1,
          "communities": np.arange(24) // 5, "members": np.arange(24) < 5}  # fmt: skip


def _given(row):
    return {need: NEEDED[need] for need in row.needs if need in NEEDED}


@given(graphs())
def test_the_two_maps(graph):
    sources, targets, _ = graph.edges()
    u, v, _ = graph.arcs()
    assert u[graph.edge_to_arc].tolist() == sources.tolist()
    assert v[graph.edge_to_arc].tolist() == targets.tolist()
    assert graph.arc_to_edge[graph.edge_to_arc].tolist() == list(range(graph.num_edges))
    ends = [sources[graph.arc_to_edge], targets[graph.arc_to_edge]]
    if graph.directed:
        assert np.array_equal(ends, [u, v])
    else:
        assert np.array_equal(ends, [np.minimum(u, v), np.maximum(u, v)])
    assert not graph.arc_to_edge.flags.writeable and not graph.edge_to_arc.flags.writeable


def test_both_ways():
    values = np.arange(5.0)
    there = arcs_of(TAIL, values, "weights")
    assert per_edge(TAIL, there).tolist() == values.tolist()
    assert there.tolist() == there[TAIL.reverse_arc].tolist()
    assert arcs_of(TAIL, Arcs(there), "weights") is there
    for other in (None, "weight", 0.5, np.float32(0.5), np.array(0.5)):
        assert arcs_of(TAIL, other, "probability") is other
    directed = Graph.from_edges([0], [1], directed=True)
    assert arcs_of(directed, values, "weights") is values


def test_what_is_known_is_kept_with_other_weights():
    TAIL.arc_to_edge  # noqa: B018
    other = TAIL.with_weights(np.arange(5.0))
    assert other.arc_to_edge is TAIL.arc_to_edge and other.edges()[2].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "name", [name for name, row in ALGORITHMS.items() if row.returns == "edges"]
)
def test_results_over_edges(name):
    found = ALGORITHMS[name].load()(TAIL)
    assert found.shape == (TAIL.num_edges,)
    frame = TAIL.table(found, kind="edges")
    assert frame["value"].tolist() == found.tolist()
    assert frame["source"].tolist() == TAIL.edges()[0].tolist()


def _rows(*returns):
    return [name for name, row in ALGORITHMS.items() if row.returns in returns]


def _by_ends(graph, values, names=None):
    """What each edge has, by its two ends, under other names if wanted."""
    ends = np.stack(graph.edges()[:2])
    ends = np.sort(ends if names is None else names[ends], axis=0)
    return {tuple(pair): value for pair, value in zip(ends.T.tolist(), values, strict=True)}


@pytest.mark.parametrize("name", _rows("edges"))
def test_every_edge_has_its_own_value(name):
    """Named otherwise, so that edges come in another order, the same pairs have the same values."""
    function, graph = ALGORITHMS[name].load(), LOOPS
    new_ids = np.random.default_rng(3).permutation(graph.num_vertices)
    other = graph.permute(new_ids)
    here, there = function(graph), function(other)
    assert here.shape == there.shape == (graph.num_edges,) and graph.num_edges < graph.num_arcs
    if name == "biconnected_components":  # the first edge of a component names it
        here, there = (_first_ends(*pair) for pair in ((graph, here), (other, there)))
        assert set(here.values()) == {
            frozenset(tuple(sorted(new_ids.argsort()[[*pair]])) for pair in block)
            for block in there.values()
        }
        return
    here, there = _by_ends(graph, here, new_ids), _by_ends(other, there)
    assert here.keys() == there.keys()
    np.testing.assert_allclose([*here.values()], [there[ends] for ends in here], rtol=1e-12)


def _first_ends(graph, labels):
    """The edges of every component, by its name."""
    ends = [*zip(*(side.tolist() for side in graph.edges()[:2]), strict=True)]
    blocks = {}
    for e, label in enumerate(labels.tolist()):
        blocks.setdefault(label, set()).add(ends[e])
    assert all(label < 0 or ends[label] in block for label, block in blocks.items())
    return {label: frozenset(block) for label, block in blocks.items()}


@pytest.mark.parametrize("name", _rows("selection"))
def test_every_selection_names_edges(name):
    sources, targets, lengths = LOOPS.edges()
    row = ALGORITHMS[name]
    found = row.load()(LOOPS, **_given(row))
    assert (np.diff(found.edges) > 0).all() and found.edges[-1] < LOOPS.num_edges
    assert found.cardinality == len(found.edges) and (sources != targets)[found.edges].all()
    assert lengths[found.edges].sum() == pytest.approx(found.weight)


def test_a_flow_runs_along_edges():
    sources, targets, capacity = LOOPS.edges()
    found = ew.maximum_flow(LOOPS, 0, 20)
    assert found.flow.shape == (LOOPS.num_edges,) and (abs(found.flow) <= capacity).all()
    gained = np.bincount(targets, found.flow, 24) - np.bincount(sources, found.flow, 24)
    wanted = np.zeros(24)
    wanted[[0, 20]] = -found.value, found.value
    np.testing.assert_allclose(gained, wanted, atol=1e-9)
    cut = found.side[sources] != found.side[targets]
    assert capacity[cut].sum() == pytest.approx(found.value)


WEIGHTED = [name for name, row in ALGORITHMS.items() if "weights" in row.needs]
PROBABLE = [name for name in ALGORITHMS if name.startswith("influence.")]


@pytest.mark.parametrize("name", WEIGHTED + PROBABLE)
def test_arrays_over_arcs_are_refused_everywhere(name):
    row, argument = ALGORITHMS[name], "weights" if name in WEIGHTED else "probability"
    wanted = rf"{argument} must have one entry per edge \({LOOPS.num_edges}\), in the order of"
    with pytest.raises(ValueError, match=wanted):
        row.load()(LOOPS, **_given(row), **{argument: np.full(LOOPS.num_arcs, 0.5)})


@pytest.mark.parametrize(
    "name",
    ["pagerank", "sssp", "minimum_spanning_tree", "matching.suitor", "matching.b_suitor",
     "communities.modularity"],
)  # fmt: skip
def test_an_array_over_edges_is_as_the_graphs_own(name):
    row, lengths = ALGORITHMS[name], LOOPS.edges()[2]
    own = row.load()(LOOPS, **_given(row))
    array = row.load()(PLAIN, **_given(row), weights=lengths)
    many = isinstance(own, tuple)
    for one, other in zip(own, array, strict=True) if many else [(own, array)]:
        # one thread and several add in another order; which of them is chosen depends on the load
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=0)


def test_masks_and_choices_pick_edges():
    sources, targets, _ = TAIL.edges()
    bridge = ew.bridges(TAIL)
    assert (sources[bridge].tolist(), targets[bridge].tolist()) == ([2], [3])
    tree = ew.minimum_spanning_tree(TAIL, weights=[9, 1, 2, 3, 0])
    assert list(zip(sources[tree.edges], targets[tree.edges], strict=True)) == [
        (0, 2), (1, 2), (2, 3)]  # fmt: skip
    assert tree.weight == 6
    chosen = ew.matching.b_suitor(TAIL, 1, weights=[1.0, 5.0, 1.0, 2.0, 9.0])
    assert chosen.edges.tolist() == [1] and chosen.weight == 5
    flow = ew.maximum_flow(TAIL, 3, 0, weights=[4, 1, 2, 3, 7])
    assert flow.value == 3 and flow.flow.tolist() == [-2, -1, -2, -3, 0]


def test_arcs_are_refused_by_name():
    with pytest.raises(ValueError, match=r"per edge \(5\), in the order of .* got 9, one per arc;"):
        ew.pagerank(TAIL, weights=np.ones(9))
    with pytest.raises(
        ValueError, match=r"probability must have one entry per edge \(5\), .* got 2$"
    ):
        ew.influence.simulate(TAIL, 0, probability=[0.5, 0.5])
    with pytest.raises(ValueError, match=r"weights must have one entry per arc \(9\), got 5"):
        ew.advance(TAIL, None, lambda weight: weight, TAIL.full(0.0), reduce=ew.ADD,
                   weights=np.ones(5))  # fmt: skip


def test_errors_name_the_edge():
    with pytest.raises(ValueError, match=r"got -1.0 on edge 3 \(2 - 3\)"):
        ew.hits(TAIL, weights=[1.0, 1.0, 1.0, -1.0, 1.0])
