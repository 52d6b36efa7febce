"""Task placement: against all permutations on small networks, and known cases on larger ones."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from edgewise import Graph, partitioning as pt
from edgewise.generators import cycle, grid_2d, grid_3d, path

SMALL = [((8,), True), ((8,), False), ((2, 4), True), ((2, 4), False), ((2, 2, 2), True),
         ((7,), True), ((2, 3), False)]  # fmt: skip


def links(a, b, shape, torus):
    """Step by step along each dimension."""
    total = 0
    for x, y, side in zip(
        np.unravel_index(a, shape), np.unravel_index(b, shape), shape, strict=True
    ):
        direct = abs(int(x) - int(y))
        total += min(direct, side - direct) if torus else direct
    return total


def looped(graph, ranks, shape, torus):
    u, v, w = graph.edges()
    w = np.ones(len(u)) if w is None else w
    return sum(
        one * links(ranks[a], ranks[b], shape, torus)
        for a, b, one in zip(u.tolist(), v.tolist(), w.tolist(), strict=True)
    )


def best(graph, shape, torus):
    n = graph.num_vertices
    table = np.array([[links(a, b, shape, torus) for b in range(n)] for a in range(n)])
    u, v, w = graph.edges()
    orders = np.array([*permutations(range(n))])
    return (table[orders[:, u], orders[:, v]] * w).sum(axis=1).min()


@pytest.mark.parametrize("method", ["greedy", "geometric"])
@pytest.mark.parametrize(("shape", "torus"), SMALL)
def test_close_to_the_best_of_all(shape, torus, method):
    n, ratios = int(np.prod(shape)), []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        u, v = np.triu_indices(n, 1)
        kept = rng.random(len(u)) < 0.5
        graph = Graph.from_edges(u[kept], v[kept], rng.integers(1, 10, kept.sum()), num_vertices=n)
        ranks = pt.place_tasks(graph, shape, torus=torus, method=method)
        assert sorted(ranks.tolist()) == [*range(n)]
        cost = pt.hops(graph, ranks, shape, torus=torus)
        assert cost == pytest.approx(looped(graph, ranks, shape, torus))
        ratios.append(cost / best(graph, shape, torus))
    assert min(ratios) >= 1 - 1e-12 and max(ratios) <= 1.02


@pytest.mark.parametrize("method", ["greedy", "geometric"])
def test_a_grid_fits_itself(method):
    for graph, shape in ((grid_2d(8, 8), (8, 8)), (grid_3d(4, 4, layers=4), (4, 4, 4))):
        mixed = np.random.default_rng(1).permutation(64)
        u, v, _ = graph.edges()
        shuffled = Graph.from_edges(mixed[u], mixed[v])
        found = pt.hops(shuffled, pt.place_tasks(shuffled, shape, torus=False, method=method),
                        shape, torus=False)  # fmt: skip
        chance = pt.hops(shuffled, np.arange(64), shape, torus=False)
        assert graph.num_edges <= found <= 1.8 * graph.num_edges < 0.7 * chance


def test_coordinates_and_more_ranks_than_tasks():
    graph, places = grid_2d(8, 8), np.stack(np.divmod(np.arange(64), 8), axis=1)
    ranks = pt.place_tasks(graph, (8, 8), method="geometric", coordinates=places, torus=False)
    assert pt.hops(graph, ranks, (8, 8), torus=False) <= 1.3 * graph.num_edges
    for method in ("greedy", "geometric"):
        ranks = pt.place_tasks(cycle(5), (4, 4), method=method)
        assert len(set(ranks.tolist())) == 5 and pt.hops(cycle(5), ranks, (4, 4)) == 6
    assert pt.place_tasks(Graph.from_edges([], [], num_vertices=0), (2, 2)).tolist() == []
    assert sorted(pt.place_tasks(Graph.from_edges([], [], num_vertices=3), (3,)).tolist()) == [
        0,
        1,
        2,
    ]


def test_traffic_of_a_partition():
    graph = grid_2d(32, 32)
    parts = pt.multi_jagged(np.stack(np.divmod(np.arange(1024), 32), axis=1), 16)
    traffic = pt.quotient(graph, parts)
    ranks = pt.place_tasks(traffic, (4, 4))
    assert pt.hops(traffic, ranks, (4, 4)) == pt.edge_cut(graph, parts)  # one link for each


def test_directed_traffic_counts_in_both_directions():
    graph = Graph.from_edges([0, 1, 2], [1, 0, 0], [1.0, 2.0, 4.0], directed=True)
    assert pt.hops(graph, [0, 1, 3], (4,), torus=False) == 1 + 2 + 12


def test_wrong_arguments():
    graph = path(5)
    for options, text in (
        ({"shape": (2, 2)}, r"at least as many ranks as there are tasks \(5\)"),
        ({"shape": (5000,)}, "shape must be at most 4096"),
        ({"shape": (0,)}, "shape must be at least 1"),
        ({"shape": ()}, "shape must have 1 to 4096 ranks"),
        ({"shape": (5,), "method": "random"}, "method must be one of"),
    ):
        with pytest.raises(ValueError, match=text):
            pt.place_tasks(graph, **options)
    with pytest.raises(TypeError, match="coordinates requires method 'geometric'"):
        pt.place_tasks(graph, (5,), coordinates=np.zeros((5, 2)))
    with pytest.raises(ValueError, match="ranks must lie between 0 and 4"):
        pt.hops(graph, [0, 1, 2, 3, 5], (5,))
    with pytest.raises(ValueError, match="ranks must be one whole number per vertex"):
        pt.hops(graph, [0, 1], (5,))
