"""`compute` and `for_each` on CPU threads: one call of the user's function per member."""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.bisection import row_of
from edgewise.base.threads import launch
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu import inner as _elements  # noqa: F401 (what `fitting` compiles to)
from edgewise.operators.cpu.state import listed
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.functions import compiled, naming_failures

__all__ = ["compute", "source_of"]


def compute(graph, request) -> None:
    """See `edgewise.operators.compute`."""
    frontier, function, arrays, work, items = request
    of_edges = frontier is not None and frontier.kind == "edges"
    function = compiled(function, "function", (3 if of_edges else 1) + len(arrays))
    with naming_failures(function):
        if of_edges:
            indptr, indices = map(unsigned, graph.stored)
            ids = frontier.ids
            work = 4 * len(ids) if work is None else work
            chunk = _chunk(1024, 4 * len(ids), work)
            launch(edge_kernel(function), len(ids), chunk, (indptr, indices, ids, arrays),
                   work=work)  # fmt: skip
        else:
            ids, count = listed(frontier, graph.num_vertices if items is None else items)
            work = count if work is None else work
            chunk = _chunk(4096, count, work)
            launch(vertex_kernel(function), count, chunk, (ids, arrays), work=work)


def _chunk(usual: int, light: int, work: int) -> int:
    """How many members a thread takes at a time: fewer than usual where they are more work."""
    return usual if work <= light else max(usual * light // work, 1)


@cache
def vertex_kernel(function):
    @inlined
    def each_vertex(i, me, control, data):
        ids, arrays = data
        function(member(ids, i), *arrays)

    return over(each_vertex)


@cache
def edge_kernel(function):
    @inlined
    def each_edge(i, me, control, data):
        indptr, indices, ids, arrays = data
        e = np.int64(ids[i])
        function(source_of(indptr, e), np.int64(indices[e]), e, *arrays)

    return over(each_edge)


@inner
def source_of(indptr, e):
    """The vertex whose row holds edge ``e``, by bisection."""
    return row_of(indptr, 0, len(indptr) - 1, np.uint64(e))
