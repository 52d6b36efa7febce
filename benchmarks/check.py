"""Are the answers right? Each is judged by rules that hold for the right answer alone.

Levels and distances are right if no arc could shorten them and each is reached over a tight arc
(GAP and Graph500 verify so); components are compared with SciPy's; PageRank may be as far from the
true ranks as twenty plain iterations are; betweenness is compared with a plain Brandes in NumPy, up
to the factor by which libraries differ. Triangles have no short proof: the driver compares the
peers' counts with each other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from benchmarks.graphs import Data
from benchmarks.tasks import ALPHA, ITERATIONS

__all__ = ["fault"]


def fault(data: Data, task: str, start: int | None, answer: Any) -> str | None:
    """What is wrong with an answer; None if it is right or cannot be judged."""
    return None if answer is None else _FAULTS[task](data, start, answer)


def _bfs(data: Data, start: int, answer: Any) -> str | None:
    if hasattr(answer, "parent"):
        problem = _parents(data, start, answer.parent, answer.distance, np.ones(1))
        return problem or _distances(data, start, answer.distance, 1)
    if isinstance(answer, tuple) and answer[0] == "parents":
        answer = _levels(start, answer[2])
    return _distances(data, start, answer, 1)


def _sssp(data: Data, start: int, answer: Any) -> str | None:
    if hasattr(answer, "parent"):
        problem = _parents(data, start, answer.parent, answer.distance, data.weights)
        return problem or _distances(data, start, answer.distance, data.weights)
    return _distances(data, start, answer, data.weights)


def _distances(data: Data, start: int, distance: np.ndarray, weights: Any) -> str | None:
    distance = _unreached_as_infinite(distance)
    if distance[start] != 0:
        return f"the start is at distance {distance[start]}"
    through = distance[data.rows] + weights
    if (distance[data.indices] > through).any():
        return "an arc would shorten a path"
    tight = np.zeros(data.num_vertices, np.bool_)
    tight[data.indices[distance[data.indices] == through]] = True
    tight[start] = True
    if not tight[np.isfinite(distance)].all():
        return "a vertex is nearer than its neighbors allow"
    return None


def _parents(data: Data, start: int, parent, distance, weights) -> str | None:
    """A parent is the near end of a tight arc; nothing but the unreached has none."""
    distance = _unreached_as_infinite(distance)
    if not np.array_equal(np.asarray(parent) < 0, np.isinf(distance) | _only(start, parent)):
        return "parents and distances disagree on who is reached"
    good = (np.asarray(parent)[data.indices] == data.rows) & (
        distance[data.rows] + weights == distance[data.indices]
    )
    found = np.zeros(data.num_vertices, np.bool_)
    found[data.indices[good]] = True
    found[start] = True
    return None if found[np.isfinite(distance)].all() else "a parent is not on a shortest path"


def _only(start: int, parent: np.ndarray) -> np.ndarray:
    """The start counts as without parent where the library says so."""
    mask = np.zeros(len(parent), np.bool_)
    mask[start] = parent[start] < 0
    return mask


def _unreached_as_infinite(distance: Any) -> np.ndarray:
    """Distances as floats; libraries mark the unreached by inf, a type's maximum or below 0."""
    distance = np.asarray(distance).astype(np.float64)
    return np.where((distance < 0) | (distance >= 2.0**31 - 1), np.inf, distance)


def _levels(start: int, parent: np.ndarray) -> np.ndarray:
    """The level of each vertex of a tree, by doubling pointers toward the root."""
    reached = parent >= 0
    reached[start] = True
    up = np.where(reached, parent, np.arange(len(parent)))
    up[start] = start
    level = (up != np.arange(len(up))).astype(np.float64)
    while (up[up] != up).any():
        level, up = level + level[up], up[up]
    return np.where(reached & (up == start), level, np.inf)


def _pagerank(data: Data, start: None, answer: np.ndarray) -> str | None:
    true, plain = _true_rank(data), _plain_rank(data, ITERATIONS)
    limit = 1.5 * np.abs(plain - true).sum() + 1e-5
    return _far(answer, true, limit)


def _pagerank_converged(data: Data, start: None, answer: np.ndarray) -> str | None:
    return _far(answer, _true_rank(data), 1e-8)


def _far(answer: np.ndarray, true: np.ndarray, limit: float) -> str | None:
    answer = np.asarray(answer, np.float64)
    error = np.abs(answer / answer.sum() - true).sum()
    return None if error <= limit else f"ranks differ by {error:.1e}, allowed are {limit:.1e}"


def _components(data: Data, start: None, answer: np.ndarray) -> str | None:
    from scipy.sparse import csgraph

    count, labels = csgraph.connected_components(data.scipy(), directed=False)
    answer = np.unique(np.asarray(answer), return_inverse=True)[1]
    pairs = np.unique(labels.astype(np.int64) * data.num_vertices + answer)
    if len(pairs) == count == answer.max() + 1:
        return None
    return f"{answer.max() + 1} components that differ from SciPy's {count}"


def _triangles(data: Data, start: None, answer: int) -> str | None:
    return None if answer >= 0 else f"{answer} triangles"


def _betweenness(data: Data, start: int, answer: np.ndarray) -> str | None:
    true, answer = _brandes(data, start).copy(), np.array(answer, np.float64)
    if not np.isfinite(answer).all():
        return "it overflows"
    true[start] = answer[start] = 0
    true, answer = true / (true.max() or 1), answer / (answer.max() or 1)
    error = np.abs(true - answer).max()
    return None if error < 1e-5 else f"scores differ by {error:.1e} of the largest"


def _build(data: Data, start: None, answer: Any) -> str | None:
    indptr, indices = _built(data)
    if not isinstance(answer, tuple):
        return None if answer == len(indices) else f"{answer} arcs instead of {len(indices)}"
    same = np.array_equal(indptr, answer[0]) and np.array_equal(indices, answer[1])
    return None if same else "its rows differ from SciPy's"


def _read(data: Data, start: None, answer: int) -> str | None:
    """Readers that keep repeated edges find every line, the others every edge."""
    allowed = (len(data.indices) // 2, len(data.sources))
    return None if answer in allowed else f"{answer} edges instead of {allowed[0]}"


@cache
def _true_rank(data: Data) -> np.ndarray:
    return _plain_rank(data, 150)


@cache
def _plain_rank(data: Data, iterations: int) -> np.ndarray:
    n, degrees = data.num_vertices, np.diff(data.indptr)
    shares, sinks, rank = data.scipy(1 / degrees[data.indices]), degrees == 0, np.full(n, 1 / n)
    for _ in range(iterations):
        rank = ALPHA * (shares @ rank + rank[sinks].sum() / n) + (1 - ALPHA) / n
    return rank


@cache
def _brandes(data: Data, start: int) -> np.ndarray:
    """Levels, then path counts forward and credit backward, one level of arcs at a time.

    A large grid has more shortest paths than a double can count.
    """
    from scipy.sparse import csgraph

    n = data.num_vertices
    level = _levels(start, csgraph.breadth_first_order(data.scipy(), start)[1])
    reached = np.isfinite(level)[data.rows]
    arcs = np.flatnonzero(reached & (level[data.rows] + 1 == level[data.indices]))
    arcs = arcs[np.argsort(level[data.rows[arcs]], kind="stable")]
    near, far = data.rows[arcs], data.indices[arcs]
    cuts = np.flatnonzero(np.diff(level[near])) + 1
    steps = list(zip(np.split(near, cuts), np.split(far, cuts), strict=True))
    paths, credit = np.zeros(n, np.longdouble), np.zeros(n, np.longdouble)
    paths[start] = 1
    for near, far in steps:
        np.add.at(paths, far, paths[near])
    for near, far in reversed(steps):
        np.add.at(credit, near, paths[near] / paths[far] * (1 + credit[far]))
    return credit.astype(np.float64)


@cache
def _built(data: Data) -> tuple[np.ndarray, np.ndarray]:
    from scipy.sparse import coo_array

    shape = (data.num_vertices,) * 2
    ones = np.ones(len(data.sources), np.int32)
    matrix = coo_array((ones, (data.sources, data.targets)), shape).tocsr()
    matrix.sum_duplicates()
    return matrix.indptr, matrix.indices


_FAULTS: dict[str, Callable[[Data, Any, Any], str | None]] = {
    "bfs": _bfs,
    "sssp": _sssp,
    "pagerank": _pagerank,
    "pagerank_converged": _pagerank_converged,
    "connected_components": _components,
    "triangle_count": _triangles,
    "betweenness_centrality": _betweenness,
    "build": _build,
    "read": _read,
}
