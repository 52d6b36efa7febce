"""Many breadth-first searches at once: one bit of a word for each [1].

Search j is bit j % 64 of word j // 64 of every vertex. A level is one `advance`. Vertices send
their *fresh* bits, those of searches that have just reached them, and words are combined by OR.
Bits that are new at a vertex are fresh there. Reading an edge once serves all searches that follow
it at this level. In networks of few levels these are nearly all of them, so 512 searches cost
little more than a few. Bits of no search are set from the start. A vertex that all searches have
reached therefore has only set bits, and is skipped.

[1] M. Then, M. Kaufmann, F. Chirigati et al. The more the merrier: efficient multi-source graph
    traversal. PVLDB 8(4), 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.bits import count_bits
from edgewise.graph.anywhere import index_of
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import OR, advance, compute, frontier, reduce_all
from edgewise.operators.exploring import beside
from edgewise.operators.helpers import inner
from edgewise.operators.monoids import add_each

__all__ = [
    "Level",
    "batches",
    "levels",
    "search",
    "set_lanes",
    "settle",
    "shares",
]

#: Searches in one sweep: rows of eight words are a line of the cache. Fewer where their three
#: words each would take more memory than this.
_MOST, _BYTES = 512, 4 << 30
#: At such distances searches always share; farther off there must be so many of them for each hop.
_SHALLOW, _CROWD = 32, 4
#: Beside one another searches are faster if they are fewer than this for each hop of the distances'
#: standard deviation (closeness_centrality on roads, grids, R-MAT, random and small-world graphs).
_SPREAD = 48


class Level(NamedTuple):
    """One level of a sweep: its depth, the vertices it reaches, and by which searches."""

    depth: int
    reached: Any  # a frontier
    fresh: Any  # words of bits, right for those reached


def batches(graph: AnyGraph, sources: Any) -> Iterator[slice]:
    """Return the parts of the sources that are searched from together."""
    most = _MOST if 3 * 64 * graph.num_vertices <= _BYTES else 64
    for low in range(0, len(sources), most):
        yield slice(low, min(low + most, len(sources)))


def shares(graph: AnyGraph, distance: Any, count: int) -> bool:
    """Return whether many searches overlap enough, if one of them has found these hop distances.

    In a road network each search reaches a vertex at another level, and separate searches are
    faster.
    """
    far = np.iinfo(np.int32).max
    sums = reduce_all(graph, (distance, far), reduce=add_each(3), function=_hops)
    reached = max(float(sums[2]), 1.0)
    mean, square = float(sums[0]) / reached, float(sums[1]) / reached
    if beside(graph, count):
        return _SPREAD * max(square - mean * mean, 0.0) ** 0.5 <= min(count, _MOST)
    return mean <= _SHALLOW or _CROWD * mean <= count


def _hops(v, distance, far):
    hops = np.float64(distance[v])
    return (hops, hops * hops, 1.0) if distance[v] != far else (0.0, 0.0, 0.0)


def search(
    graph: AnyGraph,
    sources: Any,
    visit: Callable[..., None],
    state: tuple[Any, ...],
    *,
    worth: Callable[[int], Any] = int,
    mode: str = "out",
    max_depth: int | None = None,
) -> int:
    """Search from at most 512 sources, and return the depth of the last level.

    When searches reach v, ``visit(v, seen, before, fresh, worth(depth), *state)`` is called. It
    must call `settle`, which returns the number of searches. ``depth`` is 0 at the sources.
    """
    deepest = 0
    for level in levels(graph, sources, visit, state, worth, mode, max_depth):
        deepest = level.depth
    return deepest


def levels(
    graph: AnyGraph, sources: Any, visit: Any, state: tuple[Any, ...] = (), worth: Any = int,
    mode: str = "out", max_depth: int | None = None,
) -> Iterator[Level]:  # fmt: skip
    """Return an iterator over the levels of `search`, beginning with the sources."""
    seen, before, fresh = (_words(graph, len(sources)) for _ in range(3))
    _start(graph, seen, before, np.asarray(sources))
    reached, depth = frontier(graph, sources), 0
    while not reached.empty():
        compute(graph, reached, visit, (seen, before, fresh, worth(depth), *state))
        yield Level(depth, reached, fresh)
        if depth == max_depth:
            return
        reached = advance(graph, reached, _pass_on, seen, reduce=OR, source_values=fresh, mode=mode)
        depth += 1


def _words(graph: AnyGraph, count: int) -> Any:
    return graph.xp.zeros((graph.num_vertices, max(1, -(-count // 64))), np.uint64)


def _start(graph: AnyGraph, seen: Any, before: Any, sources: np.ndarray) -> None:
    """Every search at its source, and no search in the bits behind the last."""
    unused = -len(sources) % 64
    if unused:
        idle = np.uint64((1 << 64) - (1 << (64 - unused)))
        seen[:, -1] = idle
        before[:, -1] = idle
    set_lanes(graph, seen, sources, np.arange(len(sources)), idle if unused else np.uint64(0))


def set_lanes(graph: AnyGraph, words: Any, vertices: Any, lanes: Any, idle: Any) -> None:
    """Set one bit at each vertex, whose words have no other bit set but the ``idle`` ones."""
    width = words.shape[1]
    place, which = np.unique(vertices * width + lanes // 64, return_inverse=True)
    bits = np.zeros(len(place), np.uint64)
    np.bitwise_or.at(bits, which.ravel(), np.uint64(1) << (lanes % 64).astype(np.uint64))
    bits[place % width == width - 1] |= idle
    at, columns, bits = (index_of(graph, one) for one in (place // width, place % width, bits))
    words[at, columns] = bits


def _pass_on(value):
    return value


@inner
def settle(v, seen, before, fresh):
    """Make the bits just seen fresh, mark them as seen, and return the number of searches."""
    found = np.int64(0)
    for j in range(seen.shape[1]):
        word = seen[v, j] & ~before[v, j]
        before[v, j] = seen[v, j]
        fresh[v, j] = word
        found += count_bits(word)
    return found
