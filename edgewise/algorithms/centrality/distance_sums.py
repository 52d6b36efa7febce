"""For every vertex the sum of its distances, or of their inverses: what closeness is made of.

By hops, 512 sources are searched from at once (`lanes`), and a vertex adds the distance of the
level to its own sum for each search that reaches it. Where paths are long or the graph is small,
there is a search per source, many beside one another (`explore`); by length one after the other.
Distances are those *to* a vertex: sources search along the edges. For a few chosen vertices these
search backwards instead, and their sums are counts of bits by search, level by level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.bit_parallel import batches, levels, search, settle, shares
from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.base import atomic
from edgewise.base.checks import check_choice, check_count
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import compute, explore, reduce_all
from edgewise.operators.exploring import beside, maybe_beside, surely_beside
from edgewise.operators.lanes import lane_counts
from edgewise.operators.monoids import add_each

__all__ = ["Sums", "check_sample", "distance_sums"]


class Sums(NamedTuple):
    """Over the sources that reach a vertex, itself among them: the sum, and their number.

    A sum is of distances, or of their inverses, in which the vertex itself counts nothing. Of
    vertices that nobody asked for both are NaN.
    """

    total: Any
    reached: Any


def check_sample(graph: AnyGraph, k: Any, seed: Any, name: str = "k") -> Any:
    """``k`` different vertices drawn by ``seed``, ascending; all of them if ``k`` is None."""
    n = graph.num_vertices
    if k is None:
        return np.arange(n)
    if check_count(k, name, 1) > n:
        raise ValueError(f"{name} must be at most the number of vertices ({n}), got {k}")
    return np.sort(np.argsort(hashed(seed, np.arange(n)), kind="stable")[:k])


def distance_sums(graph: AnyGraph, vertices: Any, k: Any, weights: Any, seed: Any, *,
                  inverse: bool) -> Sums:  # fmt: skip
    """Sums for all vertices, from ``k`` drawn sources or from all; or for some ``vertices``."""
    if k is not None and vertices is not None:
        raise TypeError("give k or vertices, not both")
    unit = isinstance(weights, str)
    if unit:
        check_choice(weights, "weights", ("unit",))
    if vertices is not None:
        chosen = check_vertices(graph, vertices, "vertices")
        found = _of_some(graph, chosen, weights, unit, inverse)
        return Sums(*(_spread(graph, chosen, column) for column in found))
    sources = check_sample(graph, k, seed)
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


def _together(graph: AnyGraph, sources: np.ndarray, edges: str = "out") -> bool:
    """Is it better to search from all of them at once? If that is worth it, one tells."""
    if surely_beside(graph, len(sources)):
        return False
    if not maybe_beside(graph, len(sources)):
        return True
    return shares(graph, hops(graph, int(sources[0]), edges=edges).distance, len(sources))


def _searches(graph: AnyGraph, sources: np.ndarray, weights: Any, edges: str) -> Any:
    """One search after the other: its number, its distances, and what stands for none."""
    if isinstance(weights, str):
        for turn, source in enumerate(sources.tolist()):
            yield turn, hops(graph, source, edges=edges).distance, np.iinfo(np.int32).max
        return
    metric = metric_of(graph, weights)
    for turn, source in enumerate(sources.tolist()):
        yield turn, lengths_from(graph, source, weights, metric, edges=edges), metric.far


def _of_some(graph: AnyGraph, chosen: np.ndarray, weights: Any, unit: bool, inverse: bool) -> Any:
    """The sum and the number for each chosen vertex, in two lists: searches go backwards."""
    total, reached = np.zeros(len(chosen)), np.zeros(len(chosen))
    together = unit and _together(graph, chosen, "in")
    if unit and not together and beside(graph, len(chosen)):
        found = graph.xp.zeros(len(chosen)), graph.xp.zeros(len(chosen))
        explore(graph, chosen, _add_here, (*found, inverse), edges="in")
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
        for level in levels(graph, chosen[part], _look, edges="in"):
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
