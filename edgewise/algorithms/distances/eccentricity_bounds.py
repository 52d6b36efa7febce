"""Bounds of eccentricities that searches narrow [1], and bit-parallel searches for the rest.

Let v be at distance a from s and b to s. If a search from s ends at depth e, then max(b, e - a) <=
eccentricity[v] <= e + b. A few searches therefore decide most vertices. They start in turns from
the least central and the most central undecided vertex, with ties broken by degree. The diameter
and the radius need far fewer searches than all eccentricities. When searches decide only a few
vertices each, and distances are short, the others are searched from 512 at a time (`bit_parallel`).
In a very small graph one thread searches from every vertex (`all_depths`).

In a directed graph eccentricities follow out-edges, and a and b differ. Both bounds hold for v that
reach s and are reached from it. All vertices that reach s have the lower bound b.

[1] F. Takes, W. Kosters. Computing the eccentricity distribution of large graphs. Algorithms 6(1),
    2013. For the diameter: P. Crescenzi, R. Grossi et al., iFUB. Theoretical Computer Science 514,
    2013.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.distances.all_depths import all_depths
from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.bit_parallel import batches, levels, settle
from edgewise.base.checks import check_choice, check_count
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import OR, Monoid, compute, frontier, reduce_all

__all__ = ["ALL", "GREATEST", "LEAST", "Bounds", "eccentricities"]

#: What is wanted: every eccentricity, the greatest, the least.
ALL, GREATEST, LEAST = range(3)
_FAR = 2**31 - 1
#: Many searches at once take about as long as so many alone, up to 64 of them and up to 512, if
#: none is deeper than this; how many would be needed, the last few show.
_SWEEP_64, _SWEEP_512, _SHALLOW = 12, 100, 64


class Bounds(NamedTuple):
    """No eccentricity lies below ``lower`` or above ``upper`` (2**31 - 1 where unknown)."""

    lower: Any
    upper: Any


def eccentricities(
    graph: AnyGraph, wanted: int, name: str, *, max_searches: Any, on_disconnected: Any
) -> Bounds:
    """Return bounds that are equal where ``wanted`` asks for it, or as ``max_searches`` leave them.

    Unless ``on_disconnected`` is "ignore", every vertex must reach every other.
    """
    check_choice(on_disconnected, "on_disconnected", ("raise", "ignore"))
    most = None if max_searches is None else check_count(max_searches, "max_searches", 1)
    if on_disconnected == "raise":
        _check_connected(graph, name)
    if most is None and (known := all_depths(graph)) is not None:
        return Bounds(known, known)
    degree, ids = graph.row_lengths(), graph.vertex_ids()
    upper = graph.full(_FAR, np.int32)
    upper[degree == 0] = 0
    bounds = Bounds(graph.full(0, np.int32), upper)
    turn, deepest, left = 0, 0, []
    while True:
        best = _best(graph, bounds, wanted)
        first = (turn + (wanted == LEAST)) % 2  # the least central, or the most central
        state = (*bounds, degree, ids, best, wanted, first)
        _, vertex, count = reduce_all(graph, state, reduce=_CHOICE, function=_candidate)
        if count == 0 or turn == most:
            return bounds
        left.append(int(count))
        if most is None and deepest <= _SHALLOW and _together(left):
            _search_from_all(graph, bounds, wanted)
            return bounds
        deepest = max(deepest, _search_from(graph, int(vertex), bounds))
        notify(turn, source=int(vertex), undecided=int(count))
        turn += 1


def _together(left: list[int]) -> bool:
    """Is it quicker to search from all that are left than to go on one by one?

    ``left`` has the number of candidates before each search so far.
    """
    last = 2 if left[-1] <= 512 else 16
    if len(left) <= last:
        return False
    decided = (left[-last - 1] - left[-1]) / last
    sweeps = _SWEEP_64 if left[-1] <= 64 else _SWEEP_512 * -(-left[-1] // 512)
    return left[-1] > sweeps * max(decided, 0.5)


def _check_connected(graph: AnyGraph, name: str) -> None:
    """An error unless the first vertex reaches all, and all reach it."""
    if graph.num_vertices == 0:
        raise ValueError(f"{name} needs a graph with vertices; on_disconnected='ignore' returns 0")
    for edges in ("out", "in") if graph.directed else ("out",):
        left = int((hops(graph, 0, mode=edges).distance == _FAR).sum())
        if left:
            kind = "strongly connected" if graph.directed else "connected"
            first = 0 if graph.labels is None else graph.label(0)
            raise ValueError(
                f"{name} needs a {kind} graph, but {left} vertices have no path "
                f"{'from' if edges == 'out' else 'to'} vertex {first}; "
                "on_disconnected='ignore' skips such pairs"
            )


def _best(graph: AnyGraph, bounds: Bounds, wanted: int) -> int:
    """Return the largest lower or smallest upper bound; vertices beyond it are decided."""
    if wanted == ALL or graph.num_vertices == 0:
        return 0
    if wanted == GREATEST:
        return int(bounds.lower.max())
    return int(bounds.upper.min())


def _search_from(graph: AnyGraph, vertex: int, bounds: Bounds) -> int:
    """Narrow the bounds by one search; how deep it was."""
    ahead = hops(graph, vertex).distance
    back = hops(graph, vertex, mode="in").distance if graph.directed else ahead
    depth = int(graph.xp.where(ahead == _FAR, 0, ahead).max())
    compute(graph, None, _narrow, (ahead, back, depth, *bounds))
    return depth


def _search_from_all(graph: AnyGraph, bounds: Bounds, wanted: int) -> None:
    """Search from the candidates, as many as share a sweep at a time, until there are none."""
    while True:
        best = _best(graph, bounds, wanted)
        lower, upper = bounds
        undecided = lower != upper
        if wanted != ALL:
            undecided = undecided & (upper > best if wanted == GREATEST else lower < best)
        left = frontier(graph, undecided).ids
        left = np.sort(host(left))
        if len(left) == 0:
            return
        some = left[next(batches(graph, left))]
        known = np.full(graph.num_vertices, -1, np.int32)
        known[some] = _depths(graph, some)
        there = graph.xp.asarray(known)
        for bound in bounds:
            bound[:] = graph.xp.where(there >= 0, there, bound)
        notify(0, undecided=len(left))


def _depths(graph: AnyGraph, sources: np.ndarray) -> np.ndarray:
    """How deep the search from each source goes."""
    deepest, lane = np.zeros(len(sources), np.int32), np.arange(len(sources))
    for level in levels(graph, sources, _look):
        words = np.array([
            reduce_all(graph, (level.fresh, j), reduce=OR, function=_word, frontier=level.reached,
                       dtype=np.uint64)
            for j in range(level.fresh.shape[1])
        ], np.uint64)  # fmt: skip
        alive = (words[lane // 64] >> (lane % 64).astype(np.uint64)) & np.uint64(1)
        deepest[alive > 0] = level.depth
    return deepest


def _narrow(v, ahead, back, depth, lower, upper):
    if back[v] != _FAR:
        lower[v] = max(lower[v], back[v])
        if ahead[v] != _FAR:
            lower[v] = max(lower[v], depth - ahead[v])
            upper[v] = min(upper[v], depth + back[v])


def _candidate(v, lower, upper, degree, ids, best, wanted, inner):
    """How good a vertex is to search from next, its id, and 1; if it need not be: 0."""
    known = lower[v] == upper[v]
    if known or (wanted == GREATEST and upper[v] <= best) or (wanted == LEAST and lower[v] >= best):
        return -np.inf, np.inf, 0.0
    if upper[v] == _FAR:  # in a part that no search has reached, which may be small: later
        place = -1e9
    else:
        place = -np.float64(lower[v]) if inner == 1 else np.float64(upper[v])
    return place * 2097152.0 + min(np.float64(degree[v]), 2097151.0), np.float64(ids[v]), 1.0


def _look(v, seen, before, fresh, depth):
    settle(v, seen, before, fresh)


def _word(v, fresh, j):
    return fresh[v, j]


def _better(old, new):
    better = new[0] > old[0] or (new[0] == old[0] and new[1] < old[1])
    return (new[0], new[1], old[2] + new[2]) if better else (old[0], old[1], old[2] + new[2])


_CHOICE = Monoid(("lowest", "highest", 0.0), _better)
