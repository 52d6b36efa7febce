"""Contract of `reach`: many random searches at once, as influence and epidemics ask for them.

A search goes from its start along edges that are live for it alone. What is live is decided by a
hash of the seed, the search's number and the place of the edge, when the search comes by: nothing
is drawn for edges that nobody looks at. With ``take="each"`` edges are live independently, and a
row is left in jumps from one live edge to the next (`edgewise.operators.jumps`): a vertex costs its
live edges, not its degree, where the chances in its row are alike [1]. With ``take="one"`` a vertex
goes on along at most one edge. Searches backward, ``mode="in"``, from random vertices give the
reverse-reachable sets of influence maximization [2].

[1] Q. Guo, S. Wang, Z. Wei, M. Chen. Influence maximization revisited: efficient reverse reachable
    set generation with bound tightened. SIGMOD 2020.
[2] C. Borgs, M. Brautbar, J. Chayes, B. Lucier. Maximizing social influence in nearly optimal time.
    SODA 2014.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_bytes, check_choice, check_count
from edgewise.base.memory import free_memory
from edgewise.base.random import check_seed
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.arguments import check_edges, shown
from edgewise.operators.engines import check_graph, run
from edgewise.operators.jumps import TABLE, factors, gap_scales
from edgewise.operators.members import compute
from edgewise.operators.sets import Sets

__all__ = ["ALWAYS", "Odds", "Searches", "hashed_seed", "odds", "own_seed", "reach", "thresholds"]

#: The threshold of what is sure; others are chances in units of 2**-32.
ALWAYS = 0xFFFFFFFF
#: What makes a seed that of searches.
_OWN = 0x7265616368
#: What a set takes at least; and what all may take where the memory is not the host's.
_LEAST_BYTES, _MOST_BYTES = 10, 2**50
#: By how much the chances of a row may exceed one: what rounding does.
_TOLERANCE = 1e-6


class Odds(NamedTuple):
    """What searches need to know of a graph's chances; made once by `odds` for many calls.

    ``rows`` has two words (uint64) for each vertex: where its edges along ``edges`` begin, and how
    many they are in the upper half of the second, whose lower half turns a random number into a
    jump (`jumps.factors`). Where all chances of a row are alike, in every row, ``along`` is None;
    else it holds, for each edge of the rows, its chance (``take="each"``; ``tops`` has the greatest
    of each row), or the sum of the chances up to it (``take="one"``).
    """

    mode: str
    take: str
    rows: Any
    indices: Any
    tops: Any
    along: Any
    table: Any


class Searches(NamedTuple):
    """`reach`, as engines are asked: search i starts at ``starts[bounds[i]:bounds[i + 1]]``.

    Without ``bounds``, an empty array, its start is ``random.integer(n, seed, number, -1)``.
    """

    odds: Odds
    searches: int
    bounds: Any
    starts: Any
    seed: np.uint64
    first: int
    sets: Sets
    memory: int | None


@on_every_rank
def reach(
    graph: AnyGraph,
    sources: Any,
    chances: Any,
    *,
    mode: str = "in",
    take: str = "each",
    seed: int = 0,
    first: int | None = None,
    out: Sets | None = None,
    memory: Any = None,
) -> Sets:
    """Return the set of vertices reached by each of many random searches, including the sources.

    Parameters
    ----------
    graph : Graph
    sources : array of vertex ids, a pair of arrays, or int
        One search starts at each vertex. An integer gives the number of searches, each from a
        vertex drawn uniformly at random. A pair ``(indptr, ids)`` gives search i the sources
        ``ids[indptr[i]:indptr[i + 1]]``.
    chances : Odds, number, or array over arcs
        The probability that an edge is live: floats from 0 to 1, or uint32 in units of 2**-32,
        where the largest value means always. For repeated calls, prepare them once with
        ``odds(graph, chances, mode=, take=)``.
    mode : {"in", "out", "both"}
        Which edges of a vertex a search follows.
    take : {"each", "one"}
        "each": each edge is live independently (independent cascade). "one": at most one edge of a
        vertex is live, and the probabilities of a row sum to at most 1 (linear threshold).
    seed : int
        The seed of the random numbers.
    first : int, optional
        The number of the first search in the random stream; by default the number of sets in
        ``out``, or 0. Search i uses stream ``first + i``. Two calls for 500 searches therefore give
        the same sets as one call for 1,000.
    out : Sets, optional
        Sets to append to and return.
    memory : int or str, optional
        The maximum size of the sets (``nbytes``), in bytes or as "1GiB". Searches end before the
        first set that exceeds it; the number of sets is then smaller.

    Returns
    -------
    Sets
        One set per search, in order. The sets are the same on CUDA and for any number of threads.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import reach
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> sets = reach(path, [3, 0, 2], 1.0)
    >>> [sets.row(i).tolist() for i in range(3)]
    [[0, 1, 2, 3], [0], [0, 1, 2]]
    >>> reach(path, [3, 3, 3], 0.5, seed=1).sizes.tolist()
    [4, 1, 1]
    """
    check_graph(graph)
    known = chances if isinstance(chances, Odds) else None
    if known is None:
        known = odds(graph, chances, mode=mode, take=take)
    if graph.one_device and len(known.rows) != 2 * graph.num_vertices:
        raise ValueError(
            f"chances must be odds of this graph, with {graph.num_vertices} vertices, "
            f"got odds of {len(known.rows) // 2}"
        )
    count, bounds, ids = _starts(graph, sources)
    n, device, xp = graph.num_vertices, "cpu", np
    if graph.one_device:
        device, xp = graph.device, graph.xp
    if out is None:
        out = Sets(n, device, xp)
    elif not isinstance(out, Sets) or (out.num_vertices, out.device) != (n, device):
        raise ValueError(f"out must be Sets of this graph's vertices on {device}, got {out}")
    first = len(out) if first is None else check_count(first, "first", most=2**62)
    memory = None if memory is None else check_bytes(memory, "memory")
    most = free_memory() if graph.one_device and device == "cpu" else _MOST_BYTES
    if memory is None and count * _LEAST_BYTES > most:
        raise ValueError(
            f"sources must be so few that their sets fit {most:.3g} bytes of memory, at "
            f"{_LEAST_BYTES} bytes each at least, got {count}; memory= ends the searches in time"
        )
    asked = Searches(known, count, bounds, ids, own_seed(seed), first, out, memory)
    run(graph, "reach")(graph, asked)
    return out


def odds(graph: Any, chances: Any, *, mode: str = "in", take: str = "each") -> Odds:
    """Prepare the chances of a graph's edges for `reach`, which see.

    >>> from edgewise import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> odds(path, 0.25).along is None
    True
    """
    check_graph(graph)
    check_edges(graph, mode)
    check_choice(take, "take", ("each", "one"))
    xp, given = graph.xp, thresholds(graph, chances)
    if not graph.one_device:
        return Odds(mode, take, None, None, None, given, None)
    tops, along = _even(graph, given, mode), None
    rows: Any = adjacency(graph, mode, None, (), False)[0]
    sizes = rows.indptr[1:] - rows.indptr[:-1]
    sums = sizes.astype(np.float64) * (0.0 if tops is None else tops)
    if tops is None:
        rows = adjacency(graph, mode, given.view(np.int32), ("weight",), False)[0]
        indptr, along = rows.indptr.view(np.int64), rows.weights.view(np.uint32).copy()
        tops, work = graph.full(0, np.uint32), graph.num_vertices + len(along)
        compute(graph, None, _survey, (indptr, along, tops, sums, take == "one"), work=work)
    if take == "one":
        _check_sums(sums, sizes)
    host = tops.get() if hasattr(tops, "get") else tops
    scales = gap_scales(host) if take == "each" else 1.0 / np.maximum(host, 1)
    words = xp.empty((graph.num_vertices, 2), np.uint64)
    words[:, 0] = rows.indptr[:-1]
    sizes = sizes * (tops > 0)  # what is never live is no edge
    words[:, 1] = (sizes << np.uint64(32)) | xp.asarray(factors(scales))
    return Odds(mode, take, words.ravel(), rows.indices, tops, along, xp.asarray(TABLE))


def _even(graph: AnyGraph, given: Any, mode: str) -> Any:
    """The chance of all edges in each row, where they are alike; None where some are not.

    That is seen without bringing them into the order of the rows.
    """
    inward = mode == "in" or (mode == "both" and graph.directed)
    found, differs = graph.full(0, np.uint32), graph.xp.zeros(1, np.int64)
    rows = graph.indptr, graph.indices, given, found, inward, mode != "in"
    work = graph.num_vertices + graph.num_arcs
    compute(graph, None, _put_chance, rows, work=work)
    compute(graph, None, _compare_chance, (*rows, differs), work=work)
    return None if int(differs[0]) else found


def _check_sums(sums: Any, sizes: Any) -> None:
    """ValueError if chances of a row, in units of 2**-32 with errors of a half, exceed 1."""
    if len(sums) and bool((sums - sizes > (1 + _TOLERANCE) * 2.0**32).any()):
        v = int(sums.argmax())
        raise ValueError(
            f"chances must add up to at most 1 at a vertex with take='one', "
            f"got {float(sums[v]) / 2.0**32:.6g} at vertex {v}"
        )


def hashed_seed(seed: Any) -> Any:
    """What kernels begin with: `random.bits` takes it in first."""
    with np.errstate(over="ignore"):
        return random.mix(seed + random._GOLDEN)


def own_seed(seed: int) -> Any:
    """Another seed: who draws starts by the search's number and the one given draws others."""
    return random.bits(check_seed(seed), 0, _OWN)


def thresholds(graph: AnyGraph, chances: Any) -> Any:
    """Chances over arcs in units of 2**-32, as uint32; those that are 1 become `ALWAYS`."""
    spread = not graph.one_device and hasattr(chances, "local")
    given, shape = _array(chances), graph.indices.shape
    single = given.shape == () and not spread
    if given.dtype.kind not in "fiu" or not (single or given.shape == shape):
        raise TypeError(
            f"chances must be Odds, a number or an array over arcs ({graph.num_arcs}), "
            f"of floats from 0 to 1 or of uint32, got {shown(chances)}"
        )
    if graph.one_device:
        given = graph.xp.asarray(given)
    if given.dtype == np.uint32 and not single:
        return given
    if given.size and not (given.min() >= 0 and given.max() <= 1):
        low, high = given.min(), given.max()
        raise ValueError(f"chances must lie in 0 to 1, got {high if low >= 0 else low}")
    units = np.minimum(np.rint(given.astype(np.float64) * 2.0**32), ALWAYS)
    if single:
        units = graph.indices * 0.0 + float(units)
    return units.astype(np.uint32)


def _starts(graph: AnyGraph, starts: Any) -> tuple[int, Any, Any]:
    """How many searches there are, where the starts of each begin, and the starts."""
    xp = graph.xp if graph.one_device else np
    if isinstance(starts, (int, np.integer)):
        count = check_count(starts, "sources")
        if count and graph.num_vertices == 0:
            raise ValueError(f"sources must be 0 in a graph without vertices, got {count}")
        return count, xp.empty(0, np.int64), xp.empty(0, np.int64)
    pair = isinstance(starts, tuple) and len(starts) == 2
    indptr, ids = map(_array, starts if pair else (range(0), starts))
    if ids.ndim != 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise TypeError(f"sources must be vertex ids, or a pair of arrays, got {shown(starts)}")
    indptr, ids = xp.asarray(indptr), xp.asarray(ids.astype(np.int64))
    if len(ids) and not 0 <= ids.min() <= ids.max() < graph.num_vertices:
        raise ValueError(
            f"sources must be vertex ids from 0 to {graph.num_vertices - 1}, "
            f"got {ids.min()} to {ids.max()}"
        )
    if not pair:
        indptr = xp.arange(len(ids) + 1)
    elif (
        indptr.ndim != 1
        or indptr.dtype.kind not in "iu"
        or len(indptr) == 0
        or (indptr[0] != 0 or indptr[-1] != len(ids) or bool((xp.diff(indptr) < 0).any()))
    ):
        raise ValueError(
            f"sources[0] must rise from 0 to the number of ids ({len(ids)}), got {shown(indptr)}"
        )
    return len(indptr) - 1, indptr.astype(np.int64), xp.ascontiguousarray(ids)


def _array(given: Any) -> Any:
    """An array, in host memory unless it is one already: CuPy would not take what is no number."""
    if hasattr(given, "dtype"):
        return given
    try:
        return np.asarray(given)
    except ValueError:  # lists of different lengths; who asked says what it must be
        return np.empty((), object)


def _put_chance(v, indptr, indices, given, found, inward, outward):
    """Note the chance of every edge in its row; one of them stays."""
    for e in range(indptr[v], indptr[v + 1]):
        if inward:
            found[indices[e]] = given[e]
        if outward:
            found[v] = given[e]


def _compare_chance(v, indptr, indices, given, found, inward, outward, differs):
    """Is there an edge whose chance is not the one of its row?"""
    for e in range(indptr[v], indptr[v + 1]):
        if (inward and found[indices[e]] != given[e]) or (outward and found[v] != given[e]):
            differs[0] = 1


def _survey(v, indptr, along, tops, sums, running):
    """The greatest chance of a row and the sum of all; running sums, which stop short of 2**32."""
    top, total = np.uint32(0), np.int64(0)
    for e in range(indptr[v], indptr[v + 1]):
        top = max(top, along[e])
        total += np.int64(along[e])
        if running:
            along[e] = min(total, 0xFFFFFFFF)
    tops[v], sums[v] = top, total
