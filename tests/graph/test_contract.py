"""Contraction against a dict of group pairs, on CPU threads, a GPU and grids."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import Graph, contract
from edgewise.operators import ADD, ARGMIN, MAX, OR, Monoid
from tests.distributed.grids import on_ranks
from tests.distributed.helpers import gather_graph, same
from tests.operators.engines import no_gpu

REDUCE = {"sum": sum, "min": min, "max": max}


def product(old, new):
    return old * new


TIMES = Monoid(1, product)


def oracle(graph, groups, loops=True):
    """The weights of the edges between every two groups, in the order of the edges."""
    expected: dict[tuple, list] = {}
    sources, targets, weights = graph.edges()
    weights = np.ones(len(sources), int) if weights is None else weights
    for u, v, weight in zip(sources, targets, weights.tolist(), strict=True):
        pair = int(groups[u]), int(groups[v])
        pair = pair if graph.directed else tuple(sorted(pair))
        if loops or pair[0] != pair[1]:
            expected.setdefault(pair, []).append(weight)
    return expected


def edges_by_label(small):
    """The weight (or None) of every edge, by the labels of its ends."""
    sources, targets, weights = small.edges()
    ends = (sources, targets) if small.labels is None else map(small.label, (sources, targets))
    ends = zip(*(one.tolist() for one in ends), strict=True)
    weights = [None] * len(sources) if weights is None else weights.tolist()
    return dict(zip(ends, weights, strict=True))


def some_graph(n=60, m=400, *, directed=False, kind=np.int64, seed=2):
    draw = np.random.default_rng(seed)
    return Graph.from_edges(
        *draw.integers(0, n, (2, m)), draw.integers(1, 9, m).astype(kind), directed=directed
    )


@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=50),
    st.lists(st.integers(-2, 4), min_size=12, max_size=12),
    st.booleans(),
    st.sampled_from(list(REDUCE)),
    st.sampled_from(["float32", "int64", None]),
    st.booleans(),
)
def test_agrees_with_a_dict(n, pairs, groups, directed, reduce, dtype, loops):
    ends = np.array(pairs, np.int64).reshape(-1, 2) % n
    weights = None if dtype is None else np.arange(len(pairs)).astype(dtype)
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], weights, directed=directed, num_vertices=n)
    groups = np.array(groups[:n])
    small, vertices = contract(graph, groups, reduce=reduce, self_loops="keep" if loops else "drop")
    small.validate()
    assert small.directed == directed
    assert small.num_vertices == len(set(groups.tolist()))
    names = np.arange(small.num_vertices) if small.labels is None else small.labels.values
    assert names[vertices].tolist() == groups.tolist() and (np.diff(names) > 0).all()
    found, expected = edges_by_label(small), oracle(graph, groups, loops)
    if dtype is None and reduce != "sum":
        assert found == dict.fromkeys(expected)
        return
    assert found == {pair: REDUCE[reduce](given) for pair, given in expected.items()}
    if reduce == "sum":
        assert small.weights.dtype == ("float64" if dtype and dtype.startswith("f") else "int64")
    else:
        assert small.weights.dtype == dtype


@pytest.mark.parametrize("directed", [False, True])
def test_any_monoid(directed):
    graph = some_graph(30, 40, directed=directed)
    groups = np.arange(graph.num_vertices) % 7
    small = graph.contract(groups, reduce=TIMES).graph
    products = {pair: int(np.prod(given)) for pair, given in oracle(graph, groups).items()}
    assert edges_by_label(small) == products
    assert graph.contract(groups, reduce=ADD).graph == graph.contract(groups).graph
    assert graph.contract(groups, reduce=MAX).graph == graph.contract(groups, reduce="max").graph
    bare = graph.with_weights(None)
    assert edges_by_label(bare.contract(groups, reduce=TIMES).graph) == dict.fromkeys(products, 1)
    with pytest.raises(TypeError, match="reduce must be a monoid of single values"):
        graph.contract(groups, reduce=ARGMIN)


def test_groups_of_any_kind_become_labels():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    small = path.contract(["west", "west", "east", "east"]).graph
    assert small.labels.values.tolist() == ["east", "west"]
    assert small.weights.tolist() == [1, 1, 1, 1]
    assert path.contract([7, 7, 9, 9]).graph.labels.values.tolist() == [7, 9]
    assert path.contract(np.array([-1, -5, 3, -1], np.int8)).graph.labels.values.tolist() == [
        -5,
        -1,
        3,
    ]
    assert path.contract([1, 0, 1, 0]).graph.labels is None


def test_weighted_degree_is_kept():
    graph = some_graph()
    small = graph.contract(np.arange(60) % 6).graph
    assert small.weight_summary().total == graph.weight_summary().total


@pytest.mark.parametrize("many", [3, 2000], ids=["few groups", "many groups"])
def test_sums_of_floats_are_the_same_for_every_team(monkeypatch, many):
    """Both ways: combined before they are sorted, and not."""
    monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
    monkeypatch.setattr(import_module("edgewise.graph.contract"), "_PIECE", 512)
    draw = np.random.default_rng(5)
    weights = draw.random(20000) * 10.0 ** draw.integers(-9, 9, 20000)
    graph = Graph.from_edges(*draw.integers(0, 3000, (2, 20000)), weights)
    groups = draw.integers(0, many, graph.num_vertices)
    found = []
    for team in (1, 2, 3):
        with threads(team):
            found.append(graph.contract(groups).graph)
            found[-1].validate()
    assert same(found[1], found[0]) and same(found[2], found[0])
    expected = oracle(graph, groups)
    for pair, weight in edges_by_label(found[0]).items():
        assert weight == pytest.approx(sum(expected[pair]))


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize("many", [2, 5, 300, 3000])
def test_labels_that_are_vertices(monkeypatch, many, loops):
    """Combined by the members of each group: the same as pair by pair, for every team.

    Three threads walk through the largest of two or five groups together.
    """
    monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
    monkeypatch.setattr(import_module("edgewise.graph.contract"), "_LARGE", 100)
    graph = some_graph(3000, 20000, seed=4)
    groups = np.random.default_rng(1).integers(0, many, 3000)
    groups[:900] = 1
    lengths = graph.edges()[2]
    weights = np.where(lengths > 6, 0, lengths)  # an edge of weight 0 is one, too
    kept = "keep" if loops else "drop"
    for weighted in (graph.with_weights(None), graph.with_weights(weights)):
        apart = contract(weighted, groups - 1, self_loops=kept)
        for team in (1, 2, 3):
            with threads(team):
                found = contract(weighted, groups, self_loops=kept)
            found.graph.validate()
            for name in ("indptr", "indices", "weights"):
                assert (getattr(found.graph, name) == getattr(apart.graph, name)).all()
            assert (found.mapping == apart.mapping).all()
            assert found.graph.num_self_loops == apart.graph.num_self_loops


def test_sums_that_may_not_fit_are_noticed():
    graph = Graph.from_edges([0, 1], [2, 2], [2**62, 2**62])
    with pytest.raises(ValueError, match="summed weight beyond int64"):
        graph.contract([0, 0, 1])


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (2, 3)])
def test_on_a_grid(shape):
    """By labels that each rank has its part of, and by labels that all have; what they become."""
    for graph in (some_graph(), some_graph(directed=True, kind=np.float32)):
        groups = np.arange(graph.num_vertices) * 7 % 13 * 3
        here, there = graph.contract(groups)

        def work(spread, groups=groups):
            small, vertices = spread.contract(spread.share(groups))
            least = spread.contract(
                [str(group) for group in groups], reduce="min", self_loops="drop"
            ).graph
            return gather_graph(small), gather_graph(least), vertices

        small, least, vertices = on_ranks(work, shape, graph, distribution="random")
        assert same(small, here) and vertices.tolist() == there.tolist()
        by_name = [str(group) for group in groups]
        assert same(least, graph.contract(by_name, reduce="min", self_loops="drop").graph)


def test_any_monoid_on_a_grid():
    graph, groups = some_graph(30, 40), np.arange(30) % 7

    def work(spread):
        return gather_graph(spread.contract(groups, reduce=TIMES).graph)

    found = on_ranks(work, (2, 2), graph)
    assert same(found, graph.contract(groups, reduce=TIMES).graph)


def test_without_weights_on_a_grid():
    graph = some_graph().with_weights(None)
    groups = np.arange(graph.num_vertices) // 9

    def work(spread):
        return gather_graph(spread.contract(groups).graph), gather_graph(
            spread.contract(groups, reduce="max").graph
        )

    counts, plain = on_ranks(work, (2, 2), graph)
    assert same(counts, graph.contract(groups).graph)
    assert same(plain, graph.contract(groups, reduce="max").graph)


@pytest.mark.gpu
@pytest.mark.skipif(bool(no_gpu()), reason=str(no_gpu()))
@pytest.mark.parametrize("directed", [False, True])
def test_on_a_gpu(directed):
    graph = some_graph(4000, 60000, directed=directed)
    for groups in (np.arange(4000) // 5 - 7, np.zeros(4000, np.int32)):
        for options in ({}, {"reduce": "max", "self_loops": "drop"}, {"reduce": TIMES}):
            here, there = graph.contract(groups, **options)
            small, vertices = graph.to("cuda").contract(graph.xp.asarray(groups), **options)
            assert small.to("cpu") == here
            assert vertices.get().tolist() == there.tolist()


def test_errors():
    graph = Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match=r"one entry per vertex \(2\), got 3"):
        graph.contract([0, 1, 2])
    with pytest.raises(ValueError, match="groups must be one-dimensional"):
        graph.contract(np.zeros((1, 2), int))
    with pytest.raises(ValueError, match="reduce must be one of 'sum', 'min', 'max', got 'first'"):
        graph.contract([0, 1], reduce="first")
    with pytest.raises(ValueError, match="self_loops must be one of 'keep', 'drop', got True"):
        graph.contract([0, 1], self_loops=True)


def test_a_monoid_that_does_not_fit_the_weights():
    with pytest.raises(
        TypeError, match="reduce must combine weights of dtype float64: '_either_bit'"
    ):
        some_graph(kind=np.float64).contract(np.zeros(60, int), reduce=OR)


def test_a_sum_that_does_not_fit():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3], [2**62, 2**62, 2**62])
    with pytest.raises(ValueError, match=r"edge \(0, 0\) has a summed weight beyond int64"):
        path.contract([0, 0, 0, 0])


def test_nothing_to_contract():
    assert Graph.from_edges([], []).contract([]).graph.num_vertices == 0
    assert contract(Graph.from_edges([], [], num_vertices=3), [4, 4, 2]).graph.num_vertices == 2
