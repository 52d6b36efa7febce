"""All subgraphs that look like a small pattern, counted or listed.

Vertices of the pattern are matched one after another, in an order made for it
(`edgewise.algorithms.patterns.plan`), each by an intersection of the rows of those matched before
(`edgewise.algorithms.patterns.backtracking`). Every subgraph is found once, despite symmetries.
Searches start from all edges and share nothing. Where degrees are skewed, vertices are renumbered
by degree first, so that the bounds that symmetry sets cut the rows of hubs short.
Memory: 16 bytes per arc and 64 MB, beside what is listed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.backtracking import WORDS, Found, from_edge
from edgewise.algorithms.patterns.completions import COUNTABLE
from edgewise.algorithms.patterns.inputs import as_pattern, check_labels, check_pattern, shares
from edgewise.algorithms.patterns.match_candidates import LABELLED, MOST, SIMPLE, WANTED, Rows
from edgewise.algorithms.patterns.plan import ABSENT_IN, ABSENT_OUT, IN, OUT, Pattern, Plan, plan
from edgewise.base.checks import check_count, check_flag, check_one_device
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.orient import SKEW
from edgewise.operators import Frontier, compute

__all__ = ["Matches", "by_rising_degree", "exact_sum", "subgraph_match"]

_FIRST = 4096  # edges that are looked at first, if there is a limit
_TOGETHER = 1 << 18  # edges from which searches start at the same time
_WORK = 256  # as which the search below an edge counts, so that threads share them well


class Matches(NamedTuple):
    """How many there are; and, if asked for, a row for each: who stands for each vertex."""

    total: int
    vertices: Any


@takes_graph
def subgraph_match(
    graph: LocalGraphLike,
    pattern: Any,
    *,
    vertex_labels: Any = None,
    pattern_labels: Any = None,
    induced: bool = False,
    limit: int | None = None,
    lists: bool = False,
) -> Matches:
    """The subgraphs that look like a pattern of two to six vertices.

    Parameters
    ----------
    graph : Graph
        Directed or not. Self-loops and weights do not matter.
    pattern : Graph, str, or pairs
        Connected, without self-loops, and directed if the graph is; as a graph, as the pairs of its
        edges, or in an undirected graph one of "edge", "wedge", "triangle", "path", "star",
        "cycle", "paw", "diamond" and "clique", the last six of four vertices.
    vertex_labels : array of int, optional
        A label for every vertex of the graph.
    pattern_labels : array of int, optional
        The label that is wanted for every vertex of the pattern; belongs to ``vertex_labels``.
    induced : bool
        Must those not joined in the pattern be not joined in the graph either?
    limit : int, optional
        Stop when so many are found; always the same ones.
    lists : bool
        Give the matches themselves, not only their number.

    Returns
    -------
    Matches
        ``total``, and ``vertices``, of shape (total, size of the pattern), in the graph's type of
        ids, always in the same order (None without ``lists``). Every subgraph is there once: where
        a pattern has symmetries, with one of the ways to lay it.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 1])
    >>> subgraph_match(graph, "triangle").total
    2
    >>> subgraph_match(graph, [(0, 1), (1, 2), (2, 0)], lists=True).vertices.tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    check_one_device(graph, "subgraph_match")
    induced, lists = check_flag(induced, "induced"), check_flag(lists, "lists")
    limit = None if limit is None else check_count(limit, "limit", 1)
    pattern = as_pattern(graph, pattern)
    named, wanted = check_labels(graph, vertex_labels, pattern, pattern_labels)
    asked = check_pattern(graph, pattern, wanted)
    rows, by_degree = by_rising_degree(graph.without_self_loops())
    if by_degree is not None and named is not None:
        named = named[by_degree]
    made = plan(asked, shares(graph, named, asked), max(_mean(rows), 2.0), induced)
    searched = _searched(rows, made, asked, named)
    counts = rows.xp.zeros(rows.num_arcs, np.int64)
    looked_at = _count(rows, searched, counts, limit)
    total = exact_sum(counts)
    total = total if limit is None else min(total, limit)
    if not lists:
        return Matches(total, None)
    found = _listed(rows, searched, counts, looked_at, total)
    if by_degree is not None:
        found = by_degree[found]
    result = rows.xp.empty_like(found)
    result[:, list(made.order)] = found
    return Matches(total, result)


def by_rising_degree(graph: Graph) -> tuple[Any, Any]:
    """The graph with its vertices by rising degree, and their old numbers; as it is without skew.

    >>> from edgewise.generators import star
    >>> by_rising_degree(star(40))[1].tolist()[-1]
    0
    """
    n, xp = graph.num_vertices, graph.xp
    if graph.max_degree * n <= SKEW * graph.num_arcs:
        return graph, None
    degrees = graph.degrees() + (graph.in_degrees() if graph.directed else 0)
    old = xp.argsort(degrees, kind="stable")
    new = xp.empty(n, np.int64)
    new[old] = xp.arange(n)
    return graph.permute(new), old.astype(graph.indices.dtype)


def exact_sum(numbers: Any) -> int:
    """The sum of whole numbers of 64 bits that are not negative, however large.

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
    rules[:, WANTED] = [pattern.labels[v] for v in made.order]
    rules[:, LABELLED] = named is not None
    rules[:, SIMPLE] = (arcs <= COUNTABLE) & free & (named is None)
    labels = xp.zeros(1, np.int64) if named is None else named
    return Rows(rows.indptr, rows.indices, into.indptr, into.indices, xp.asarray(rules), labels)


def _count(rows: Any, searched: Rows, counts: Any, limit: int | None) -> int:
    """Count the matches of every edge, until there are so many; how many edges were looked at."""
    arcs, none = rows.num_arcs, rows.xp.zeros(1, rows.indices.dtype)
    low, step = 0, arcs if limit is None else _FIRST
    while low < arcs:
        high = min(low + step, arcs)
        _run(rows, searched, low, high, Found(counts, counts, none))
        if limit is not None and exact_sum(counts[:high]) >= limit:
            return high
        low, step = high, 2 * step
    return arcs


def _listed(rows: Any, searched: Rows, counts: Any, looked_at: int, count: int) -> Any:
    """The matches, a row each, in the order of the edges that they were found from."""
    xp, size = rows.xp, len(searched.rules)
    found = xp.empty(count * size, rows.indices.dtype)
    if count:
        places = offsets(counts)[:-1]
        _run(rows, searched, 0, looked_at, Found(counts, places, found))
    return found.reshape(count, size)


def _run(rows: Any, searched: Rows, low: int, high: int, found: Found) -> None:
    """Search from the edges ``low`` to ``high``, some at a time."""
    xp = rows.xp
    kept = xp.empty(min(high - low, _TOGETHER) * WORDS, np.int64)
    for first in range(low, high, _TOGETHER):
        ids = xp.arange(first, min(first + _TOGETHER, high))
        edges = Frontier.trusted(rows.num_arcs, ids=ids, kind="edges")
        state = (searched, first, kept, found)
        compute(rows, edges, from_edge, state, work=_WORK * len(edges))
