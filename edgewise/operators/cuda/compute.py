"""`compute` and `for_each` on CUDA: one thread, and one call of the user's function, per member."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.atomics import min as lower
from edgewise.base.cuda.bisection import row_of
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda import inner as _elements  # noqa: F401 (what `fitting` compiles to)
from edgewise.operators.cuda.state import THREADS, WRONG, blocks_for, listed, nothing
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["compute", "member_reader", "pointer_checker", "source_of"]


def compute(graph, request) -> None:
    """See `edgewise.operators.compute`."""
    frontier, function, arrays, *_, items = request
    of_edges = frontier is not None and frontier.kind == "edges"
    function = compiled(function, "function", (3 if of_edges else 1) + len(arrays))
    with naming_failures(function):
        if of_edges:
            rows: tuple = (unsigned(graph.indptr), unsigned(graph.indices), unsigned(frontier.ids))
            run, count = edge_kernel(translated(function)), len(frontier)
        else:
            ids, count = listed(graph, frontier) if items is None else (nothing(np.int64), items)
            rows = (ids,)
            run = vertex_kernel(translated(function), frontier is None)
        run(blocks_for(count), THREADS, rows, count, arrays)


@cache
def vertex_kernel(function: Any, everyone: bool) -> Any:
    member = member_reader(everyone)

    @kernel
    def each_vertex(rows, count, arrays):
        i = cuda.grid(1)
        if i < count:
            function(member(rows[0], i), *arrays)

    return each_vertex


@cache
def edge_kernel(function: Any) -> Any:
    @kernel
    def each_edge(rows, count, arrays):
        indptr, indices, ids = rows
        i = cuda.grid(1)
        if i < count:
            e = np.uint64(ids[i])
            function(source_of(indptr, e), np.int64(indices[e]), np.int64(e), *arrays)

    return each_edge


@cache
def member_reader(everyone: bool) -> Any:
    """``member(ids, i)``: the i-th member; the number i itself where all are members."""
    if everyone:
        return device(lambda ids, i: np.int64(i))
    return device(lambda ids, i: np.int64(ids[i]))


@cache
def pointer_checker(everyone: bool) -> Any:
    """``check(ids, count, at, least, counts)``: note the first member that points at no vertex.

    ``least`` is what may stand for none. All threads call it, and wait before they look at `WRONG`.
    """
    member = member_reader(everyone)

    @device
    def check(ids, count, at, least, counts):
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            v = member(ids, i)
            target = np.int64(at[v])
            if target < least or target >= len(at):
                lower(counts, WRONG, v)

    return check


@device
def source_of(indptr, e):
    """The vertex whose row holds edge ``e``, by bisection."""
    return row_of(indptr, 0, len(indptr) - 1, e)
