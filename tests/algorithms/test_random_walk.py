"""`random_walk`: walks keep to edges, are the same everywhere, and go where the weights say."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph, random_walk, threads
from edgewise.algorithms.walks.alias import alias_tables
from tests.algorithms.samples import SHAPES, random_graph, shape


def keeps_to_edges(graph: Graph, walks: np.ndarray, weights="weight") -> None:
    """Every step is an edge (of positive weight), and only a vertex without one ends a walk."""
    ways = [{} for _ in range(graph.num_vertices)]
    u, v, own = graph.arcs()
    weights = own if isinstance(weights, str) else weights
    for e in range(graph.num_arcs):
        if weights is None or weights[e] > 0:
            ways[u[e]][int(v[e])] = True
    for walk in walks.tolist():
        for here, there in zip(walk[:-1], walk[1:], strict=True):
            assert there in ways[here] if there >= 0 else here < 0 or not ways[here]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    walks = random_walk(graph, length=7, num_walks=2)
    assert walks.shape == (2 * graph.num_vertices, 8) and walks.dtype == graph.indices.dtype
    assert walks[:, 0].tolist() == [*range(graph.num_vertices)] * 2
    keeps_to_edges(graph, walks)


def test_any_number_of_threads_and_any_parts():
    graph = random_graph(300, 1500, directed=True)
    weights = np.arange(graph.num_arcs) % 5 / 2
    for options in ({}, {"weights": weights}):
        found = random_walk(graph, length=20, num_walks=3, seed=5, **options)
        keeps_to_edges(graph, found, options.get("weights", "weight"))
        with threads(1):
            alone = random_walk(graph, length=20, num_walks=3, seed=5, **options)
        parts = [*ew.walk_batches(graph, batch_size=77, length=20, num_walks=3, seed=5, **options)]
        assert {len(one) for one in parts[:-1]} == {77}
        for same in (alone, np.concatenate(parts)):
            np.testing.assert_array_equal(same, found)
        assert (found != random_walk(graph, length=20, num_walks=3, seed=6, **options)).any()


def test_sources():
    graph = Graph.from_edges(["a", "b", "c"], ["b", "c", "a"], directed=True)
    assert random_walk(graph, "b", length=2).tolist() == [[1, 2, 0]]
    assert random_walk(graph, ["c", "a"], length=1, num_walks=2)[:, 0].tolist() == [2, 0, 2, 0]
    assert random_walk(graph, [], length=3).shape == (0, 4)
    assert random_walk(graph, 0, length=0).tolist() == [[0]]


def test_step_by_step():
    """The neighbor that `edgewise.random` draws for (seed, walk, step)."""
    graph = random_graph(60, 200, directed=True)
    for number, walk in enumerate(random_walk(graph, length=6, num_walks=2, seed=3).tolist()):
        for t in range(1, 7):
            row = graph.neighbors(walk[t - 1]) if walk[t - 1] >= 0 else ()
            wanted = row[ew.random.integer(len(row), 3, number, t)] if len(row) else -1
            assert walk[t] == wanted


def test_chances_are_in_proportion_to_weights():
    rng = np.random.default_rng(1)
    graph = random_graph(40, 500, directed=True)
    for weights in (None, rng.random(graph.num_arcs) ** 6, rng.integers(0, 3, graph.num_arcs)):
        walks = random_walk(graph, length=1, num_walks=20_000, weights=weights)
        amounts = np.ones(graph.num_arcs) if weights is None else weights
        for v in range(0, 40, 7):
            row = slice(graph.indptr[v], graph.indptr[v + 1])
            total = amounts[row].sum()
            if total == 0:
                continue
            hits = np.bincount(walks[v::40, 1], minlength=40)[graph.indices[row]]
            chances = amounts[row] / total
            spread = np.sqrt(20_000 * chances * (1 - chances))
            assert (np.abs(hits - 20_000 * chances) <= 4.5 * spread + 1e-9).all()


def test_alias_tables_hold_all_of_the_weight():
    graph = random_graph(60, 900, directed=True)
    weights = np.random.default_rng(3).random(graph.num_arcs) ** 8
    tables = alias_tables(graph, weights)
    for v in range(60):
        low, high = graph.indptr[v], graph.indptr[v + 1]
        held = dict.fromkeys(graph.indices[low:high].tolist(), 0.0)
        for e in range(low, high):
            held[int(graph.indices[e])] += tables.keep[e]
            held[int(tables.other[e])] += 1 - tables.keep[e]
        wanted = weights[low:high] / weights[low:high].sum() * (high - low)
        np.testing.assert_allclose([*held.values()], wanted, atol=1e-5)


def test_errors():
    graph = random_graph(30, 90)
    with pytest.raises(ValueError, match=r"sources\[1\] must be a vertex id from 0 to 29, got 30"):
        random_walk(graph, [0, 30])
    with pytest.raises(ValueError, match="length must be at least 0, got -1"):
        random_walk(graph, length=-1)
    with pytest.raises(ValueError, match="must give at most 2147483647 vertices in all"):
        random_walk(graph, length=2**30, num_walks=2)
    with pytest.raises(ValueError, match="weights must be finite and not negative, got -1.0 on"):
        random_walk(graph, weights=np.full(graph.num_edges, -1.0))
    with pytest.raises(TypeError, match="seed must be a whole number"):
        random_walk(graph, seed=0.5)


def test_pairs():
    walks = np.array([[1, 2, 3, -1], [4, 5, 6, 7]])
    for window in (1, 2, 9):
        found = ew.skip_gram(walks, window=window)
        wanted = [
            (a, b)
            for walk in walks.tolist()
            for i, a in enumerate(walk)
            for j, b in enumerate(walk)
            if 0 < abs(i - j) <= window and a >= 0 and b >= 0
        ]
        pairs = zip(found.centers.tolist(), found.contexts.tolist(), strict=True)
        assert sorted(pairs) == sorted(wanted)
    for wrong in (None, walks[0], walks * 0.5):
        with pytest.raises(TypeError, match="walks must be an array of vertex ids"):
            ew.skip_gram(wrong)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        ew.skip_gram(walks, window=0)
