"""Beliefs: a noisy picture beside single pixels and votes, and a tree beside exact marginals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["BELIEFS", "on_tree"]


def on_tree(parents: np.ndarray, own: np.ndarray, between: np.ndarray) -> np.ndarray:
    """The exact marginals of a tree whose parents come before their children, vertex by vertex."""
    up, down = np.ones_like(own), np.ones_like(own)
    inside = own.copy()
    for v in range(len(own) - 1, 0, -1):
        up[v] = between @ inside[v]
        up[v] /= up[v].sum()
        inside[parents[v]] *= up[v]
        inside[parents[v]] /= inside[parents[v]].sum()
    for v in range(1, len(own)):
        p = parents[v]
        down[v] = between @ (inside[p] * down[p] / up[v])
        down[v] /= down[v].sum()
    found = inside * down
    return found / found.sum(axis=1, keepdims=True)


def by_votes(adjacency: Any, seen: np.ndarray, agree: float, trust: float) -> np.ndarray:
    """Iterated conditional modes: each pixel takes the state that fits its neighbors best."""
    state = seen.copy()
    for _ in range(20):
        ones, all_ = adjacency @ state, np.asarray(adjacency.sum(axis=1)).ravel()
        state = ((2 * ones - all_) * agree + (2 * seen - 1) * trust > 0).astype(float)
    return state


def rows(quick: bool) -> Iterator[tuple]:
    import edgewise as ew
    from edgewise.learning import belief_propagation

    side, rng = 20 if quick else 200, np.random.default_rng(1)
    x, y = np.indices((side, side)) / side
    truth = (((x - 0.5) ** 2 + (y - 0.4) ** 2 < 0.1) ^ (x > 0.8)).ravel()
    graph, seen = ew.generators.grid_2d(side, side), truth ^ (rng.random(side * side) < 0.2)
    potentials = np.where(seen[:, None] == np.array([False, True]), 0.8, 0.2)
    pairwise = np.array([[2.0, 1.0], [1.0, 2.0]])
    adjacency = graph.to_scipy().astype(float)
    picture = f"picture of {side} x {side}, 20 % noise"
    yield picture, "noisy pixels", 100 * (seen != truth).mean(), None, None, None
    votes = partial(by_votes, adjacency, seen.astype(float), np.log(2), np.log(4))
    spent, voted = timed(votes, 3)
    wrong = 100 * (voted != truth).mean()
    yield picture, "votes of neighbors (ICM, NumPy)", wrong, None, None, spent
    for method in ("sum_product", "max_product"):
        run = partial(belief_propagation, graph, potentials, pairwise=pairwise, method=method,
                      damping=0.3, tol=1e-4)  # fmt: skip
        spent, found = timed(run, 3)
        wrong = 100 * (found.states != truth).mean()
        yield picture, f"belief_propagation, {method}", wrong, None, found.iterations, spent
    n = 200 if quick else 10_000
    parents = np.r_[0, (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)]
    tree = ew.Graph.from_edges(parents[1:], np.arange(1, n), num_vertices=n)
    own, between = rng.random((n, 3)) + 0.05, rng.random((3, 3)) + 0.1
    between += between.T
    exact_time, exact = timed(lambda: on_tree(parents, own, between))
    spent, found = timed(lambda: belief_propagation(tree, own, pairwise=between, tol=1e-12), 3)
    named = f"tree of {n:,} vertices, 3 states"
    error = f"{abs(found.marginals - exact).max():.0e}"
    yield named, "exact, vertex by vertex (Python)", None, None, None, exact_time
    yield named, "belief_propagation", None, error, found.iterations, spent


BELIEFS = Part(
    "Beliefs",
    "A black and white picture of which a fifth of the pixels is wrong, and a random recursive "
    "tree. The error is the largest difference to an exact marginal.",
    {"field": "word", "way": "word", "wrong pixels, %": "percent", "error": "word",
     "rounds": "count", "time": "time"},
    rows,
)  # fmt: skip
