"""`simulate`: exact expectations on tiny graphs, equal answers everywhere, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph, generators
from edgewise.algorithms.influence.diffusion import chances, edge_keys
from edgewise.graph.transfer import host
from edgewise.influence import simulate
from tests.algorithms.influence import exact
from tests.algorithms.samples import SHAPES, TEAMS, shape
from tests.distributed.grids import assert_same, on_ranks
from tests.operators.engines import no_gpu
from tests.tiers import later

MODELS = ("independent_cascade", "linear_threshold", "sir", "seir")
#: Tiny graphs: with cycles, a loop, edges both ways, two ways to the same vertex.
TINY = {
    "directed": Graph.from_edges([0, 0, 1, 2, 3, 3, 1], [1, 2, 3, 3, 4, 1, 1], directed=True),
    "undirected": Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 2], num_vertices=5),
}
#: Sums over the edges into a vertex stay below one.
WEIGHTS = {"directed": [0.3, 0.9, 0.1, 0.4, 0.2, 0.5, 0.7],
           "undirected": [0.6, 0.3, 0.2, 0.35]}  # fmt: skip
RUNS = 40_000
SMALLER = generators.rmat(4, edge_factor=3, seed=3, directed=True)
UNDIRECTED = generators.rmat(6, edge_factor=4, seed=1)
LARGER = generators.rmat(8, edge_factor=6, seed=3, directed=True)


def near(found, expected, deviation):
    """Within five standard errors of the expectation."""
    assert np.abs(found - expected).max() < 5 * deviation / RUNS**0.5 + 1e-9


@pytest.mark.parametrize("probability", ["array", "weighted_cascade", 0.3])
@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("model", MODELS[:2])
def test_all_live_edge_graphs(name, model, probability):
    graph = TINY[name]
    chance = WEIGHTS[name] if probability == "array" else probability
    oracle = exact.cascade if model == "independent_cascade" else exact.threshold
    for seeds in ([0], [1, 3]):
        infected, curve = oracle(graph, seeds, chance)
        found = simulate(graph, seeds, model=model, probability=chance, runs=RUNS, seed=2)
        near(found.infected, infected, 0.5)
        near(found.mean, infected.sum(), found.std)
        near(found.curve, curve[: len(found.curve)], 5**0.5)
        assert found.low < found.mean < found.high or found.std == 0
        assert abs(curve[-1] - curve[len(found.curve) - 1]) < 1e-3
        assert abs(found.states.sum(axis=1) - graph.num_vertices).max() < 1e-9


@pytest.mark.parametrize("model", MODELS[2:])
def test_epidemics_as_markov_chains(model):
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    chance, rates = WEIGHTS["undirected"], {"recovery_probability": 0.3}
    if model == "seir":
        rates["incubation_probability"] = 0.6
    found = simulate(graph, 0, model=model, probability=chance, runs=RUNS, max_steps=5, **rates)
    wanted = exact.epidemic(graph, [0], chance, model, 0.3, rates.get("incubation_probability"), 5)
    near(found.states, wanted, 1.5)
    near(found.curve, graph.num_vertices - wanted[:, 0], 1.5)
    assert found.curve[-1] == found.mean == found.infected.sum().round(9) == found.sizes.mean()
    ends = simulate(graph, 0, model=model, probability=chance, runs=1000, **rates)
    assert ends.states[-1, 1] == ends.states[-1, 2] == 0


def test_recovery_at_once_is_a_cascade():
    graph, options = LARGER, {"probability": 0.1, "runs": RUNS}
    once = simulate(graph, [0, 5], model="independent_cascade", **options)
    ill = simulate(graph, [0, 5], model="sir", recovery_probability=1.0, **options)
    assert abs(once.mean - ill.mean) < 5 * once.std * (2 / RUNS) ** 0.5


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    """With the chance 1 everyone in reach is infected in every run, with 0 the seeds alone."""
    graph = shape(name, directed=directed)
    start = [0] if graph.num_vertices else None
    hops = ew.bfs(graph, 0).distance if start else np.empty(0, np.int32)
    reached = hops < np.iinfo(hops.dtype).max
    for runs in (2, 65):
        found = simulate(graph, start, probability=1.0, runs=runs)
        assert found.infected.tolist() == reached.tolist() and found.std == 0
        assert found.mean == found.low == found.high == reached.sum()
        by_step = [(hops <= step).sum() for step in range(len(found.curve))]
        assert found.curve.tolist() == by_step
        none = simulate(graph, start, probability=0, runs=runs)
        assert none.mean == bool(start) and none.sizes.tolist() == [bool(start)] * runs
    anywhere = simulate(graph, probability=0, runs=70)
    assert anywhere.sizes.tolist() == [min(1, graph.num_vertices)] * 70


def test_one_run_by_hand():
    """Coins are those of the edge's key and the run, so a single run can be followed."""
    graph, runs = LARGER, 200
    found = simulate(graph, [3, 9], probability=0.2, runs=runs, seed=5)
    u, v, _ = graph.arcs()
    keys = edge_keys(graph)
    level = chances(graph, "independent_cascade", 0.2).thresholds
    for run in (0, 63, 64, 199):
        bit = np.uint64(run % 64)
        live = ew.random.coins(level, np.uint64(1) << bit, 5, keys, run // 64) != 0
        part = Graph.from_edges(u[live], v[live], num_vertices=graph.num_vertices, directed=True)
        reached = [ew.bfs(part, one).distance < 2**31 - 1 for one in (3, 9)]
        assert found.sizes[run] == (reached[0] | reached[1]).sum()


@pytest.mark.parametrize("model", [*MODELS[:2], later("sir"), "seir"])
def test_every_number_of_threads_gives_the_same(model):
    found = []
    for team in TEAMS:
        with ew.threads(team):
            found.append(simulate(LARGER, [0, 1, 2], model=model, runs=5000, seed=4))
    for other in found[1:]:
        assert_same(list(other), list(found[0]))


@pytest.mark.parametrize(
    ("model", "graph"),
    [(MODELS[0], UNDIRECTED), (MODELS[1], LARGER), (MODELS[3], UNDIRECTED),
     later(MODELS[0], LARGER), later(MODELS[1], UNDIRECTED), later(MODELS[2], LARGER),
     later(MODELS[3], LARGER)],
)  # fmt: skip
def test_on_a_grid(model, graph):
    def work(given):
        options = {"model": model, "probability": 0.01, "runs": 150, "seed": 1, "immune": [7, 9]}
        found = simulate(given, [0, 1, 2], **options)
        drawn = simulate(given, **{**options, "runs": 70, "probability": "weighted_cascade"})
        return [*found, *drawn]

    wanted = work(graph)
    for grid, distribution in (((2, 2), "striped"), ((1, 3), "random")):
        assert_same(on_ranks(work, grid, graph, distribution=distribution), wanted)


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore:.*overflow encountered")  # words wrap around, as is meant
@pytest.mark.parametrize("model", MODELS)
def test_on_a_gpu(model):
    if reason := no_gpu():
        pytest.skip(reason)
    options = {"model": model, "runs": 70, "seed": 1, "immune": [3], "max_steps": 3}
    for graph, seeds in ((TINY["undirected"], [0, 2]), (SMALLER, None)):
        wanted = simulate(graph, seeds, **options)
        found = simulate(graph.to("cuda"), seeds, **options)
        assert_same(list(found._replace(infected=host(found.infected))), list(wanted))


def test_passes_of_a_few_words_give_the_same(monkeypatch):
    from edgewise.algorithms.influence import runs

    for model in ("sir", "independent_cascade"):
        options = {"runs": 700, "seed": 9, "model": model}
        with monkeypatch.context() as patch:
            wide = simulate(LARGER, [0, 4], **options)
            patch.setattr(runs, "_WIDEST", 3)
            narrow = simulate(LARGER, [0, 4], **options)
        assert_same(list(narrow), list(wide))


@pytest.mark.parametrize("graph", [LARGER, TINY["undirected"]], ids=["directed", "undirected"])
@pytest.mark.parametrize("model", MODELS[:2])
def test_edges_drawn_beforehand_have_the_same_coins(model, graph, monkeypatch):
    from edgewise.algorithms.influence import live

    options = {"model": model, "runs": 700, "seed": 9, "immune": [2]}
    givens = [{"sources": [0, 4]}, {"sources": None}, {"sources": [0, 4], "max_steps": 1},
              {"sources": [0], "max_steps": 0}]  # fmt: skip
    wanted = [simulate(graph, **options, **given) for given in givens]
    monkeypatch.setattr(live, "_MANY", 0)
    monkeypatch.setattr(live, "_OFTEN", 0)
    for cache in (1, 3 * 12 * graph.num_arcs):
        monkeypatch.setattr(live, "_CACHE", cache)
        for given, one in zip(givens, wanted, strict=True):
            assert_same(list(simulate(graph, **options, **given)), list(one))
    monkeypatch.setattr(live, "_MOST", 0)
    assert_same(list(simulate(graph, **options, **givens[0])), list(wanted[0]))


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore:.*overflow encountered")
@pytest.mark.parametrize("model", MODELS[:2])
def test_edges_drawn_beforehand_on_a_gpu(model, monkeypatch):
    from edgewise.algorithms.influence import live

    if reason := no_gpu():
        pytest.skip(reason)
    options = {"model": model, "runs": 130, "seed": 1, "immune": [3]}
    wanted = simulate(SMALLER, [0, 2], **options)
    monkeypatch.setattr(live, "_MANY", 0)
    monkeypatch.setattr(live, "_OFTEN", 0)
    found = simulate(SMALLER.to("cuda"), [0, 2], **options)
    assert_same(list(found._replace(infected=host(found.infected))), list(wanted))


def test_the_immune_stay_out_and_coins_stay():
    """Runs that reach no immune vertex are what they were; others are smaller."""
    options = {"runs": 3000, "probability": 0.15, "seed": 3}
    for model in MODELS[:2]:
        chance = 0.15 if model == "independent_cascade" else "weighted_cascade"
        options = {"runs": 3000, "probability": chance, "seed": 3, "model": model}
        before = simulate(LARGER, [0, 1], **options)
        after = simulate(LARGER, [0, 1], immune=[2, 3, 17], **options)
        assert (after.sizes <= before.sizes).all() and after.mean < before.mean
        assert not after.infected[[2, 3, 17]].any()
        whole = simulate(LARGER, [0, 1], immune=[], **options)
        assert_same(list(whole), list(before))
    drawn = simulate(LARGER, immune=np.arange(LARGER.num_vertices), runs=100)
    assert drawn.mean == 0 and len(drawn.curve) == 1


def test_every_run_may_have_its_own_seeds():
    runs = 130
    rows = np.stack([np.arange(runs), np.arange(runs) % 7], axis=1)
    found = simulate(LARGER, rows, probability=0.1, runs=runs, seed=6)
    for run in (0, 64, 129):
        one = simulate(LARGER, rows[run], probability=0.1, runs=runs, seed=6)
        assert one.sizes[run] == found.sizes[run]
    drawn = simulate(LARGER, probability=0, runs=20_000)
    assert abs(drawn.infected - 1 / LARGER.num_vertices).max() < 0.002


def test_labels_and_seeds_given_twice():
    graph = Graph.from_edges(["a", "b", "b"], ["b", "c", "d"], directed=True)
    named = simulate(graph, ["a", "c", "a"], runs=100)
    assert_same(list(named), list(simulate(graph, graph.vertex(["c", "a"]), runs=100)))
    assert named.mean == 4  # every other vertex has one edge in


def test_edges_between_the_same_two_have_coins_of_their_own():
    twice = Graph([0, 2, 2], [1, 1], directed=True)
    assert len(set(edge_keys(twice).tolist())) == 2
    found = simulate(twice, 0, probability=0.5, runs=RUNS)
    near(found.mean, 1.75, found.std)


def test_steps_end_it():
    path = shape("path", directed=True)
    for model in MODELS:
        found = simulate(path, 0, model=model, probability=1.0, runs=64, max_steps=3)
        assert len(found.curve) == 4 and found.mean <= 4
    assert simulate(path, 0, max_steps=0, runs=2).curve.tolist() == [1.0]
    slow = simulate(
        path, 0, model="sir", probability=0.1, recovery_probability=0, max_steps=8, runs=64
    )
    assert slow.states[-1, 3] == 0 and len(slow.curve) == 9


def test_what_is_refused():
    graph = LARGER
    with pytest.raises(ValueError, match="runs must be at least 2, got 1"):
        simulate(graph, 0, runs=1)
    with pytest.raises(
        ValueError, match=r"sources must be a vertex id|sources\[1\] must be a vertex"
    ):
        simulate(graph, [0, 10**6])
    for nobody in ([], np.empty((10, 0), int)):
        with pytest.raises(ValueError, match="sources must name at least one vertex, got none"):
            simulate(graph, nobody, runs=10)
    with pytest.raises(
        ValueError,
        match="max_steps must be given where recovery_probability or incubation_probability is 0",
    ):
        simulate(graph, 0, model="sir", recovery_probability=0)
    with pytest.raises(ValueError, match="sources must not be immune, got 3"):
        simulate(graph, [1, 3], immune=[3])
    with pytest.raises(ValueError, match="sources must have a row for each of 10 runs, got 4"):
        simulate(graph, np.zeros((4, 2), int), runs=10)
    with pytest.raises(
        ValueError, match="recovery_probability has no meaning for model 'independent_cascade'"
    ):
        simulate(graph, 0, recovery_probability=0.5)
    with pytest.raises(ValueError, match="max_steps must be at least 0, got -1"):
        simulate(graph, 0, max_steps=-1)
