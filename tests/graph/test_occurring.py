"""Vertices are the integers that occur: against a dict, for both ways of numbering them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.graph import Graph, Labels
from edgewise.graph.occurring import from_occurring

IDS = st.integers(0, 40)
PAIRS = st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30)


def named(graph):
    """The arcs by label."""
    sources, targets, weights = graph.arcs()
    weights = np.ones(len(sources)) if weights is None else weights
    names = graph.label(np.arange(graph.num_vertices))
    return dict(zip(zip(names[sources].tolist(), names[targets].tolist(), strict=True),
                    weights.tolist(), strict=True))  # fmt: skip


@given(
    pairs=PAIRS,
    offset=st.sampled_from([0, 1, 1000]),
    factor=st.sampled_from([1, 2**20]),  # ids far apart are sorted, others counted
    directed=st.booleans(),
    loops=st.sampled_from(["keep", "drop"]),
)
def test_every_id_that_occurs_is_a_vertex(pairs, offset, factor, directed, loops):
    sources, targets = np.array(pairs, np.int64).T * factor + offset
    weights = np.arange(len(pairs)) + 0.5
    options = {"directed": directed, "self_loops": loops, "duplicates": "max"}
    graph = from_occurring(sources, targets, weights, **options)
    graph.validate()
    ids = np.union1d(sources, targets)
    assert graph.label(np.arange(graph.num_vertices)).tolist() == ids.tolist()
    assert (graph.labels is None) == (ids.tolist() == list(range(len(ids))))
    assert named(graph) == named(
        Graph.from_edges(sources, targets, weights, labels=True, **options)
    )
    assert graph.num_self_loops == sum(u == v for u, v in named(graph))


def test_an_offset_takes_no_memory():
    graph = from_occurring(np.array([1, 2]), np.array([2, 3]))
    assert graph.labels == Labels.range(1, 3) and graph.labels.range_start == 1
    assert graph.vertex(1) == 0 and graph.indices.tolist() == [1, 0, 2, 1]


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64])
def test_types_of_ids(kind):
    graph = from_occurring(np.array([5, 9], kind), np.array([9, 7], kind), directed=True)
    assert graph.labels == Labels([5, 7, 9]) and graph.indices.dtype == np.int32


def test_edges_that_are_left_out_have_their_vertices():
    ends = np.array([4, 6, 9]), np.array([6, 4, 9])
    graph = from_occurring(*ends, symmetrize="intersection", self_loops="drop")
    assert graph.labels == Labels([4, 6, 9]) and graph.num_edges == 1


def test_no_edges():
    nothing = np.array([], np.int64)
    assert from_occurring(nothing, nothing).num_vertices == 0
