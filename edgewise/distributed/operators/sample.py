"""`sample` on a grid: a rank draws from the whole rows of the members that it owns.

The ranks of a row send each other their parts of the rows, once for each graph and weights by name.
Rows are in the order of one device, so the same edges are drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.once import once
from edgewise.distributed.arrays import ArcArray
from edgewise.distributed.frontier import local_members, owned
from edgewise.distributed.key_rows import SampleRows
from edgewise.distributed.operators.messages import chosen_weights
from edgewise.distributed.walking import OwnedRows
from edgewise.operators.sampling import Choice, Sampling

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["sample"]


class _Here(NamedTuple):
    """Where a rank draws."""

    xp: Any
    device: str


def sample(graph: GridGraph, request: Sampling) -> SampleRows:
    """See `edgewise.operators.sample`."""
    if graph.directed and request.mode != "out":
        raise ValueError(
            f"mode must be 'out' for a directed graph on a grid, got {request.mode!r}: a rank has "
            "the rows of its vertices alone"
        )
    rows = _rows(graph, request.weights)
    mine = owned(graph, local_members(graph, request.frontier))
    ids, here = graph.ids[mine], mine.astype(np.int64) - graph.own.start
    choice = Choice(_Here(rows.xp, graph.device), here, ids.astype(np.int64), rows.indptr,
                    rows.values, request.seed)  # fmt: skip
    starts, places = choice.draw(request.k, request.fraction, request.replace)
    graph.grid.world.work(vertices=len(mine), edges=len(places))
    return SampleRows(graph, ids, starts, rows.indices[places])


def _rows(graph: GridGraph, weights: Any) -> OwnedRows:
    """The rows of this rank's vertices, with weights that are checked."""
    found = chosen_weights(graph, weights)
    found = graph.block.weights if isinstance(found, str) else found  # the graph's own
    if found is not None and not isinstance(weights, str):
        return _checked(graph, found)
    name = None if found is None else weights
    return once(graph, ("owned rows", name), lambda: _checked(graph, found))


def _checked(graph: GridGraph, weights: Any) -> OwnedRows:
    if weights is None:
        return graph.owned_rows()
    values = ArcArray(graph, weights)
    if graph.num_arcs and not (values.min() >= 0 and values.max() < np.inf):
        found = graph._first_arc(~((values >= 0) & (values < np.inf)), values)
        raise ValueError(f"weights must be finite and not negative, got {found.value}")
    return graph.owned_rows(values)
