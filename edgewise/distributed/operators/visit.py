"""The edge form of `advance` on a grid: for arrays over arcs alone, unless one rank has it all.

A function may write what belongs to its arc, and read what belongs to the two ends: those arrays
are read-only. ``source`` and ``target`` are local numbers then, and ``edge`` the arc's place in its
rank's block.
"""

from __future__ import annotations

from typing import Any

from edgewise.distributed.arrays import ArcArray, VertexArray, local
from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.graph.csr import frozen
from edgewise.operators.adjacency import ALL
from edgewise.operators.engines import run
from edgewise.operators.requests import Visit
from edgewise.operators.results import in_record

__all__ = ["visit"]


def visit(graph, request: Visit) -> Any:
    """See `edgewise.operators.advance`."""
    members = local_members(graph, request.frontier)
    if graph.alone and request.output != "edges":
        parts = tuple(in_record(local, one) for one in request.state)
        here = request._replace(frontier=members, state=parts)
        found = run(graph.whole, "visit")(graph.whole, here)
        return GridFrontier(graph, found.ids, len(found))
    if _is_of_arcs(request):
        parts = tuple(
            frozen(one.local) if isinstance(one, VertexArray) else local(one)
            for one in request.state
        )
        if graph.grid.world.priced:
            graph.grid.world.work(edges=graph.block.num_arcs, vertices=graph.numbering.size)
        run(graph.block, "visit")(graph.block, request._replace(frontier=members, state=parts))
        return GridFrontier(graph, graph.block.xp.zeros(0, "int32"), 0)
    name = getattr(request.function, "__name__", request.function)
    raise ValueError(
        f"{name!r} is in edge form, which changes the state of "
        "both ends at once and so runs on one device alone; on a grid give a reduce (message form)"
    )


def _is_of_arcs(request: Visit) -> bool:
    """Does it ask for no frontier, and change arrays over the arcs that members' edges are?"""
    whole_rows = (request.first, request.last) == (0, ALL)
    over_arcs = any(isinstance(one, ArcArray) for one in request.state)
    return request.output is None and request.mode == "out" and whole_rows and over_arcs
