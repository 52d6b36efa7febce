"""The search for the matches of a pattern: counted for every edge, then listed on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.backtracking import WORDS, Found, from_edge
from edgewise.algorithms.patterns.completions import COUNTABLE
from edgewise.algorithms.patterns.inputs import (
    ANY,
    as_pattern,
    check_labels,
    check_pattern,
    shares,
)
from edgewise.algorithms.patterns.match_candidates import LABELLED, MOST, SIMPLE, WANTED, Rows
from edgewise.algorithms.patterns.plan import ABSENT_IN, ABSENT_OUT, IN, OUT, Pattern, Plan, plan
from edgewise.base.checks import check_count, check_flag
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.orient import SKEW
from edgewise.operators import Frontier, compute

__all__ = ["Search", "by_rising_degree", "exact_sum", "match_parts", "matches", "search"]

_FIRST = 4096  # edges that are looked at first, if there is a limit
_TOGETHER = 1 << 18  # edges from which searches start at the same time
_WORK = 256  # as which the search below an edge counts, so that threads share them well


class Search(NamedTuple):
    """The number of matches of every edge, and the data to list them."""

    rows: Any  # the graph that was searched
    searched: Rows
    counts: Any  # of matches, for every arc
    looked_at: int  # arcs
    total: int
    order: tuple[int, ...]  # in which vertices of the pattern were matched
    by_degree: Any  # the vertices of the given graph, if they were renumbered


def search(
    graph: Graph,
    pattern: Any,
    vertex_labels: Any,
    pattern_labels: Any,
    induced: Any,
    max_matches: Any,
) -> Search:
    """Return the counted matches; checks arguments."""
    induced = check_flag(induced, "induced")
    max_matches = None if max_matches is None else check_count(max_matches, "max_matches", 1)
    pattern = as_pattern(graph, pattern)
    named, wanted = check_labels(graph, vertex_labels, pattern, pattern_labels)
    asked = check_pattern(graph, pattern, wanted)
    rows, by_degree = by_rising_degree(graph.without_self_loops())
    if by_degree is not None and named is not None:
        named = named[by_degree]
    made = plan(asked, shares(graph, named, asked), max(_mean(rows), 2.0), induced)
    searched = _searched(rows, made, asked, named)
    counts = rows.xp.zeros(rows.num_arcs, np.int64)
    looked_at = _count(rows, searched, counts, max_matches)
    total = exact_sum(counts)
    total = total if max_matches is None else min(total, max_matches)
    return Search(rows, searched, counts, looked_at, total, made.order, by_degree)


def by_rising_degree(graph: Graph) -> tuple[Any, Any]:
    """Return the graph in ascending order of degree and the old ids; unchanged without skew.

    >>> from edgewise.generators import star
    >>> by_rising_degree(star(40))[1].tolist()[-1]
    0
    """
    n, xp = graph.num_vertices, graph.xp
    if graph.longest_row * n <= SKEW * graph.num_arcs:
        return graph, None
    degrees = graph.row_lengths() + (graph.column_lengths() if graph.directed else 0)
    old = xp.argsort(degrees, kind="stable")
    new = xp.empty(n, np.int64)
    new[old] = xp.arange(n)
    return graph.permute(new), old.astype(graph.id_dtype)


def exact_sum(numbers: Any) -> int:
    """Return the exact sum of non-negative 64-bit integers, however large.

    >>> exact_sum(np.array([2**62, 2**62, 2**62])) == 3 * 2**62
    True
    """
    return (int((numbers >> 32).sum()) << 32) + int((numbers & 0xFFFFFFFF).sum())


def _mean(rows: Any) -> float:
    return round(rows.num_arcs / max(rows.num_vertices, 1), 1)


def _searched(rows: Any, made: Plan, pattern: Pattern, named: Any) -> Rows:
    """What a search reads, on the graph's device."""
    xp, into, between = rows.xp, rows.transposed, made.rules
    if not rows.directed:  # one row holds both
        between = between & ~(IN | ABSENT_IN)
    arcs = ((between & OUT) > 0).sum(axis=1) + ((between & IN) > 0).sum(axis=1)
    free = ~((between & (ABSENT_OUT | ABSENT_IN)) > 0).any(axis=1)
    rules = np.zeros((pattern.size, MOST + 3), np.int64)
    rules[:, : pattern.size] = between
    wanted = np.array([pattern.labels[v] for v in made.order])
    labelled = (wanted != ANY) & (named is not None)
    rules[:, WANTED], rules[:, LABELLED] = wanted, labelled
    rules[:, SIMPLE] = (arcs <= COUNTABLE) & free & ~labelled
    labels = xp.zeros(1, np.int64) if named is None else named
    return Rows(rows.indptr, rows.indices, into.indptr, into.indices, xp.asarray(rules), labels)


def _count(rows: Any, searched: Rows, counts: Any, max_matches: int | None) -> int:
    """Count the matches of every edge, until there are so many; how many edges were looked at."""
    arcs, none = rows.num_arcs, rows.xp.zeros(1, rows.indices.dtype)
    low, step = 0, arcs if max_matches is None else _FIRST
    while low < arcs:
        high = min(low + step, arcs)
        _run(rows, searched, low, high, Found(counts, counts, none))
        if max_matches is not None and exact_sum(counts[:high]) >= max_matches:
            return high
        low, step = high, 2 * step
    return arcs


def matches(found: Search) -> Any:
    """Return the matches, one per row, in the order of their first edges."""
    return _listed(found, 0, found.looked_at, offsets(found.counts), found.total)


def match_parts(found: Search, most: int) -> Iterator[Any]:
    """Return the matches in parts of about ``most`` rows: those of whole edges, so some are larger.

    Memory is that of one part.
    """
    places, low = offsets(found.counts), 0
    while low < found.looked_at and int(places[low]) < found.total:
        high = int(found.rows.xp.searchsorted(places, places[low] + most, side="right")) - 1
        high = min(max(high, low + 1), found.looked_at)
        rows = min(int(places[high]), found.total) - int(places[low])
        if rows:
            yield _listed(found, low, high, places - places[low], rows)
        low = high


def _listed(found: Search, low: int, high: int, places: Any, total: int) -> Any:
    """The matches of the edges ``low`` to ``high``, the first ``total`` of them."""
    rows, size, counts = found.rows, len(found.searched.rules), found.counts
    listed = rows.xp.empty(total * size, rows.indices.dtype)
    if total:
        _run(rows, found.searched, low, high, Found(counts, places[:-1], listed))
    listed = listed.reshape(total, size)
    if found.by_degree is not None:
        listed = found.by_degree[listed]
    result = rows.xp.empty_like(listed)
    result[:, list(found.order)] = listed
    return result


def _run(rows: Any, searched: Rows, low: int, high: int, found: Found) -> None:
    """Search from the edges ``low`` to ``high``, some at a time."""
    xp = rows.xp
    kept = xp.empty(min(high - low, _TOGETHER) * WORDS, np.int64)
    for first in range(low, high, _TOGETHER):
        ids = xp.arange(first, min(first + _TOGETHER, high))
        edges = Frontier._trusted(rows.num_arcs, ids=ids, kind="edges")
        state = (searched, first, kept, found)
        compute(rows, edges, from_edge, state, work=_WORK * len(edges))
