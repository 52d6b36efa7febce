"""Runs along edges that are drawn beforehand: which are live in 64 runs, and in which of these?

Where much is reached, sources come back step after step, each time in other runs, and a coin for a
few runs costs half of what all 64 of a word cost. So, in models that try an edge once, a pass may
draw them all before it begins. A *node* is one of the pass's words and a vertex (number word * n +
vertex); its row holds the edges that are live in some of the word's 64 runs, most often few, with
the runs as a word. A step goes from nodes to nodes, and what passes along an edge is one AND.

The coins are the same ones, and so is what comes out. A first pass of 64 runs tells whether drawing
pays: how often it has looked at edges.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.passing import Process, heads, interval
from edgewise.base import atomic
from edgewise.base.bits import count_bits
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, filter, frontier, reduce_all
from edgewise.operators.engines import by_rows_or, members_at_once
from edgewise.operators.items import Items
from edgewise.operators.lanes import lane_counts

__all__ = ["Room", "along_live_edges", "room_for", "worth_a_look"]

#: So many coins of words are worth a look; edges looked at so often in 64 runs are worth drawing.
_MANY, _OFTEN = 1 << 23, 2.5
#: Bytes for the rows of a pass: as many as a cache holds, or so many for each node that is at work
#: at a time; and the most that those of one word may take.
_CACHE, _EACH, _MOST = 1 << 25, 1 << 13, 1 << 30


class Room(NamedTuple):
    """Where rows of live edges are written: those of a pass that is not wider than this."""

    width: int
    words: Any
    targets: Any


def worth_a_look(graph: AnyGraph, process: Process, runs: int) -> bool:
    """Are there so many coins that 64 runs should tell how often edges are looked at?"""
    once = by_rows_or(graph, process.course is None, False)
    return once and graph.num_arcs * (runs // 64) >= _MANY


def room_for(graph: AnyGraph, visits: int, runs: int) -> Room | None:
    """Room for passes, if 64 runs have looked at so many edges that it is worth while."""
    dtype, arcs, xp = graph.indices.dtype, graph.num_arcs, graph.xp
    each = (8 + dtype.itemsize) * max(arcs, 1)
    if each > _MOST or visits < _OFTEN * arcs:
        return None
    memory = max(_CACHE, _EACH * members_at_once(graph))
    width = max(1, min(64, memory // each, runs // 64))
    return Room(width, xp.empty(arcs * width, np.uint64), xp.empty(arcs * width, dtype))


def along_live_edges(
    graph: AnyGraph, process: Process, part: Any, seen: Any, infected: Any, most: int | None,
    room: Room,
) -> tuple[np.ndarray, list[tuple[int, int, int]]]:  # fmt: skip
    """From what is ``seen``, a row of words for each vertex: sizes by run, and the steps."""
    xp, n = graph.xp, graph.num_vertices
    nodes = Items(n * part.width, graph.device, xp)
    rows = _drawn(graph, process, part, room, nodes)
    flat = xp.ascontiguousarray(seen.T).reshape(-1)
    before, fresh = xp.zeros(len(flat), np.uint64), xp.empty(len(flat), np.uint64)
    touched, found = flat != 0, xp.zeros(len(flat), np.int64)
    steps: list[tuple[int, int, int]] = []
    total = 0
    while True:
        reached = filter(nodes, None, _is_touched, touched)
        compute(nodes, reached, _settle, (flat, before, fresh, touched, found, infected, n))
        new = int(reduce_all(nodes, found, reduce=ADD, frontier=reached))
        if new == 0 and steps:
            break
        total += new
        steps.append((total, 0, new))
        if len(steps) - 1 == most:
            break
        work = 16 * len(reached)
        compute(nodes, reached, _push, (fresh, flat, touched, *rows, n), work=work)
    seen = xp.ascontiguousarray(flat.reshape(part.width, n).T)
    return lane_counts(graph, frontier(graph), seen)[: part.runs], steps


def _drawn(
    graph: AnyGraph, process: Process, part: Any, room: Room, nodes: Items
) -> tuple[Any, ...]:
    """The rows of live edges: where vertices begin, how long rows are, words and targets."""
    lengths, indptr = graph.xp.empty(nodes.num_vertices, graph.indices.dtype), graph.indptr
    state = (indptr, graph.indices, process.words, lengths, room.words, room.targets)
    draw = _listen if process.model == "linear_threshold" else _toss
    compute(nodes, None, draw, (*state, graph.num_vertices, process.seed, part.first),
            work=8 * graph.num_arcs * part.width)  # fmt: skip
    return indptr, lengths, room.words, room.targets, graph.num_arcs


def _toss(node, indptr, indices, chances, lengths, words, targets, n, seed, first):
    column, v = node // n, node % n
    low, high = indptr[v], indptr[v + 1]
    start = to = column * len(indices) + low
    for e in range(low, high):
        live = heads(~np.uint64(0), chances[e], seed, first + column)
        if live != np.uint64(0):
            words[to], targets[to] = live, indices[e]
            to += 1
    lengths[node] = to - start


def _listen(node, indptr, indices, chances, lengths, words, targets, n, seed, first):
    column, v = node // n, node % n
    low, high = indptr[v], indptr[v + 1]
    start = to = column * len(indices) + low
    for e in range(low, high):
        live = interval(~np.uint64(0), chances[e], indices[e], seed, first + column)
        if live != np.uint64(0):
            words[to], targets[to] = live, indices[e]
            to += 1
    lengths[node] = to - start


def _is_touched(node, touched):
    return touched[node]


def _settle(node, seen, before, fresh, touched, found, infected, n):
    word = seen[node] & ~before[node]
    before[node], fresh[node], touched[node] = seen[node], word, False
    found[node] = count_bits(word)
    atomic.add(infected, node % n, found[node])


def _push(node, fresh, seen, touched, indptr, lengths, words, targets, arcs, n):
    """Along the live edges of a node, in the runs that are fresh there."""
    column, v, value = node // n, node % n, fresh[node]
    start = column * arcs + indptr[v]
    for at in range(start, start + lengths[node]):
        there = column * n + targets[at]
        passes = value & words[at] & ~seen[there]
        if passes != np.uint64(0):
            atomic.bit_or(seen, there, passes)
            touched[there] = True
