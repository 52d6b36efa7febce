"""Containment: the choice beside all choices there are, by enumeration of all outbreaks."""

from itertools import combinations, product

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from tests.tiers import later

METHODS = ("hill_climbing", "reverse", "degree", "betweenness", "pagerank", "random")
BY_SPREAD = METHODS[:2]


def small_graph(seed, directed=True):
    """A few vertices, and edges each with its chance."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 8))
    ends = rng.integers(n, size=(2, 9 if directed else 5))
    graph = Graph.from_edges(*ends, directed=directed, num_vertices=n, self_loops="drop")
    return graph, rng.uniform(0.2, 0.9, graph.num_edges).round(2)


def reached(graph, sources, live, gone=()):
    seen, todo = set(sources) - set(gone), [v for v in sources if v not in gone]
    while todo:
        v = todo.pop()
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            u = int(graph.indices[e])
            if live[e] and u not in seen and u not in gone:
                seen.add(u)
                todo.append(u)
    return len(seen)


def expected(graph, chances, sources, gone=(), cut=()):
    """How many an outbreak reaches, in the mean of all choices of live arcs."""
    total, chances = 0.0, np.array(chances)
    chances[list(cut)] = 0
    chances = chances[graph.arc_to_edge]
    starts = [[v] for v in range(graph.num_vertices)] if sources is None else [sources]
    for live in product([False, True], repeat=graph.num_arcs):
        weight = np.prod(np.where(live, chances, 1 - chances))
        if weight:
            total += weight * np.mean([reached(graph, some, live, gone) for some in starts])
    return total


@pytest.mark.parametrize("sources", [[0], None], ids=["from one", "from any"])
@pytest.mark.parametrize("method", BY_SPREAD)
@pytest.mark.parametrize("seed", range(3))
def test_vertices_are_near_the_best_of_all_choices(seed, method, sources):
    graph, chances = small_graph(seed)
    options = {"method": method, "probability": chances, "samples": 5_000, "runs": 20_000}
    found = ew.influence.contain(graph, sources, 2, **options)
    before = expected(graph, chances, sources)
    after = expected(graph, chances, sources, found.chosen.tolist())
    assert found.before.low - 0.05 < before < found.before.high + 0.05
    assert found.after.low - 0.05 < after < found.after.high + 0.05
    assert found.low - 0.05 < before - after < found.high + 0.05
    others = [v for v in range(graph.num_vertices) if sources is None or v not in sources]
    left = {some: expected(graph, chances, sources, some) for some in combinations(others, 2)}
    assert before - after >= 0.8 * (before - min(left.values()))
    if method == "hill_climbing":  # the best one first, and the best beside it
        first = {v: expected(graph, chances, sources, [v]) for v in others}
        climbed = int(found.chosen[0])
        assert first[climbed] == pytest.approx(min(first.values()), abs=0.03)
        beside = min(value for some, value in left.items() if climbed in some)
        assert after == pytest.approx(beside, abs=0.03)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("method", BY_SPREAD)
@pytest.mark.parametrize("seed", range(3))
def test_edges_are_near_the_best_of_all_choices(seed, method, directed):
    graph, chances = small_graph(seed, directed)
    sources = [int(graph.degrees().argmax())]
    options = {"method": method, "probability": chances, "samples": 5_000, "remove": "edges"}
    found = ew.influence.contain(graph, sources, 2, **options)
    before = expected(graph, chances, sources)
    after = expected(graph, chances, sources, cut=found.chosen)
    assert found.low - 0.05 < before - after < found.high + 0.05
    ids = range(graph.num_edges)
    best = min(expected(graph, chances, sources, cut=some) for some in combinations(ids, 2))
    assert before - after >= (0.95 if method == "hill_climbing" else 0.75) * (before - best)


def test_reverse_takes_who_is_part_of_most_infections():
    # All go through 1 or 2, half of them again through 3; every outbreak is the same.
    graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 2], [1, 2, 3, 3, 4, 5, 6], directed=True)
    chosen = ew.influence.contain(graph, 0, 2, method="reverse", probability=1.0).chosen
    assert chosen.tolist() == [2, 1]  # part of 2, 3, 4, 5, 6, then of 1 besides
    climbed = ew.influence.contain(graph, 0, 2, probability=1.0).chosen
    assert climbed.tolist() == [3, 2]  # saves 3, 4, 5, then 2, 6


@pytest.mark.parametrize("remove", ["vertices", "edges"])
@pytest.mark.parametrize(
    "method", [one if one in BY_SPREAD or one == "degree" else later(one) for one in METHODS]
)
@pytest.mark.parametrize("directed", [True, later(False)])
def test_every_method_tells_what_simulations_tell(method, remove, directed):
    graph = ew.generators.watts_strogatz(60, 4, p=0.2, seed=1)
    if directed:
        graph = Graph.from_edges(*graph.edges()[:2], directed=True)
    spread = {
        "model": "sir",
        "probability": 0.2,
        "recovery_probability": 0.4,
        "runs": 500,
        "seed": 3,
    }
    options = {
        "method": method,
        "remove": remove,
        "samples": 1_000 if method in BY_SPREAD else None,
    }
    found = ew.influence.contain(graph, [4, 9], 3, **options, **spread)
    assert len(set(found.chosen.tolist())) == 3
    before = ew.influence.simulate(graph, [4, 9], **spread)
    if remove == "vertices":
        assert not {4, 9} & set(found.chosen.tolist())
        after = ew.influence.simulate(graph, [4, 9], immune=found.chosen, **spread)
    else:
        shares = np.full(graph.num_edges, 0.2)
        shares[found.chosen] = 0
        after = ew.influence.simulate(graph, [4, 9], **spread | {"probability": shares})
    assert (found.before.mean, found.after.mean) == (before.mean, after.mean)
    assert found.saved == pytest.approx(before.mean - after.mean)
    assert found.saved >= 0 and found.low <= found.saved <= found.high
    if method in BY_SPREAD:
        plain = ew.influence.contain(graph, [4, 9], 3, method="random", remove=remove, **spread)
        assert found.low > plain.high


def test_comparisons_go_by_what_they_are_called():
    graph = ew.generators.barbell(5, 3)  # two cliques, and a path of three between them
    first = {}
    for method in METHODS[2:5]:
        first[method] = ew.influence.contain(graph, None, 1, method=method, runs=64).chosen.tolist()
    assert first == {"degree": [4], "betweenness": [6], "pagerank": [4]}
    middle = ew.influence.contain(graph, None, 1, method="betweenness", remove="edges", runs=64)
    assert graph.edges()[0][middle.chosen].tolist() == [5]
    other = ew.influence.contain(graph, None, 3, method="random", runs=64, seed=1)
    assert other.chosen.tolist() != ew.influence.contain(
        graph, None, 3, method="random", runs=64).chosen.tolist()  # fmt: skip


def test_linear_threshold():
    graph = ew.generators.barbell(5, 3)
    for method, remove in product(BY_SPREAD, ("vertices", "edges")):
        options = {"method": method, "remove": remove, "model": "linear_threshold"}
        found = ew.influence.contain(graph, [0, 1], 1, runs=2_000, samples=500, **options)
        assert found.saved > 0


def test_the_same_for_any_number_of_threads():
    graph = ew.generators.watts_strogatz(60, 4, p=0.2, seed=1)
    for options in ({}, {"method": "reverse"}, {"remove": "edges"}):
        found = []
        for count in (1, 2):
            with ew.threads(count):
                found.append(ew.influence.contain(graph, None, 4, probability=0.3, runs=200,
                                                  samples=300, **options))  # fmt: skip
        assert found[0].chosen.tolist() == found[1].chosen.tolist()
        assert found[0].after.mean == found[1].after.mean


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("remove", ["vertices", "edges"])
@pytest.mark.parametrize("spread", [{}, {"model": "sir", "probability": 0.005}])
def test_choices_by_spread_are_better_than_by_the_graph_alone(shared_graphs, spread, remove):
    graph = ew.read(shared_graphs / "wiki-Vote.txt.gz", directed=True)
    sources = np.random.default_rng(1).choice(np.flatnonzero(graph.degrees() > 20), 10)
    saved = {
        method: ew.influence.contain(graph, sources, 50, remove=remove, method=method, runs=2_000,
                                     **spread).saved
        for method in METHODS
    }  # fmt: skip
    for method in BY_SPREAD:
        assert all(saved[method] > 1.05 * saved[other] for other in METHODS[2:])


@pytest.mark.parametrize("method", METHODS)
def test_graphs_without_anything(method):
    lonely = Graph.from_edges([], [], num_vertices=3)
    for remove, most in (("vertices", 2), ("edges", 0)):
        found = ew.influence.contain(lonely, 0, 5, remove=remove, method=method, runs=10)
        assert len(found.chosen) <= most and found.after.mean == found.before.mean == 1
    none = ew.influence.contain(lonely, None, 0, method=method, runs=10)
    assert len(none.chosen) == 0 and none.saved == 0
    everyone = ew.influence.contain(lonely, None, 9, method=method, runs=10)
    assert sorted(everyone.chosen.tolist()) == [0, 1, 2] and everyone.after.mean == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"k": -1}, "k must be at least 0, got -1"),
        ({"sources": [7]}, r"sources\[0\] must be a vertex id from 0 to 1, got 7"),
        ({"sources": []}, "sources must name at least one vertex, got none"),
        ({"remove": "loops"}, "remove must be one of 'vertices', 'edges', got 'loops'"),
        ({"method": "prayer"}, "method must be one of 'hill_climbing', 'reverse', 'degree'"),
        ({"method": "degree", "samples": 5}, "samples has no meaning for method 'degree', got 5"),
        ({"samples": 0}, "samples must be at least 1, got 0"),
        ({"runs": 1}, "runs must be at least 2, got 1"),
        (
            {"model": "sir", "recovery_probability": 0},
            "recovery_probability and incubation_probability must be above 0",
        ),
        ({"probability": 2}, "probability must"),
    ],
)
def test_errors_name_the_argument(options, says):
    with pytest.raises(ValueError, match=says):
        ew.influence.contain(Graph.from_edges([0], [1]), **{"sources": 0, "k": 1, **options})
