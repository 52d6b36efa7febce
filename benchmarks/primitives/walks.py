"""Random walks beside igraph's, which are one call each, and beside steps of NumPy arrays."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]

_WALKS, _LENGTH, _BIAS = 100_000, 40, {"p": 0.5, "q": 2.0}


def _sources(graph: Any) -> np.ndarray:
    """Vertices with edges, by turns."""
    there = np.flatnonzero(np.diff(graph.indptr))
    return there[np.arange(_WALKS) * 7919 % len(there)]


def _prepared(graph: Any) -> tuple[Any, Any]:
    sources = _sources(graph if graph.device == "cpu" else graph.to("cpu"))
    return graph, graph.xp.asarray(sources)


def _walk(given: tuple[Any, Any]) -> Any:
    return ew.random_walk(*given, length=_LENGTH, weights=None)


def _walk_biased(given: tuple[Any, Any]) -> Any:
    return ew.node2vec_walk(*given, length=_LENGTH, weights=None, **_BIAS)


def _igraph(graph: Any) -> tuple[Any, list[int]]:
    import igraph

    u, v, _ = graph.arcs() if graph.directed else graph.edges()
    pairs = np.column_stack([u, v])
    made = igraph.Graph(graph.num_vertices, pairs, directed=graph.directed)
    return made, _sources(graph).tolist()


def _walk_igraph(given: tuple[Any, list[int]]) -> np.ndarray:
    graph, sources = given
    walks = np.full((len(sources), _LENGTH + 1), -1)
    for row, source in zip(walks, sources, strict=True):
        walk = graph.random_walk(source, _LENGTH, mode="out")
        row[: len(walk)] = walk
    return walks


def _numpy(graph: Any) -> tuple[Any, np.ndarray, np.random.Generator]:
    u, v, _ = graph.arcs()
    keys = np.append(u.astype(np.int64) * graph.num_vertices + v, 2**62)  # ascending, one past
    return (graph, keys), _sources(graph), np.random.default_rng(1)


def _walk_numpy(given: Any, p: float = 1.0, q: float = 1.0) -> np.ndarray:
    (graph, keys), sources, rng = given
    walks = np.full((len(sources), _LENGTH + 1), -1)
    walks[:, 0] = sources
    degrees, largest = np.diff(graph.indptr), max(1.0, 1 / p, 1 / q)
    for t in range(_LENGTH):
        left = np.flatnonzero(walks[:, t] >= 0)
        left = left[degrees[walks[left, t]] > 0]
        while len(left):
            here, before = walks[left, t], walks[left, max(t - 1, 0)]
            place = (rng.random(len(left)) * degrees[here]).astype(np.int64)
            there = graph.indices[graph.indptr[here] + place]
            walks[left, t + 1] = there
            if t == 0 or p == q == 1:
                break
            wanted = before * graph.num_vertices + there
            near = keys[np.searchsorted(keys, wanted)] == wanted
            factor = np.where(there == before, 1 / p, np.where(near, 1.0, 1 / q))
            left = left[rng.random(len(left)) * largest >= factor]
    return walks


def _as_far(ours: Any, theirs: Any) -> bool:
    """As many walks, that went about as far."""
    here, there = (int((walks >= 0).sum()) for walks in (ours, theirs))
    return ours.shape == theirs.shape and abs(here - there) <= 0.01 * there


_EVERY = ("kron18", "cnr-2000", "com-dblp", "road1000")
ROWS = [
    Row("random_walk", _EVERY, _walk,
        {"igraph": (_igraph, _walk_igraph), "NumPy": (_numpy, _walk_numpy)}, _as_far, _prepared),
    Row("node2vec_walk", _EVERY, _walk_biased,
        {"NumPy": (_numpy, partial(_walk_numpy, **_BIAS))}, _as_far, _prepared),
]  # fmt: skip
