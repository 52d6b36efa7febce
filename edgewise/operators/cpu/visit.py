"""`advance` in edge form on CPU threads: one call of the user's function per edge."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.bit_blocks import span
from edgewise.base.cpu.team import barrier, share
from edgewise.base.threads import launch, team_for
from edgewise.operators.adjacency import Adjacency, adjacency
from edgewise.operators.cpu.inner import edge_at, stamped
from edgewise.operators.cpu.state import edges_from, listed, vertex_members
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.cpu.workspace import workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.requests import Visit

__all__ = ["bounds", "visit", "work_of"]

_HEAVY_DEGREE, _EVEN, _COUNTED = 1 << 14, 8, 4096
_NO_STAMPS = np.zeros(0, np.int64)


def visit(graph, request: Visit) -> Frontier:
    """See `edgewise.operators.advance`, the edge form."""
    edges, arrays, output = request.mode, request.state, request.output
    members = None if request.frontier is None else vertex_members(graph, request.frontier)
    ids, count = listed(members, graph.num_vertices)
    along, _ = adjacency(graph, edges, None, ("edge",), False)
    function = compiled(request.function, "function")
    run, work = visit_kernel(function, output), work_of(along, ids, count)
    part = Part(ids, count, request.first, request.last)
    with naming_failures(function):
        if output == "vertices":
            with workspace(graph, along.indices.dtype) as space:
                space.stamp += 1
                found = _launch(run, along, part, arrays, space.queues[0], work, space)
        else:
            capacity = min(work, len(along.indices)) if output == "edges" else 0
            queue = np.empty(capacity, np.uint32 if graph.num_arcs < 2**31 else np.uint64)
            found = _launch(run, along, part, arrays, queue, work)
    if output == "edges" and (edges != "out" and not graph.directed or edges == "both"):
        found = np.unique(found)
    size = graph.num_arcs if output == "edges" else graph.num_vertices
    signed = found.view(np.int32 if found.dtype.itemsize == 4 else np.int64)
    return Frontier._trusted(size, ids=signed, kind=output or "vertices")


class Part(NamedTuple):
    """Whose edges are visited, and which of them: the slice ``first..last`` of each row."""

    ids: np.ndarray
    size: int
    first: int
    last: int


class Found(NamedTuple):
    """Where those that were hit are listed, each vertex stamped so that it is listed once."""

    queue: np.ndarray
    stamps: np.ndarray
    stamp: int
    heavy: np.ndarray
    tallies: np.ndarray  # how many are in the queue, and among the vertices of very many edges


_LISTED, _HEAVY = 0, 8


def _launch(run, along, part, arrays, queue, work, space=None) -> np.ndarray:
    """Visit the edges; what was hit."""
    stamps, stamp = (_NO_STAMPS, 0) if space is None else (space.stamps, space.stamp)
    heavy = np.empty(len(along.indices) // _HEAVY_DEGREE + 1, np.int64)
    found = Found(queue, stamps, stamp, heavy, np.zeros(16, np.int64))
    team = team_for(work)
    # Large parts keep threads off one another's lines; long rows want small ones.
    most = 65536 if part.last - part.first <= _EVEN else 8192
    chunk = min(max(part.size // (16 * team), 64), most)
    launch(run, part.size, chunk, (along, part, arrays, found, team > 1), work=work, team=team)
    return queue[: found.tallies[_LISTED]].copy()


def work_of(along: Adjacency, ids: np.ndarray, count: int) -> int:
    """About how many edges and vertices are visited; never less."""
    if count > _COUNTED or len(ids) < count:
        return len(along.indices) + len(along.indptr)
    return edges_from(along.indptr, ids) + count


@cache
def visit_kernel(function, output):
    """The loop around one visit, for one kind of output."""
    to_edges, to_vertices = output == "edges", output == "vertices"

    @inner
    def walk(u, low, high, along, arrays, found):
        for e in range(low, high):
            v, edge = np.int64(along.indices[e]), edge_at(along.edge_ids, e)
            hit = function(u, v, edge, *arrays)
            if to_edges and hit:
                found.queue[fetch_add(found.tallies, _LISTED, 1)] = edge
            if to_vertices and hit and not stamped(found.stamps, v, found.stamp):
                found.queue[fetch_add(found.tallies, _LISTED, 1)] = v

    @inlined
    def step(i, me, control, data):
        along, part, arrays, found, shared = data
        u = member(part.ids, i)
        start, end = bounds(along.indptr, u, part.first, part.last)
        if shared and end - start > np.uint64(_HEAVY_DEGREE):
            found.heavy[fetch_add(found.tallies, _HEAVY, 1)] = u
        else:
            walk(u, start, end, along, arrays, found)

    @inner
    def together(me, team, control, data):
        """Walk the very long rows, each by all threads."""
        along, part, arrays, found, shared = data
        if not shared or not barrier(control, team):
            return
        for i in range(found.tallies[_HEAVY]):
            u = found.heavy[i]
            start, end = bounds(along.indptr, u, part.first, part.last)
            low, high = share(me, team, np.int64(end - start))
            walk(u, start + np.uint64(low), start + np.uint64(high), along, arrays, found)

    return over(step, together)


@inner
def bounds(indptr, u, first, last):
    """The positions of the slice ``first..last`` of the neighbor list of ``u``."""
    start, end = span(indptr, u)
    return min(start + np.uint64(first), end), min(start + np.uint64(last), end)
