"""Sums of distances, or of inverse distances, to every vertex: the basis of closeness centrality.

Unweighted, one sweep searches from 512 sources at once (`bit_parallel`). Each vertex adds the depth
of the level to its sum for every search that reaches it. On small graphs and graphs of large
diameter there is one search per source, many side by side (`explore`). With weights they run one
after another.

Distances are those *to* a vertex: sources search along the edges. If only a few vertices are
requested, these search backward instead, and their sums are bit counts per search and level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.bit_parallel import batches, levels, search, settle, shares
from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.algorithms.weighting import edge_weights
from edgewise.base import atomic
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import compute, explore, reduce_all
from edgewise.operators.exploring import beside, maybe_beside, surely_beside
from edgewise.operators.lanes import lane_counts
from edgewise.operators.monoids import add_each

__all__ = ["Sums", "check_sample", "distance_sums", "sums_of"]


class Sums(NamedTuple):
    """The sum over the sources that reach a vertex, including itself, and their number.

    ``total`` sums distances or inverse distances; the vertex itself adds 0. ``reached`` is the
    number of sources. Both are NaN for vertices that were not requested.
    """

    total: Any
    reached: Any


def check_sample(graph: AnyGraph, k: Any, seed: Any, name: str = "k") -> Any:
    """Return ``k`` distinct vertices drawn by ``seed``, ascending; all if ``k`` is None."""
    n = graph.num_vertices
    if k is None:
        return np.arange(n)
    if check_count(k, name, 1) > n:
        raise ValueError(f"{name} must be at most the number of vertices ({n}), got {k}")
    return np.sort(np.argsort(hashed(seed, np.arange(n)), kind="stable")[:k])


def distance_sums(graph: AnyGraph, vertices: Any, k: Any, weights: Any, seed: Any, *,
                  inverse: bool) -> Sums:  # fmt: skip
    """Return the sums for all vertices, from all or ``k`` sources, or for some ``vertices``."""
    if k is not None and vertices is not None:
        raise TypeError("give k or vertices, not both")
    if vertices is not None:
        chosen = check_vertices(graph, vertices, "vertices")
        found = sums_of(graph, chosen, weights, inverse=inverse)
        return Sums(*(_spread(graph, chosen, column) for column in found))
    unit = edge_weights(graph, weights) is None
    weights, sources = None if unit else weights, check_sample(graph, k, seed)
    total, reached = graph.full(0.0), graph.full(0.0)
    if unit and _together(graph, sources):
        for part in batches(graph, sources):
            search(graph, sources[part], _add, (total, reached), worth=_worth(inverse))
            notify(part.start, total=len(sources))
        return Sums(total, reached)
    if unit and beside(graph, len(sources)):
        explore(graph, sources, _worth_here, (reached, inverse), sums=total)
        return Sums(total, reached)
    for turn, distance, far in _searches(graph, sources, weights, "out"):
        compute(graph, None, _add_length, (distance, far, inverse, total, reached))
        notify(turn, source=int(sources[turn]), total=len(sources))
    return Sums(total, reached)


def _together(graph: AnyGraph, sources: np.ndarray, mode: str = "out") -> bool:
    """Return whether searching from all sources at once is faster; one search may decide it."""
    if surely_beside(graph, len(sources)):
        return False
    if not maybe_beside(graph, len(sources)):
        return True
    return shares(graph, hops(graph, int(sources[0]), mode=mode).distance, len(sources))


def _searches(graph: AnyGraph, sources: np.ndarray, weights: Any, mode: str) -> Any:
    """One search after the other: its number, its distances, and what stands for none."""
    if weights is None:
        for turn, source in enumerate(sources.tolist()):
            yield turn, hops(graph, source, mode=mode).distance, np.iinfo(np.int32).max
        return
    metric = metric_of(graph, weights)
    for turn, source in enumerate(sources.tolist()):
        yield turn, lengths_from(graph, source, weights, metric, mode=mode), metric.far


def sums_of(graph: AnyGraph, chosen: np.ndarray, weights: Any, *, inverse: bool) -> Any:
    """The sum and the number for each chosen vertex, in two lists: searches go backwards."""
    unit = edge_weights(graph, weights) is None
    weights = None if unit else weights
    total, reached = np.zeros(len(chosen)), np.zeros(len(chosen))
    together = unit and _together(graph, chosen, "in")
    if unit and not together and beside(graph, len(chosen)):
        found = graph.xp.zeros(len(chosen)), graph.xp.zeros(len(chosen))
        explore(graph, chosen, _add_here, (*found, inverse), mode="in")
        return tuple(map(host, found))
    if not together:
        for turn, distance, far in _searches(graph, chosen, weights, "in"):
            state = (distance, far, inverse)
            sums = reduce_all(graph, state, reduce=add_each(2), function=_length)
            total[turn], reached[turn] = sums
            notify(turn, source=int(chosen[turn]), total=len(chosen))
        return total, reached
    worth = _worth(inverse)
    for part in batches(graph, chosen):
        for level in levels(graph, chosen[part], _look, mode="in"):
            counts = lane_counts(graph, level.reached, level.fresh)[: part.stop - part.start]
            total[part] += worth(level.depth) * counts
            reached[part] += counts
        notify(part.start, total=len(chosen))
    return total, reached


def _spread(graph: AnyGraph, chosen: np.ndarray, numbers: np.ndarray) -> Any:
    """An array over vertices with the numbers of those chosen."""
    whole = np.full(graph.num_vertices, np.nan)
    whole[chosen] = numbers
    return graph.xp.asarray(whole)


def _worth(inverse: bool) -> Any:
    return (lambda depth: 1.0 / depth if depth else 0.0) if inverse else float


def _add(v, seen, before, fresh, worth, total, reached):
    found = settle(v, seen, before, fresh)
    total[v] += worth * found
    reached[v] += found


def _worth_here(v, search, depth, reached, inverse):
    atomic.add(reached, v, 1.0)
    return (1.0 / depth if inverse else 1.0 * depth) if depth > 0 else 0.0


def _add_here(v, search, depth, total, reached, inverse):
    atomic.add(reached, search, 1.0)
    if depth > 0:
        atomic.add(total, search, 1.0 / depth if inverse else 1.0 * depth)


def _look(v, seen, before, fresh, depth):
    settle(v, seen, before, fresh)


def _add_length(v, distance, far, inverse, total, reached):
    if distance[v] != far:
        reached[v] += 1.0
        if not inverse:
            total[v] += distance[v]
        elif distance[v] > 0:
            total[v] += 1.0 / distance[v]


def _length(v, distance, far, inverse):
    if distance[v] == far:
        return 0.0, 0.0
    if not inverse:
        return np.float64(distance[v]), 1.0
    return (1.0 / distance[v] if distance[v] > 0 else 0.0), 1.0
