"""Distances in hops, by breadth-first search from all vertices or from a random sample of them.

The effective diameter is the distance within which 90% of the pairs that reach one another lie,
interpolated between whole hops [1]. From a sample, both it and the mean distance come with a 95%
interval: the sampled sources are drawn again many times (bootstrap), and the spread of the results
is theirs. Where distances are short, the effective diameter is that of all vertices instead: by
HyperBall sketches, of which several give the interval.

[1] J. Leskovec, J. Kleinberg, C. Faloutsos. Graph evolution. ACM TKDD 2007.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.algorithms.distances.effective_diameter import percentile
from edgewise.algorithms.distances.neighborhood_function import ball_sizes
from edgewise.base.checks import check_count
from edgewise.cli.profile.random_words import words

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["distances", "percentile"]

_MOST_BINS = 1024
_DRAWS = 400
#: Up to this distance sketches take no longer than searches; so many of them are made.
_SHALLOW, _SKETCHES = 64, 4
#: Student's t for 95% and one sketch less.
_STUDENT = 3.182


def distances(graph: Graph, *, samples: int, seed: int) -> dict[str, Any]:
    """The distribution of distances from ``samples`` random vertices (or from all)."""
    from edgewise.algorithms.traversal.bfs import bfs

    check_count(samples, "samples", 1)
    n = graph.num_vertices
    sources = _sample(n, samples, seed)
    rows: list[np.ndarray] = []
    sums: list[int] = []
    width, longest, far = 1, 0, None
    for source in sources.tolist():
        reached = bfs(graph, source).distance
        row, largest, vertex = _histogram(reached)
        sums.append(int(np.arange(len(row)) @ row))
        if largest > longest:
            longest, far = largest, vertex
        while len(row) > _MOST_BINS * width:
            width, rows = width * 2, [_merge(old, 2) for old in rows]
        rows.append(_merge(row, width))
    if far is not None and len(sources) < n:  # a second sweep often finds a longer one
        longest = max(longest, _histogram(bfs(graph, far).distance)[1])
    table = np.zeros((len(rows), max(map(len, rows), default=0)))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    exact = len(sources) == n
    found = _averages(table, np.array(sums, float), width, n, exact, seed)
    sketched = not exact and 0 < longest <= _SHALLOW
    if sketched:
        found |= _sketched(graph, seed)
    return {
        "sources": len(sources),
        "exact": exact,
        "longest": longest,
        "sketches": _SKETCHES if sketched else 0,
        **found,
    }


def _averages(table, sums, width: int, n: int, exact: bool, seed: int) -> dict[str, Any]:
    """Means and percentiles over all sources, with their intervals if the sources are a sample."""
    counts = table.sum(axis=0)
    pairs = counts.sum()
    found: dict[str, Any] = {
        "reachable": pairs / (len(table) * (n - 1)) if n > 1 else None,
        "mean": sums.sum() / pairs if pairs else None,
        "mean_interval": None,
        "effective_diameter": percentile(counts, width=width),
        "effective_diameter_interval": None,
        "histogram": {"width": width, "share": (counts / pairs).tolist() if pairs else []},
    }
    if pairs and not exact and len(table) > 1:
        rng = np.random.default_rng(seed)
        times = rng.multinomial(len(table), np.full(len(table), 1 / len(table)), _DRAWS)
        drawn = times @ table
        some = drawn.sum(axis=1) > 0
        means = (times @ sums)[some] / drawn[some].sum(axis=1)
        crossings = np.array([percentile(row, width=width) for row in drawn[some]], float)
        for name, values in (("mean", means), ("effective_diameter", crossings)):
            found[f"{name}_interval"] = _interval(found[name], values, len(table))
    return found


def _sketched(graph: Graph, seed: int) -> dict[str, Any]:
    """The effective diameter by the neighborhood functions of several sketches."""
    found = []
    for run in range(_SKETCHES):
        pairs = np.diff(ball_sizes(graph, seed, run), prepend=0.0)
        pairs[0] = 0.0
        found.append(percentile(pairs) or 0.0)
    mean, half = float(np.mean(found)), _STUDENT * float(np.std(found, ddof=1)) / len(found) ** 0.5
    return {
        "effective_diameter": mean,
        "effective_diameter_interval": [max(0.0, mean - half), mean + half],
    }


def _interval(estimate: float, drawn: np.ndarray, n: int) -> list[float]:
    """The 95% interval of an estimate from ``n`` samples, given what redrawn samples give.

    Student's t (its first-order expansion) and n / (n - 1) allow for a small sample.
    """
    wide = 1.96 * (1 + (1.96**2 + 1) / (4 * (n - 1))) * (n / (n - 1)) ** 0.5
    half = wide * float(drawn.std())
    return [max(0.0, float(estimate - half)), float(estimate + half)]


def _sample(n: int, k: int, seed: int) -> np.ndarray:
    """All vertices, or ``k`` different ones, each as likely as any other."""
    if n <= k:
        return np.arange(n)
    return np.sort(np.argpartition(words(seed, n, 1), k)[:k])


def _histogram(distance: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Vertices at each distance from 1 on, the largest distance, and a vertex that has it."""
    unreached = np.iinfo(distance.dtype).max
    shown = np.where(distance == unreached, 0, distance)
    vertex = int(shown.argmax())
    row = np.bincount(shown)
    row[0] = 0
    return row, int(shown[vertex]), vertex


def _merge(row: np.ndarray, width: int) -> np.ndarray:
    """Neighboring bins added together, ``width`` to one."""
    return np.add.reduceat(row, np.arange(0, len(row), width)) if width > 1 else row
