"""Layer-wise samples: edges and values one by one, expected sizes, unbiased means."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from edgewise import Graph, threads
from edgewise.generators import barabasi_albert
from edgewise.learning import sample_layers
from edgewise.learning.layer_sampling import _chances
from tests.algorithms.samples import random_graph
from tests.learning.test_neighbor_sampling import rows_of
from tests.operators.engines import no_gpu

DIRECTED = random_graph(120, 900, directed=True)
UNDIRECTED = random_graph(120, 600)


def means(batch, hop, values):
    """What the rows of a block say of the means of numbers over vertices."""
    block = batch.blocks[hop]
    rows = np.repeat(np.arange(len(block.indptr) - 1), np.diff(block.indptr))
    parts = block.values * values[batch.vertices[block.indices]]
    return np.bincount(rows, parts, len(block.indptr) - 1)


@pytest.mark.parametrize(("graph", "mode"), [(UNDIRECTED, "in"), (DIRECTED, "in"),
                                             (DIRECTED, "out"), (DIRECTED, "both")])  # fmt: skip
def test_kept_vertices_keep_all_their_edges(graph, mode):
    batch = sample_layers(graph, [7, 3, 7, 50], layer_sizes=[20, 30], mode=mode, seed=4)
    rows, vertices = rows_of(graph, mode), batch.vertices.tolist()
    assert vertices[:3] == [7, 3, 50] and batch.sources.tolist() == [0, 1, 0, 2]
    assert len(set(vertices)) == len(vertices) == batch.sizes[-1]
    for (size, larger), block in zip(pairwise(batch.sizes), batch.blocks, strict=True):
        assert len(block.indptr) == size + 1 and len(block.values) == len(block.edges)
        kept = {vertices[j] for j in block.indices}
        assert {*vertices[size:larger]} <= kept
        chance: dict[int, float] = {}
        for i in range(size):
            part = slice(block.indptr[i], block.indptr[i + 1])
            drawn = [(vertices[j], e) for j, e in zip(block.indices[part], block.edges[part],
                                                      strict=True)]  # fmt: skip
            known = rows[vertices[i]]
            assert sorted(drawn) == sorted(one for one in known if one[0] in kept)
            for (u, _), value in zip(drawn, block.values[part], strict=True):
                assert chance.setdefault(u, 1 / (len(known) * value)) == pytest.approx(
                    1 / (len(known) * value)
                )
        assert all(0 < one <= 1 + 1e-9 for one in chance.values())


def test_means_and_sizes_are_right_on_average():
    rng, graph = np.random.default_rng(0), barabasi_albert(300, 4, seed=1)
    weights, values = rng.uniform(0.1, 2, graph.num_edges), rng.normal(size=300) + 3
    matrix = graph.with_weights(weights).to_scipy().toarray()
    wanted = (matrix @ values / matrix.sum(axis=1))[:40]
    found, sizes = np.zeros(40), []
    for seed in range(400):
        batch = sample_layers(graph, np.arange(40), layer_sizes=[25], weights=weights, seed=seed)
        found += means(batch, 0, values) / 400
        sizes.append(len(set(batch.blocks[0].indices.tolist())))
    assert np.mean(sizes) == pytest.approx(25, abs=1)
    assert np.abs(found / wanted - 1).max() < 0.35 and np.abs(found / wanted - 1).mean() < 0.1


def test_few_neighbors_are_all_kept_and_their_means_exact():
    values = np.arange(120.0)
    batch = sample_layers(UNDIRECTED, [0, 1, 2], layer_sizes=[1000, 1000])
    matrix = UNDIRECTED.to_scipy().toarray()
    matrix = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1)
    for hop in (0, 1):
        rows = batch.vertices[: batch.sizes[hop]]
        assert np.allclose(means(batch, hop, values), matrix[rows] @ values)


def test_probabilities_sum_to_the_number_wanted():
    rng = np.random.default_rng(2)
    for count in (1, 5, 17, 49):
        importance = rng.exponential(size=50) ** 3
        chances = _chances(np, importance, count)
        assert chances.sum() == pytest.approx(count) and chances.max() <= 1
        order = np.argsort(importance)
        assert (np.diff(chances[order]) >= 0).all()
        free = chances < 1
        assert np.allclose(chances[free] / importance[free], (chances / importance)[free][0])
    assert _chances(np, np.array([0.0, 2.0, 1.0]), 2).tolist() == [0, 1, 1]


def test_samples_depend_on_the_seed_alone():
    first = sample_layers(DIRECTED, [1, 2], layer_sizes=[9, 9], seed=3)
    with threads(1):
        again = sample_layers(DIRECTED, [1, 2], layer_sizes=[9, 9], seed=3)
    assert first.vertices.tolist() == again.vertices.tolist()
    for one, other in zip(first.blocks, again.blocks, strict=True):
        assert all((a == b).all() for a, b in zip(one, other, strict=True))
    other = sample_layers(DIRECTED, [1, 2], layer_sizes=[9, 9], seed=4)
    assert first.vertices.tolist() != other.vertices.tolist()


def test_labels_lonely_vertices_and_zero_weights():
    names = Graph.from_edges([("a", "b"), ("b", "c")])
    assert sample_layers(names, "b", layer_sizes=[5]).sizes == (1, 3)
    alone = sample_layers(Graph.from_edges([0], [1], num_vertices=3), [2], layer_sizes=[5, 5])
    assert alone.sizes == (1, 1, 1) and all(len(one.edges) == 0 for one in alone.blocks)
    star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    batch = sample_layers(star, [0], layer_sizes=[3], weights=[0.0, 3.0, 1.0])
    assert batch.vertices.tolist() == [0, 2, 3] and batch.blocks[0].values.tolist() == [0.75, 0.25]
    assert sample_layers(star, [], layer_sizes=[3]).sizes == (0, 0)


def test_a_gpu_keeps_the_same_vertices():
    if reason := no_gpu():
        pytest.skip(reason)
    here = sample_layers(DIRECTED, [1, 2], layer_sizes=[9, 9], seed=3)
    there = sample_layers(DIRECTED.to("cuda"), [1, 2], layer_sizes=[9, 9], seed=3)
    assert there.vertices.get().tolist() == here.vertices.tolist()
    assert np.allclose(there.blocks[1].values.get(), here.blocks[1].values)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"layer_sizes": 5}, TypeError, "layer_sizes must list"),
        ({"layer_sizes": []}, TypeError, "layer_sizes must list"),
        ({"layer_sizes": [0]}, ValueError, "layer_sizes must be at least 1"),
        ({"mode": "up"}, ValueError, "mode must be one of"),
        ({"weights": [1.0]}, ValueError, "weights"),
        ({"sources": [500]}, ValueError, "sources"),
    ],
)
def test_errors_name_the_argument(options, error, message):
    with pytest.raises(error, match=message):
        sample_layers(UNDIRECTED, **({"sources": [0]} | options))
