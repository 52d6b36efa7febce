"""Runs along edges that are drawn in advance: the live edges of 64 runs as words.

If much of the graph is reached, a source recurs in many steps, each time in other runs. A coin for
a few runs costs half as much as the coins of all 64. So in models that try an edge once, a pass may
draw all coins before it begins. A *node* is a word of the pass and a vertex (number word * n +
vertex). Its row holds the edges that are live in at least one of the word's 64 runs, with the runs
as a word. A step goes from nodes to nodes, and transmission along an edge is one AND.

The coins are the same, and so is the result. A first pass of 64 runs counts edge visits, to decide
whether drawing in advance pays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.passing import Process, heads, interval
from edgewise.base import atomic
from edgewise.base.bits import count_bits
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each, frontier
from edgewise.operators.engines import by_rows_or, members_at_once
from edgewise.operators.lanes import lane_counts

__all__ = ["Buffers", "along_live_edges", "buffers_for", "worth_a_look"]

#: So many coins of words are worth a look; edges looked at so often in 64 runs are worth drawing.
_MANY, _OFTEN = 1 << 23, 2.5
#: Bytes for the rows of a pass: as many as a cache holds, or so many for each node that is at work
#: at a time; and the most that those of one word may take.
_CACHE, _EACH, _MOST = 1 << 25, 1 << 13, 1 << 30


class Buffers(NamedTuple):
    """Where rows of live edges are written: those of a pass of at most ``width`` words."""

    width: int
    words: Any
    targets: Any


def worth_a_look(graph: AnyGraph, process: Process, runs: int) -> bool:
    """Are there so many coins that 64 runs should tell how often edges are looked at?"""
    once = by_rows_or(graph, process.course is None, False)
    return once and graph.num_arcs * (runs // 64) >= _MANY


def buffers_for(graph: AnyGraph, visits: int, runs: int) -> Buffers | None:
    """Buffers for passes; None if 64 runs visited too few edges for drawing to pay."""
    dtype, arcs, xp = graph.id_dtype, graph.num_arcs, graph.xp
    each = (8 + dtype.itemsize) * max(arcs, 1)
    if each > _MOST or visits < _OFTEN * arcs:
        return None
    memory = max(_CACHE, _EACH * members_at_once(graph))
    width = max(1, min(64, memory // each, runs // 64))
    return Buffers(width, xp.empty(arcs * width, np.uint64), xp.empty(arcs * width, dtype))


def along_live_edges(
    graph: AnyGraph, process: Process, part: Any, seen: Any, infected: Any, most: int | None,
    buffers: Buffers,
) -> tuple[np.ndarray, list[tuple[int, int, int]]]:  # fmt: skip
    """From what is ``seen``, a row of words for each vertex: sizes by run, and the steps."""
    xp, n, device = graph.xp, graph.num_vertices, graph.device
    rows = _drawn(graph, process, part, buffers)
    flat = xp.ascontiguousarray(seen.T).reshape(-1)
    zeros, fresh = xp.zeros(len(flat), np.uint64), xp.empty(len(flat), np.uint64)
    nodes = _Nodes(flat, zeros, fresh, flat != 0, infected, n)
    steps: list[tuple[int, int, int]] = []
    total = 0
    while True:
        reached = xp.flatnonzero(nodes.touched)
        found = xp.empty(len(reached), np.int64)
        for_each(len(reached), _settle, (reached, nodes, found), device=device)
        new = int(found.sum())
        if new == 0 and steps:
            break
        total += new
        steps.append((total, 0, new))
        if len(steps) - 1 == most:
            break
        for_each(len(reached), _push, (reached, nodes, rows), device=device,
                 work=16 * len(reached))  # fmt: skip
    seen = xp.ascontiguousarray(flat.reshape(part.width, n).T)
    return lane_counts(graph, frontier(graph), seen)[: part.runs], steps


class _Nodes(NamedTuple):
    """The runs that have reached each node, by now, in the step before, and in this step alone.

    A node is touched if something may have arrived there. ``infected`` counts the runs of each of
    the ``n`` vertices.
    """

    seen: Any
    before: Any
    fresh: Any
    touched: Any
    infected: Any
    n: int


class _Rows(NamedTuple):
    """The live edges of node ``column * n + v``: ``lengths[node]`` of them.

    They begin at ``column * arcs + indptr[v]``.
    """

    indptr: Any
    arcs: int
    lengths: Any
    words: Any
    targets: Any


def _drawn(graph: AnyGraph, process: Process, part: Any, buffers: Buffers) -> _Rows:
    """The rows of live edges."""
    n, arcs, nodes = graph.num_vertices, graph.num_arcs, graph.num_vertices * part.width
    lengths = graph.xp.empty(nodes, graph.id_dtype)
    rows = _Rows(graph.indptr, arcs, lengths, buffers.words, buffers.targets)
    draw = _draw_one if process.model == "linear_threshold" else _draw_each
    state = (rows, graph.indices, process.words, n, process.seed, part.first)
    for_each(nodes, draw, state, device=graph.device, work=8 * arcs * part.width)
    return rows


def _draw_each(node, rows, indices, chances, n, seed, first):
    """The live edges of a node, each drawn for itself."""
    column, v = node // n, node % n
    words, targets = rows.words, rows.targets
    start = to = column * rows.arcs + rows.indptr[v]
    for e in range(rows.indptr[v], rows.indptr[v + 1]):
        live = heads(~np.uint64(0), chances[e], seed, first + column)
        if live != np.uint64(0):
            words[to], targets[to] = live, indices[e]
            to += 1
    rows.lengths[node] = to - start


def _draw_one(node, rows, indices, chances, n, seed, first):
    """The live edges of a node, where at most one edge into each vertex is live."""
    column, v = node // n, node % n
    words, targets = rows.words, rows.targets
    start = to = column * rows.arcs + rows.indptr[v]
    for e in range(rows.indptr[v], rows.indptr[v + 1]):
        live = interval(~np.uint64(0), chances[e], indices[e], seed, first + column)
        if live != np.uint64(0):
            words[to], targets[to] = live, indices[e]
            to += 1
    rows.lengths[node] = to - start


def _settle(i, reached, nodes, found):
    """Note what is new at a node, and count it."""
    node = reached[i]
    word = nodes.seen[node] & ~nodes.before[node]
    nodes.before[node], nodes.fresh[node], nodes.touched[node] = nodes.seen[node], word, False
    found[i] = count_bits(word)
    atomic.add(nodes.infected, node % nodes.n, found[i])


def _push(i, reached, nodes, rows):
    """Along the live edges of a node, in the runs that are fresh there."""
    node, n, seen = reached[i], nodes.n, nodes.seen
    words, targets, touched = rows.words, rows.targets, nodes.touched
    column, v, value = node // n, node % n, nodes.fresh[node]
    start = column * rows.arcs + rows.indptr[v]
    for at in range(start, start + rows.lengths[node]):
        there = column * n + targets[at]
        passes = value & words[at] & ~seen[there]
        if passes != np.uint64(0):
            atomic.bit_or(seen, there, passes)
            touched[there] = True
