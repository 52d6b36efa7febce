"""Small worlds: the ring, the share of rewired edges, where they go."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators import navigable_small_world, watts_strogatz
from edgewise.generators.cpu.lattice_contacts import draw_contacts


@pytest.mark.parametrize(("n", "k"), [(1, 0), (5, 2), (5, 4), (12, 6), (30, 4)])
def test_without_rewiring_it_is_the_ring(n, k, same_as):
    same_as(watts_strogatz(n, k, p=0), nx.watts_strogatz_graph(n, k, 0))


@pytest.mark.parametrize("p", [0.05, 0.5, 1.0])
@pytest.mark.parametrize(("n", "k"), [(5, 4), (6, 4), (10, 8), (100, 2), (200, 10)])
def test_rewiring_keeps_a_simple_graph_with_as_many_edges(n, k, p, edge_set):
    graph = watts_strogatz(n, k, p=p, seed=3)
    assert graph.num_edges == n * k // 2
    assert all(u != v for u, v in edge_set(graph))
    # Every edge keeps its first end, so every vertex keeps k / 2 edges at least.
    assert graph.degrees().min() >= k // 2


@pytest.mark.parametrize("p", [0.1, 0.5, 1.0])
def test_share_of_rewired_edges(p):
    n, k = 20000, 8
    graph = watts_strogatz(n, k, p=p, seed=2)
    sources, targets, _ = graph.edges()
    apart = np.minimum((targets - sources) % n, (sources - targets) % n)
    moved = (apart > k // 2).mean()
    assert abs(moved - p) < 0.01


def test_new_ends_are_uniform(chi_square):
    n = 20000
    graph = watts_strogatz(n, 2, p=1, seed=6)
    sources, targets, _ = graph.edges()
    apart = (targets - sources) % n
    counts = np.bincount(apart * 20 // n, minlength=20)
    # Each unordered pair is kept once with source < target: distance d has n - d places.
    middles = (np.arange(20) + 0.5) / 20
    expected = len(sources) * (1 - middles) / (1 - middles).sum()
    assert chi_square(counts, expected) > 1e-4


def test_clustering_falls_as_in_the_paper(as_networkx):
    regular = nx.average_clustering(as_networkx(watts_strogatz(1000, 10, p=0)))
    assert regular == pytest.approx(2 / 3)
    rewired = nx.average_clustering(as_networkx(watts_strogatz(1000, 10, p=0.2, seed=1)))
    assert rewired / regular == pytest.approx((1 - 0.2) ** 3, abs=0.05)


def test_seeds():
    assert watts_strogatz(500, 6, p=0.3, seed=1) == watts_strogatz(500, 6, p=0.3, seed=1)
    assert watts_strogatz(500, 6, p=0.3, seed=1) != watts_strogatz(500, 6, p=0.3, seed=2)


@pytest.mark.parametrize(
    ("n", "k", "p", "message"),
    [
        (10, 3, 0.1, "k must be even, got 3"),
        (10, 10, 0.1, "k must be less than n = 10, got 10"),
        (10, -2, 0.1, "k must be at least 0"),
        (10, 2, 1.1, "p must be a number from 0 to 1"),
    ],
)
def test_bad_arguments_are_named(n, k, p, message):
    with pytest.raises(ValueError, match=message):
        watts_strogatz(n, k, p=p)


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 1), (5, 1), (5, 2), (4, 9)])
def test_grid_of_near_contacts(n, p, edge_set):
    expected = {
        (n * a + b, n * c + d)
        for a in range(n) for b in range(n) for c in range(n) for d in range(n)
        if 0 < abs(a - c) + abs(b - d) <= p
    }  # fmt: skip
    assert edge_set(navigable_small_world(n, p=p, q=0)) == expected


@pytest.mark.parametrize("r", [0.0, 1.0, 2.0, 3.5])
def test_contacts_by_distance(r, chi_square):
    """The contacts of all vertices of a small grid, over many draws of each."""
    n, draws = 4, 8000
    sources, targets = np.empty(n * n * draws, np.int32), np.empty(n * n * draws, np.int32)
    reach = np.arange(1.0, 2 * n - 1)
    sums = np.concatenate([[0.0], np.cumsum(reach ** (1 - r))])
    launch(draw_contacts, check_seed(5), n, draws, sums, sources, targets, work=len(sources))
    counts = np.zeros((n * n, n * n))
    np.add.at(counts, (sources, targets), 1)
    vertices = np.arange(n * n)
    rows, columns = vertices // n, vertices % n
    apart = np.abs(rows[:, None] - rows) + np.abs(columns[:, None] - columns)
    weights = np.where(apart > 0, np.maximum(apart, 1.0) ** -r, 0)
    expected = draws * weights / weights.sum(1, keepdims=True)
    off = apart > 0
    assert (counts[~off] == 0).all()
    assert chi_square(counts[off], expected[off], lost=n * n) > 1e-4


def test_navigable_small_world_has_long_contacts():
    graph = navigable_small_world(60, q=2, r=2, seed=4)
    local = 4 * 60 * 59
    assert local + 3600 < graph.num_edges <= local + 2 * 3600
    with pytest.raises(ValueError, match="p must be at least 1"):
        navigable_small_world(5, p=0)
    with pytest.raises(ValueError, match="r must be at least 0"):
        navigable_small_world(5, r=-1)
    with pytest.raises(ValueError, match="n must be at least 1"):
        navigable_small_world(0)
