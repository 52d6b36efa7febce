"""Alignments of a graph with a renumbered copy with some other edges, beside IsoRank in NumPy.

IsoRank iterates a dense matrix, with shares of degrees as its prior, and SciPy's exact assignment
rounds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.applications.part import Part, timed

__all__ = ["ALIGNMENT"]


def ours(first: Any, second: Any) -> np.ndarray:
    """The partner of each vertex by `align_graphs`."""
    from edgewise.apps import align_graphs

    return align_graphs(first, second).vertices


def isorank(first: Any, second: Any, alpha: float = 0.9, turns: int = 20) -> np.ndarray:
    """The partner of each vertex."""
    from scipy.optimize import linear_sum_assignment

    a, b = (one.to_scipy().astype(float).tocsr() for one in (first, second))
    left, right = (np.asarray(one.sum(axis=1)).ravel() for one in (a, b))
    prior = np.minimum.outer(left, right) / np.maximum(np.maximum.outer(left, right), 1)
    prior /= prior.sum()
    score, left, right = prior, np.maximum(left, 1), np.maximum(right, 1)
    for _ in range(turns):
        passed = a @ (score / left[:, None] / right[None]) @ b
        score = alpha * passed + (1 - alpha) * prior
        score /= score.sum()
    return linear_sum_assignment(score, maximize=True)[1]


def rows(quick: bool) -> Iterator[tuple]:
    import edgewise as ew

    for n in (100,) if quick else (1000, 5000):
        graph = ew.generators.barabasi_albert(n, 5, seed=1)
        sources, targets, _ = graph.edges()
        ours(graph, graph)  # compiles
        for noise, added in ((0.0, 0), (0.05, 0), (0.1, 0), (0.2, 0), (0.05, 1), (0.1, 1)):
            rng = np.random.default_rng(2)
            order, kept = rng.permutation(n), rng.random(len(sources)) >= noise
            more = rng.integers(0, n, (2, added * int((~kept).sum())))
            other = ew.Graph.from_edges(
                np.r_[order[sources[kept]], more[0]], np.r_[order[targets[kept]], more[1]],
                num_vertices=n,
            ).without_self_loops()  # fmt: skip
            ways = {"align_graphs": partial(ours, graph, other)}
            if n <= 1000:
                ways["IsoRank, dense"] = partial(isorank, graph, other)
            for way, run in ways.items():
                spent, mates = timed(run)
                u, v = mates[sources], mates[targets]
                both = (u >= 0) & (v >= 0)
                held = other.to_scipy().tocsr()[u[both], v[both]].sum()
                yield (way, n, 100 * noise, 100 * noise * added, 100 * (mates == order).mean(),
                       100 * held / other.num_edges, spent)  # fmt: skip


ALIGNMENT = Part(
    "Alignments",
    "Barabási-Albert graphs with 5 edges per new vertex, beside a renumbered copy without some "
    "edges, or with as many random ones instead. IsoRank iterates a dense matrix in NumPy, and an "
    "exact assignment rounds it.",
    {"way": "word", "vertices": "count", "edges removed, %": "percent",
     "edges added, %": "percent", "vertices found, %": "percent",
     "edges preserved, %": "percent", "time": "time"},
    rows,
)  # fmt: skip
