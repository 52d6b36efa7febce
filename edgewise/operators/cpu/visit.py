"""`advance` in edge form on CPU threads: one call of the user's function per edge."""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.checks import check_choice
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier, grab, share
from edgewise.base.threads import launch
from edgewise.operators.adjacency import adjacency, slice_bounds
from edgewise.operators.cpu.inner import edge_at, stamped
from edgewise.operators.cpu.state import listed, state_tuple, vertex_members
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["visit"]

_HEAVY_DEGREE, _EVEN = 1 << 14, 8


def visit(graph, frontier, function, state, edges, neighbors, output) -> Frontier:
    """See `edgewise.operators.advance`, the edge form."""
    if output is not None:
        check_choice(output, "output", ("vertices", "edges"))
    first, last = slice_bounds(neighbors)
    members = None if frontier is None else vertex_members(graph, frontier)
    ids, count = listed(members, graph.num_vertices)
    names = ("edge",)
    along, _ = adjacency(graph, edges, None, names, False)
    arrays = state_tuple(state, "values")
    function = compiled(function, "function", 3 + len(arrays))
    n, m = graph.num_vertices, graph.num_arcs
    size, found = (m, along.indices.dtype) if output == "edges" else (n, along.indices.dtype)
    if output == "edges":
        found = np.dtype(np.uint32 if m < 2**31 else np.uint64)
    room = 0 if output is None else (len(along.indices) if output == "edges" else n)
    queue = np.empty(room, found)
    stamps = np.zeros(n if output == "vertices" else 0, np.int8)
    tallies = np.zeros(16, np.int64)
    heavy = np.empty(len(along.indices) // _HEAVY_DEGREE + 1, np.int64)
    run = visit_kernel(function, output)
    work = len(along.indices) + n if count > 4096 else _edges(along.indptr, ids, count)
    with naming_failures(function):
        launch(run, along, ids, count, first, last, arrays, stamps, queue, heavy, tallies,
               work=work)  # fmt: skip
    chosen = queue[: tallies[0]]
    if output == "edges" and (edges != "out" and not graph.directed or edges == "both"):
        chosen = np.unique(chosen)
    signed = chosen.view(np.int32 if chosen.dtype.itemsize == 4 else np.int64)
    return Frontier.trusted(size, ids=signed, kind=output or "vertices")


@cache
def visit_kernel(function, output):
    """The loop around one visit, for one kind of output."""
    to_edges, to_vertices = output == "edges", output == "vertices"

    @inner
    def walk(u, low, high, along, arrays, stamps, queue, tallies):
        _, indices, _, edge_ids = along
        for e in range(low, high):
            v, edge = np.int64(indices[e]), edge_at(edge_ids, e)
            hit = function(u, v, edge, *arrays)
            if to_edges and hit:
                queue[fetch_add(tallies, 0, 1)] = edge
            if to_vertices and hit and not stamped(stamps, v, np.int8(1)):
                queue[fetch_add(tallies, 0, 1)] = v

    @kernel(borrows=True)
    def run(me, team, control, along, ids, count, first, last, arrays, stamps, queue, heavy,
            tallies):  # fmt: skip
        indptr = along[0]
        # Large parts keep threads off one another's lines; long rows want small ones.
        most = 65536 if last - first <= _EVEN else 8192
        chunk = min(max(count // (16 * team), 64), most)
        while True:
            low, high = grab(control, 0, chunk, count)
            if low == high:
                break
            for i in range(low, high):
                u = member(ids, i)
                start, end = bounds(indptr, u, first, last)
                if team > 1 and end - start > np.uint64(_HEAVY_DEGREE):
                    heavy[fetch_add(tallies, 8, 1)] = u
                else:
                    walk(u, start, end, along, arrays, stamps, queue, tallies)
        if not barrier(control, team):
            return
        for i in range(tallies[8]):
            u = heavy[i]
            start, end = bounds(indptr, u, first, last)
            low, high = share(me, team, np.int64(end - start))
            walk(u, start + np.uint64(low), start + np.uint64(high), along, arrays, stamps, queue,
                 tallies)  # fmt: skip

    return run


@inner
def member(ids, i):
    """The i-th member; the vertex i itself where none are listed, because all are members."""
    if len(ids) == 0:
        return np.int64(i)
    return np.int64(ids[i])


@inner
def bounds(indptr, u, first, last):
    """The positions of the slice ``first..last`` of the neighbor list of ``u``."""
    start, end = indptr[u], indptr[u + 1]
    return min(start + np.uint64(first), end), min(start + np.uint64(last), end)


def _edges(indptr: np.ndarray, ids: np.ndarray, count: int) -> int:
    if len(ids) < count:
        return int(indptr[-1]) + count
    return int((indptr[ids + 1] - indptr[ids]).sum()) + count if count else 0
