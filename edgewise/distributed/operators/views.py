"""A block as the local engine walks it: along its rows, or along those of its transpose.

Along the block's own rows a push leads to column vertices and a pull into row vertices; along the
transpose's it is the other way round. An undirected graph needs the block alone, unless weights are
given for the call: the two arcs of an edge may have different ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.graph import Graph
from edgewise.graph.transfer import like
from edgewise.graph.weight_columns import WEIGHT

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["View", "into_view", "one_way", "out_view"]


class View(NamedTuple):
    """Rows to walk, the side whose vertices change, and the weights to name."""

    rows: Graph
    side: str
    weights: Any

    def tell_work(self, graph: GridGraph, active: Any) -> None:
        """Let a simulation know how many edges and vertices this rank looks at."""
        world = graph.grid.world
        if not world.priced:
            return
        indptr = self.rows.indptr
        if active is None:
            world.work(edges=self.rows.num_arcs, vertices=self.rows.num_vertices)
        else:
            edges = int((indptr[active + 1] - indptr[active]).sum())
            world.work(edges=edges, vertices=len(active))


def one_way(graph: GridGraph, weights: Any) -> bool:
    """Does the direction matter in which a message goes along an edge?"""
    return graph.directed or not (weights is None or isinstance(weights, str))


def out_view(graph: GridGraph, direction: str, weights: Any) -> View:
    """For messages along the arcs; of an undirected graph along its edges."""
    if direction == "push":
        return _view(graph, graph.block, "column", weights)
    if not one_way(graph, weights):
        return _view(graph, graph.block, "row", weights)
    return _view(graph, graph.turned, "column", weights)


def into_view(graph: GridGraph, direction: str, weights: Any) -> View:
    """For messages against the arcs."""
    if direction == "push":
        return _view(graph, graph.turned, "row", weights)
    return _view(graph, graph.block, "row", weights)


def _view(graph: GridGraph, rows: Any, side: str, weights: Any) -> View:
    if weights is None or isinstance(weights, str):
        return View(rows, side, weights)
    own = weights if rows is graph.block else weights[graph.turned_arcs]
    return View(like(rows, rows.indptr, rows.indices, own, directed=False), side, WEIGHT)
