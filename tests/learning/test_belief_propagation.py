"""Belief propagation: all assignments of small fields are enumerated."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from edgewise import ConvergenceError, Graph, generators
from edgewise.learning import belief_propagation


def field(graph: Graph, states: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    return (rng.random((graph.num_vertices, states)) + 0.05,
            rng.random((graph.num_edges, states, states)) + 0.1)  # fmt: skip


def enumerated(graph, potentials, pairwise):
    """The marginals, and the best assignment, of all assignments."""
    n, states = potentials.shape
    marginals, best = np.zeros((n, states)), (0.0, ())
    for one in product(range(states), repeat=n):
        weight = np.prod([potentials[v, x] for v, x in enumerate(one)])
        for e, (u, v) in enumerate(zip(*graph.edges()[:2], strict=True)):
            weight *= pairwise[e, one[u], one[v]]
        marginals[np.arange(n), one] += weight
        best = max(best, (weight, one))
    return marginals / marginals.sum(axis=1, keepdims=True), list(best[1])


TREES = {
    "tree": Graph.from_edges([0, 0, 3, 3, 5], [2, 3, 1, 4, 0]),
    "forest": Graph.from_edges([0, 2, 3], [1, 3, 4], num_vertices=6),
    "path": generators.path(6),
    "star": generators.star(6),
}


@pytest.mark.parametrize("states", [1, 2, 3])
@pytest.mark.parametrize("graph", TREES.values(), ids=TREES)
def test_exact_on_trees(graph, states):
    potentials, pairwise = field(graph, states)
    marginals, best = enumerated(graph, potentials, pairwise)
    found = belief_propagation(graph, potentials, pairwise=pairwise, tol=1e-12)
    assert np.allclose(found.marginals, marginals, atol=1e-9)
    most = belief_propagation(graph, potentials, pairwise=pairwise, method="max_product", tol=1e-12)
    assert most.states.tolist() == best
    slow = belief_propagation(graph, potentials, pairwise=pairwise, damping=0.5, tol=1e-12)
    assert np.allclose(slow.marginals, marginals, atol=1e-8) and slow.iterations >= found.iterations


def test_near_on_cycles():
    graph = generators.cycle(7)
    potentials, _ = field(graph, 2)
    weak = np.array([[1.2, 1.0], [1.0, 1.2]])
    marginals, _ = enumerated(graph, potentials, np.repeat(weak[None], 7, axis=0))
    found = belief_propagation(graph, potentials, pairwise=weak)
    assert np.allclose(found.marginals, marginals, atol=0.01)
    assert np.allclose(found.marginals.sum(axis=1), 1)


def test_many_vertices_do_not_underflow():
    graph = generators.path(3000)
    potentials = np.ones((3000, 2)) * 1e-200
    potentials[0] = [0, 1e-200]
    found = belief_propagation(graph, potentials, pairwise=[[9, 1], [1, 9]], max_iter=4000)
    assert found.states[:10].tolist() == [1] * 10 and np.isfinite(found.marginals).all()
    assert found.marginals[1, 1] == pytest.approx(0.9) and found.marginals[0, 0] < 1e-200


def test_no_convergence_is_told():
    graph, strong = generators.complete(5), np.array([[0.01, 1.0], [1.0, 0.01]])
    potentials = np.ones((5, 2)) + np.arange(10).reshape(5, 2) / 7
    with pytest.raises(ConvergenceError) as told:
        belief_propagation(graph, potentials, pairwise=strong, max_iter=30)
    assert told.value.best.iterations == 30 and told.value.best.marginals.shape == (5, 2)


def test_weights_are_ignored_unless_factors_are_made_of_them():
    plain, weights = generators.path(3), np.array([0.5, 3.0])
    heavy, potentials = plain.with_weights(weights), [[4, 1], [1, 1], [1, 1]]
    one, two = (belief_propagation(graph, potentials, pairwise=[[2, 1], [1, 2]]).marginals
                for graph in (plain, heavy))  # fmt: skip
    assert (one == two).all()
    own = np.exp(weights[:, None, None] * np.eye(2))
    marginals, _ = enumerated(plain, np.array(potentials), own)
    assert np.allclose(belief_propagation(heavy, potentials, pairwise=own).marginals, marginals)


def test_no_edges():
    lonely = Graph.from_edges([], [], num_vertices=2)
    found = belief_propagation(lonely, [[1, 3], [1, 1]], pairwise=np.ones((2, 2)))
    assert np.allclose(found.marginals, [[0.25, 0.75], [0.5, 0.5]]) and found.iterations == 0


@pytest.mark.parametrize(
    ("potentials", "options", "message"),
    [
        ([[1, 1]], {}, r"shape \(3, states\), got \(1, 2\)"),
        (np.zeros((3, 2)), {}, "nor 0 for all states"),
        (-np.ones((3, 2)), {}, "not be negative"),
        (np.full((3, 2), np.nan), {}, "potentials must be finite"),
        ("abc", {}, "potentials must be numbers"),
        (np.ones((3, 2)), {"pairwise": np.ones((3, 3))}, "pairwise must have shape"),
        (np.ones((3, 2)), {"pairwise": np.zeros((2, 2))}, "pairwise must be positive"),
        (np.ones((3, 2)), {"pairwise": [[1, 2], [3, 1]]}, "symmetric"),
        (np.ones((3, 2)), {"method": "best"}, "method must"),
        (np.ones((3, 2)), {"damping": 1.0}, "damping must"),
        (np.ones((3, 2)), {"max_iter": 0}, "max_iter must"),
    ],
)
def test_wrong_arguments_are_named(potentials, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        belief_propagation(generators.path(3), potentials, **{"pairwise": np.ones((2, 2)),
                                                              **options})  # fmt: skip
    for graph in (Graph.from_edges([0], [1], directed=True), Graph.from_edges([0, 0], [0, 1])):
        with pytest.raises(ValueError, match="undirected and have no self-loops"):
            belief_propagation(graph, np.ones((2, 2)), pairwise=np.ones((2, 2)))
