"""`partitioning.multilevel`: always balanced, few edges cut, the same for any number of threads."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.generators import complete, cycle, grid_2d, path, rmat, star
from edgewise.partitioning import Parts, multilevel

EFFORTS = ["fast", "default", "high"]


def cut_of(graph, parts, weights=None):
    u, v = graph.edges()[:2]
    across = parts[u] != parts[v]
    return float(across.sum() if weights is None else weights[across].sum())


def volume_of(graph, parts):
    u, v = graph.edges()[:2]
    u, v = np.concatenate([u, v]), np.concatenate([v, u])
    pairs = {(int(a), int(parts[b])) for a, b in zip(u, v, strict=True) if parts[a] != parts[b]}
    return len(pairs)


def limit_of(mass, k, imbalance):
    return (1 + imbalance) * np.ceil(mass.sum() / k)


def check(graph, k, imbalance=0.03, vertex_weights=None, **options):
    """The parts, once they are found to be parts within the imbalance."""
    parts = multilevel(graph, k, imbalance=imbalance, vertex_weights=vertex_weights, **options)
    n = graph.num_vertices
    mass = np.ones(n) if vertex_weights is None else np.asarray(vertex_weights, float)
    assert isinstance(parts, Parts) and parts.k == k and parts.shape == (n,)
    assert ((parts.labels >= 0) & (parts.labels < k)).all()
    load = np.bincount(parts.labels, mass, minlength=k)
    assert load.max() <= limit_of(mass, k, imbalance)
    return parts


def odd_graphs():
    yield Graph.from_edges([], [], num_vertices=0)
    yield Graph.from_edges([], [], num_vertices=1)
    yield Graph.from_edges([], [], num_vertices=7)
    yield Graph.from_edges([0, 0, 1, 1, 2, 3], [0, 1, 1, 2, 1, 3])  # loops, parallel edges
    yield from (path(10), star(40), complete(9), cycle(50), star(1500), grid_2d(25, 24))
    yield Graph.from_edges([0, 1, 3, 4], [1, 2, 4, 5], num_vertices=20)  # components, isolated
    yield rmat(10, seed=3)


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize("k", [1, 2, 3, 8, 17])
def test_odd_graphs_are_balanced(k, effort):
    for graph in odd_graphs():
        for imbalance in (0.0, 0.03):
            check(graph, k, imbalance, effort=effort)


def test_more_parts_than_vertices():
    assert sorted(check(path(5), 9).sizes()) == [0, 0, 0, 0, 1, 1, 1, 1, 1]


def test_balance_is_kept_for_twenty_seeds():
    graph, rng = grid_2d(30, 30), np.random.default_rng(5)
    for seed in range(20):
        mass = rng.integers(0, 4, 900)
        for k in (2, 7, 32):
            check(graph, k, seed=seed)
            check(graph, k, vertex_weights=mass, seed=seed)


def test_heavy_vertices_are_packed():
    rng = np.random.default_rng(2)
    graph = grid_2d(10, 10)
    for k in (4, 9):
        mass = np.zeros(100)
        mass[rng.permutation(100)[: 2 * k]] = 10 + rng.integers(0, 2, 2 * k)
        check(graph, k, 0.1, mass)


def test_small_cuts_are_found():
    """Two cliques joined by an edge; four blocks of a ring; against all bisections of a few."""
    u, v = np.array(list(combinations(range(20), 2))).T
    two = Graph.from_edges([*u, *(u + 20), 3], [*v, *(v + 20), 30])
    assert cut_of(two, check(two, 2)) == 1
    assert cut_of(cycle(400), check(cycle(400), 4)) == 4
    assert cut_of(path(400), check(path(400), 8)) == 7
    rng = np.random.default_rng(8)
    for turn in range(8):
        u, v = rng.integers(0, 10, (2, 22))
        small, weights = Graph.from_edges(u, v, num_vertices=10), None
        halves = combinations(range(10), 5)
        best = min(cut_of(small, np.isin(np.arange(10), half), weights) for half in halves)
        assert cut_of(small, check(small, 2, effort="high", seed=turn)) <= best + 1


@pytest.mark.parametrize(("side", "k", "most"), [(32, 2, 36), (32, 4, 72), (40, 16, 280)])
def test_grids_are_cut_almost_straight(side, k, most):
    for seed in range(3):
        assert cut_of(grid_2d(side, side), check(grid_2d(side, side), k, seed=seed)) <= most


def test_blocks_of_a_planted_partition_are_found():
    rng, n = np.random.default_rng(3), 1200
    block = rng.permutation(np.arange(n) % 6)
    u, v = rng.integers(0, n, (2, 60_000))
    keep = (block[u] == block[v]) | (rng.random(60_000) < 0.05)
    graph = Graph.from_edges(u[keep], v[keep], num_vertices=n)
    found = check(graph, 6)
    assert cut_of(graph, found) <= 1.01 * cut_of(graph, block)


def test_weights_decide():
    """A grid whose rows are heavy is cut between rows; without weights, anywhere."""
    grid = grid_2d(16, 16)
    u, v = grid.edges()[:2]
    weights = np.where(u // 16 == v // 16, 100.0, 1.0)
    assert cut_of(grid, check(grid, 4, weights=weights), weights) == 48
    named = Graph.from_edges(u, v, weights)
    assert cut_of(grid, check(named, 4), weights) == 48
    assert (check(named, 4, weights=None) == check(grid, 4)).all()
    check(grid, 5, weights=np.zeros(len(u)))
    assert (check(named, 4) == check(grid, 4, weights=weights * 2.0**70)).all()


def test_weights_of_vertices_that_are_not_integers():
    mass = np.random.default_rng(1).random(400) + 0.1
    parts = multilevel(grid_2d(20, 20), 7, vertex_weights=mass, imbalance=0.05)
    assert np.bincount(parts.labels, mass).max() <= 1.05 * mass.sum() / 7 * (1 + 1e-9)


def test_the_volume_falls():
    graph = rmat(9, seed=1)
    by_cut, by_volume = check(graph, 8), check(graph, 8, objective="volume")
    assert volume_of(graph, by_volume) < volume_of(graph, by_cut)


def test_more_effort_cuts_less():
    graph, cuts = rmat(12, seed=2), []
    for effort in EFFORTS:
        cuts.append(sum(cut_of(graph, check(graph, 16, seed=s, effort=effort)) for s in range(3)))
    assert cuts[2] < cuts[0] and cuts[2] <= cuts[1]


def test_repeats_for_any_number_of_threads():
    graph = rmat(13, seed=4)
    with ew.threads(1):
        one = multilevel(graph, 16, seed=9)
    with ew.threads(2):
        two = multilevel(graph, 16, seed=9)
    assert (one == two).all()
    assert (multilevel(graph, 16, seed=10) != one).any()


def test_refusals():
    grid = grid_2d(4, 4)
    with pytest.raises(ValueError, match="to_undirected"):
        multilevel(Graph.from_edges([0], [1], directed=True), 2)
    with pytest.raises(ValueError, match="vertex 3 weighs 100"):
        multilevel(grid, 2, vertex_weights=[1, 1, 1, 100] + [1] * 12)
    with pytest.raises(ValueError, match="no partition into 2 parts"):
        multilevel(path(3), 2, vertex_weights=[2, 2, 2], imbalance=0.0)
    with pytest.raises(ValueError, match="k must be at least 1"):
        multilevel(grid, 0)
    with pytest.raises(ValueError, match="imbalance"):
        multilevel(grid, 2, imbalance=-0.1)
    with pytest.raises(ValueError, match="objective"):
        multilevel(grid, 2, objective="best")
    with pytest.raises(ValueError, match="effort"):
        multilevel(grid, 2, effort="most")
    with pytest.raises(ValueError, match="weights must not be negative"):
        multilevel(grid, 2, weights=-np.ones(grid.num_edges))
    with pytest.raises(ValueError, match="vertex_weights"):
        multilevel(grid, 2, vertex_weights=[1, 2])


@pytest.mark.data
def test_meshes_are_cut_as_by_metis(shared_graphs):
    """METIS 5.1 with 3 percent cuts 151, 1,087 and 2,812 edges of 4elt."""
    graph = ew.read(shared_graphs / "4elt.graph.gz", format="metis")
    for k, metis in ((2, 151), (16, 1087), (64, 2812)):
        assert cut_of(graph, check(graph, k)) <= 1.05 * metis


@pytest.fixture
def small_levels(monkeypatch):
    """Rounds from small graphs on, which would be left to one thread."""
    monkeypatch.setattr("edgewise.algorithms.partitioning.by_rounds.SMALL", 100)
    monkeypatch.setattr("edgewise.algorithms.partitioning.by_rounds.FEW", 30)
    monkeypatch.setattr("edgewise.algorithms.partitioning.by_rounds.PER_PART", 10)


@pytest.mark.parametrize("k", [2, 5])
def test_rounds_are_balanced(k, small_levels):
    for graph in odd_graphs():
        for imbalance in (0.0, 0.03):
            check(graph, k, imbalance, method="rounds")
    rng = np.random.default_rng(4)
    for seed in range(20):
        mass = rng.integers(0, 4, 900)
        check(grid_2d(30, 30), k, vertex_weights=mass, method="rounds", seed=seed)


def test_rounds_cut_about_as_much(small_levels):
    for graph, k in ((grid_2d(60, 60), 8), (rmat(12, seed=2), 8)):
        cuts = [
            sum(cut_of(graph, check(graph, k, method=method, seed=s)) for s in range(3))
            for method in ("searches", "rounds")
        ]
        assert cuts[1] <= 1.15 * cuts[0]


def test_rounds_repeat_for_any_number_of_threads(small_levels):
    graph, found = rmat(11, seed=4), []
    for count in (1, 2):
        with ew.threads(count):
            found.append(multilevel(graph, 6, method="rounds", seed=9))
    assert (found[0] == found[1]).all()
    volumes = [
        volume_of(graph, check(graph, 6, method="rounds", objective=one))
        for one in ("cut", "volume")
    ]
    assert volumes[1] < volumes[0]


def within(graph, k, imbalance, columns):
    """The parts, once every column of weights is found to be within the imbalance."""
    parts = multilevel(graph, k, imbalance=imbalance, vertex_weights=columns)
    for column in columns.T:
        load = np.bincount(parts.labels, column, minlength=k)
        assert load.max() <= limit_of(column, k, imbalance)
    return parts


def test_several_weights_are_balanced():
    rng, x = np.random.default_rng(6), np.arange(900) % 30
    grid = grid_2d(30, 30)
    halves = np.stack([x < 15, x >= 15], 1).astype(float)
    assert cut_of(grid, within(grid, 2, 0.03, halves)) <= 40  # across both, not between them
    for k in (2, 3, 8):
        within(grid, k, 0.03, halves)
        within(grid, k, 0.05, np.stack([np.ones(900), rng.integers(0, 3, 900), x < 9], 1))
    one = rng.integers(0, 4, 900)
    alone = multilevel(grid, 4, vertex_weights=one[:, None])
    assert (alone == multilevel(grid, 4, vertex_weights=one)).all()


def test_weights_that_are_all_zero_count_as_one():
    grid = grid_2d(12, 12)
    one = multilevel(grid, 4).tolist()
    assert one == multilevel(grid, 4, vertex_weights=np.zeros(144)).tolist()
    assert one == multilevel(grid, 4, vertex_weights=np.zeros((144, 2))).tolist()
    assert one == multilevel(grid, 4, vertex_weights=np.eye(2)[[0]].repeat(144, axis=0)).tolist()


def test_several_weights_of_a_few_vertices_against_all_partitions():
    """Within all limits, and no partition is refused if half of all partitions keep to them."""
    rng, every = np.random.default_rng(7), np.array([*product(range(2), repeat=8)])
    for turn in range(40):
        graph = Graph.from_edges(*rng.integers(0, 8, (2, 14)), num_vertices=8)
        columns = rng.integers(0, 4, (8, 2)).astype(float)
        limits = [limit_of(column, 2, 0.3) for column in columns.T]
        loads = np.stack([every @ columns, (1 - every) @ columns])
        feasible = (loads <= limits).all(axis=(0, 2))
        try:
            within(graph, 2, 0.3, columns)
        except ValueError as error:
            assert "weigh" in str(error) and feasible.mean() < 0.1, turn
        else:
            assert feasible.any()


def test_refusals_of_several_weights():
    grid = grid_2d(4, 4)
    with pytest.raises(ValueError, match="several weights"):
        multilevel(grid, 2, vertex_weights=np.ones((16, 2)), method="rounds")
    with pytest.raises(ValueError, match="at least one column"):
        multilevel(grid, 2, vertex_weights=np.ones((16, 0)))
    with pytest.raises(ValueError, match="no partition into 2 parts"):
        multilevel(path(3), 2, vertex_weights=np.full((3, 2), 2), imbalance=0.0)
    with pytest.raises(ValueError, match="vertex_weights"):
        multilevel(grid, 2, vertex_weights=np.ones((3, 2)))
    with pytest.raises(ValueError, match="method"):
        multilevel(grid, 2, method="jet")
