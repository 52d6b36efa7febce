"""The edge form of `advance` does not run on a grid, unless one rank has it all."""

from __future__ import annotations

from typing import Any

from edgewise.distributed.arrays import local
from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.operators.engines import run
from edgewise.operators.requests import Visit
from edgewise.operators.results import in_record

__all__ = ["visit"]


def visit(graph, request: Visit) -> Any:
    """See `edgewise.operators.advance`."""
    if graph.alone and request.output != "edges":
        members = local_members(graph, request.frontier)
        parts = tuple(in_record(local, one) for one in request.state)
        here = request._replace(frontier=members, state=parts)
        found = run(graph.whole, "visit")(graph.whole, here)
        return GridFrontier(graph, found.ids, len(found))
    name = getattr(request.function, "__name__", request.function)
    raise ValueError(
        f"{name!r} is in edge form, which changes the state of "
        "both ends at once and so runs on one device alone; on a grid give a reduce (message form)"
    )
