"""`compute` on a grid: every rank calls the function for its copies; they stay in line.

The function's vertex is a local number: it may index state, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from edgewise.distributed.arrays import ArcArray, VertexArray, local
from edgewise.distributed.frontier import local_members
from edgewise.operators import compute as local_compute
from edgewise.operators.results import in_record

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["compute", "local_tuple"]


def compute(graph, request) -> None:
    """See `edgewise.operators.compute`."""
    frontier, function, state, work, _ = request
    members = local_members(graph, frontier)
    if graph.grid.world.priced:
        graph.grid.world.work(vertices=graph.numbering.size if members is None else len(members))
    local_compute(graph.block, members, function, local_tuple(graph, state), work=work)


def local_tuple(graph: GridGraph, given: tuple) -> tuple:
    """The parts of the arrays given to a user's function, which its vertex may index."""

    def part(one: Any) -> Any:
        if isinstance(one, ArcArray):
            raise TypeError("state on a grid is arrays over vertices; functions cannot read arcs")
        shape = getattr(one, "shape", ())
        whole = not isinstance(one, VertexArray) and shape == (graph.num_vertices,)
        if whole and graph.num_vertices > 1:
            raise TypeError(
                "state over the vertices of a graph on a grid must be spread over it, as "
                f"graph.full and graph.share make it, got {type(one).__name__}"
            )
        return local(one)

    return tuple(in_record(part, one) for one in given)
