"""Numbers of unweighted shortest paths from a source to every vertex, and their dependencies [1].

paths[v] counts the shortest paths to v (forward, level by level). share[v] is (1 + dependency[v]) /
paths[v] (backward). A vertex therefore only sums the shares of its successors: dependency[u] =
paths[u] * sum of share[v] over the edges u -> v one level deeper.

Sums of floats depend on their order, and the order in which threads push varies between runs.
Counts are therefore pushed only while they are exact, below 2**53. Larger ones are summed again in
the order of the rows. Only quotients of counts matter, so counts start from a tiny number; up to
2**1990 paths can be counted. Beyond that, counts and shares are *wide*: m * 2**e with 1 <= m < 2 is
stored as e + (m - 1), and zero as -inf. This leaves about 40 binary digits for m.

[1] U. Brandes. A faster algorithm for betweenness centrality. J. Math. Sociology 25(2), 2001.
"""

from __future__ import annotations

from math import floor, ldexp
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.bfs import bfs
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, Monoid, compute, frontier, propagate, reduce_all, unwind
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.helpers import inner

__all__ = ["FAR", "PathCounts", "path_counts", "wide_inverse", "wide_times"]

#: The depth of vertices that are not reached.
FAR = 2**31 - 1
_EXACT = 2.0**53
#: With no more arcs than this per vertex, counts are seldom exact, and adding up again costs more
#: than to look for the levels first. Where very many push at once, as on a GPU, this always holds:
#: the search is quick, sums at shared places are not (betweenness_centrality in `benchmarks gpu`).
_SPARSE = 4


class PathCounts(NamedTuple):
    """Path counts (up to a factor), depths and shares of one source; whether they are ``wide``."""

    paths: Any
    depth: Any
    share: Any
    wide: bool


def path_counts(graph: AnyGraph, source: int) -> PathCounts:
    """Return the numbers of shortest paths from a source, and their dependencies."""
    if members_at_once(graph) >= CROWD or graph.num_arcs <= _SPARSE * graph.num_vertices:
        paths, depth = None, bfs(graph, source).distance
    else:
        paths, depth = _pushed(graph, source)
    if paths is None:
        height = _heights(graph, depth)
        paths = graph.full(0.0)
        paths[source] = _least(graph)
        unwind(graph, height, _pass_on, paths, reduce=ADD, finish=_plus, mode="in")
        if paths.max() == np.inf:
            return _wide_counts(graph, source, depth, height)
    share = graph.full(0.0)
    unwind(graph, depth, _pass_on, share, reduce=ADD, own=paths, finish=_share)
    return PathCounts(paths, depth, share, False)


def _pushed(graph: AnyGraph, source: int) -> tuple[Any, Any]:
    """Counts as fast as can be, None if they are not exact; and the depths."""
    paths, depth = graph.full(0.0), graph.full(FAR, np.int32)
    paths[source], depth[source] = _least(graph), 0
    start = frontier(graph, source)
    propagate(graph, start, _pass_on, paths, reduce=ADD, where=_unreached, depths=depth)
    return (paths if paths.max() < _EXACT * _least(graph) else None), depth


def _wide_counts(graph: AnyGraph, source: int, depth: Any, height: Any) -> PathCounts:
    paths, share = graph.full(-np.inf), graph.full(-np.inf)
    paths[source] = 0.0
    unwind(graph, height, _pass_on, paths, reduce=_WIDE, finish=_wide_plus, mode="in")
    unwind(graph, depth, _pass_on, share, reduce=_WIDE, own=paths, finish=_wide_share)
    return PathCounts(paths, depth, share, True)


def _least(graph: AnyGraph) -> float:
    """A small number whose inverse, times the number of vertices, is finite."""
    return 2.0 ** (graph.num_vertices.bit_length() - 1022)


def _heights(graph: AnyGraph, depth: Any) -> Any:
    """The levels from the other end: `unwind` goes the deepest first."""
    deepest = reduce_all(graph, depth, reduce=MAX, function=_reached_depth, dtype=np.int64)
    height = graph.full(-1, np.int32)
    compute(graph, None, _turn, (height, depth, deepest))
    return height


def _pass_on(value):
    return value


def _unreached(paths):
    return paths == 0


def _plus(total, own):
    return total + own


def _share(total, own):
    return total + 1.0 / own


def _reached_depth(v, depth):
    return depth[v] if depth[v] != FAR else 0


def _turn(v, height, depth, deepest):
    if depth[v] != FAR:
        height[v] = deepest - depth[v]


@inner
def _wide_plus(one, other):
    """The sum of two wide numbers."""
    high, low = max(one, other), min(one, other)
    if low == -np.inf:
        return high
    e, f = np.float64(floor(high)), np.float64(floor(low))
    if e - f > 64.0:
        return high
    m = 1.0 + (high - e) + ldexp(1.0 + (low - f), int(f - e))
    return e + (m - 1.0) if m < 2.0 else e + 0.5 * m


@inner
def wide_inverse(number):
    """Return the inverse of a nonzero wide number, as a wide number."""
    e = np.float64(floor(number))
    m = 1.0 + (number - e)
    return -e if m == 1.0 else -e - 1.0 + (2.0 / m - 1.0)


@inner
def wide_times(one, other):
    """Return the product of two nonzero wide numbers, as a float."""
    e, f = np.float64(floor(one)), np.float64(floor(other))
    return ldexp((1.0 + (one - e)) * (1.0 + (other - f)), int(e + f))


def _wide_share(total, own):
    return _wide_plus(total, wide_inverse(own))


_WIDE = Monoid("lowest", _wide_plus)
