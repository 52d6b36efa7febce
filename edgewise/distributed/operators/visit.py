"""The edge form of `advance` does not run on a grid, unless one rank has it all."""

from __future__ import annotations

from typing import Any

from edgewise.distributed.arrays import local
from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.operators import advance

__all__ = ["visit"]


def visit(graph, frontier, function, values, edges, neighbors, output) -> Any:
    """See `edgewise.operators.advance`."""
    if graph.alone and output != "edges":
        parts = tuple(map(local, values if isinstance(values, tuple) else (values,)))
        found = advance(graph.whole, local_members(graph, frontier), function, parts,
                        edges=edges, neighbors=neighbors, output=output)  # fmt: skip
        return GridFrontier(graph, found.ids, len(found))
    raise ValueError(
        f"{getattr(function, '__name__', function)!r} is in edge form, which changes the state of "
        "both ends at once and so runs on one device alone; on a grid give a reduce (message form)"
    )
