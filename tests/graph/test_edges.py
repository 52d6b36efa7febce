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
    assert there.tolist() == there[TAIL.reverse_edge].tolist()
    assert arcs_of(TAIL, Arcs(there), "weights") is there
    for other in (None, "unit", 0.5, np.float32(0.5), np.array(0.5)):
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
    flow = ew.maximum_flow(TAIL, 3, target=0, weights=[4, 1, 2, 3, 7])
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
