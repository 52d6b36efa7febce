"""`Frontier`: members as ids or as bits, whichever is asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.operators import Frontier, frontier
from tests.operators.graphs import SMALL, weighted

GRAPH = SMALL["random"]


@given(st.integers(0, 200).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n)))))
def test_forms_hold_the_same_members(drawn):
    n, members = drawn
    graph = weighted([], [], num_vertices=n + 1)
    by_id = frontier(graph, sorted(members))
    by_bit = Frontier(n + 1, bits=by_id.bits.copy())
    by_mask = frontier(graph, np.isin(np.arange(n + 1), sorted(members)))
    for one in (by_id, by_bit, by_mask):
        assert sorted(one.ids.tolist()) == sorted(members)
        assert np.flatnonzero(one.mask).tolist() == sorted(members)
        assert len(one) == len(members) and one.empty() == (not members)
        assert all((v in one) == (v in members) for v in range(n + 1))
        assert one.bits.dtype == np.uint64 and len(one.bits) == -(-(n + 1) // 64)


def test_a_bitmap_becomes_ids_when_asked():
    bits = Frontier(70, bits=np.array([5, 1], np.uint64))
    assert bits.dense
    assert bits.ids.tolist() == [0, 2, 64] and bits.ids.dtype == np.int32
    assert not bits.dense


def test_ways_to_name_members():
    assert frontier(GRAPH, 7).ids.tolist() == [7]
    assert frontier(GRAPH, np.int32(7)).ids.tolist() == [7]
    assert frontier(GRAPH, [7, 3, 7]).ids.tolist() == [3, 7]
    assert frontier(GRAPH, np.array([7, 3], np.uint64)).ids.tolist() == [3, 7]
    assert frontier(GRAPH, []).empty()
    assert len(frontier(GRAPH)) == 150
    assert frontier(GRAPH, edges=[5]).size == GRAPH.num_arcs
    assert frontier(GRAPH, edges=np.ones(GRAPH.num_arcs, bool)).kind == "edges"
    assert frontier(SMALL["empty"]).empty()
    assert repr(frontier(GRAPH, edges=[1])) == f"Frontier(1 of {GRAPH.num_arcs} edges)"


@pytest.mark.parametrize(
    ("error", "pattern", "members"),
    [
        (ValueError, "vertices must be ids from 0 to 149, got 150", [0, 150]),
        (ValueError, "vertices must be ids from 0 to 149, got -1", [-1, 3]),
        (TypeError, "vertices must be ids or a mask, got dtype float64", [0.5]),
        (TypeError, "vertices must be .* got 'a': the graph has no labels", ["a"]),
        (ValueError, "vertices as a mask must have 150 entries", [True, False]),
    ],
)
def test_wrong_members(error, pattern, members):
    with pytest.raises(error, match=pattern):
        frontier(GRAPH, members)
    with pytest.raises(error, match=pattern.replace("vertices", "edges")[:15]):
        frontier(GRAPH, edges=[m * 1000 if type(m) is int else m for m in members])


def test_vertices_or_edges():
    with pytest.raises(TypeError, match="give vertices or edges, not both"):
        frontier(GRAPH, 0, edges=0)
    with pytest.raises(ValueError, match="by ids or by bits, exactly one"):
        Frontier(3)
    with pytest.raises(ValueError, match="by ids or by bits, exactly one"):
        Frontier(3, ids=np.arange(3), bits=np.zeros(1, np.uint64))
    with pytest.raises(ValueError, match="kind must be one of 'vertices', 'edges'"):
        Frontier(3, ids=np.arange(3), kind="faces")
