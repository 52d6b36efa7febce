"""`reduce_neighbors` with ``via=`` on a grid: rows of the second step go to those who need them.

A rank has some neighbors u of its members; the rows of these in the second graph lie with the ranks
of u's block of rows. It asks all of them, for each row once. What comes back, entry by entry, is
the vertex that is reached, the weight, and what messages and keys are made of: who holds an arc has
its target at hand. All rows asked for are there at once, about m / C arcs on a grid of R x C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.operators.messages import with_ids
from edgewise.distributed.operators.views import View
from edgewise.distributed.packet_swap import post
from edgewise.graph.transfer import rows_of
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["with_rows"]


class _Onward:
    """Rows of the second step, as a block's operator reads them."""

    def __init__(self, indptr: Any, indices: Any, weights: Any, columns: int):
        self.indptr, self.indices, self.weights = indptr, indices, weights
        self.stored = indptr, indices
        self.shape = (len(indptr) - 1, columns)


def with_rows(graph: GridGraph, view: View, here: Neighborhood) -> Neighborhood:
    """The request for this rank's rows of the first step, with all that the second one needs."""
    xp, size = graph.block.xp, graph.numbering.size
    names = () if here.message is None else here.message.names
    values = several(here.values) if "value" in names else ()
    read = {
        "onward": here.via.block.weights if "onward" in names else None,
        "key": here.keys,
        **{f"value{i}": one for i, one in enumerate(values)},
    }
    positions, ids, found = _rows_of_others(graph, here.via.block, _asked_for(graph, view, here),
                                            read)  # fmt: skip
    reached, column = xp.unique(ids, return_inverse=True)
    column, lines = column.ravel(), graph.numbering.local(positions)
    order = xp.lexsort(xp.stack([column.astype(np.int64), lines.astype(np.int64)]))
    indptr = offsets(xp.bincount(lines, minlength=size))
    weights = found.get("onward")
    onward = _Onward(
        indptr, column[order].astype(graph.layout.dtype),
        None if weights is None else weights[order], len(reached),
    )  # fmt: skip

    def over_reached(name: str) -> Any:
        array = xp.empty(len(reached), found[name].dtype)
        array[column] = found[name]
        return array

    message, key = here.message, here.key
    values = tuple(over_reached(f"value{i}") for i in range(len(values)))
    if key is not None:
        key = over_reached("key") if "key" in found else reached.astype(np.int64)
    if "source" in names:
        message = with_ids(message, reached)
    return here._replace(
        message=message,
        values=values if len(values) > 1 else (*values, None)[0],
        key=key,
        dtype=here.dtype or getattr(here.values, "dtype", None),
        via=onward,
    )


def _asked_for(graph: GridGraph, view: View, here: Neighborhood) -> Any:
    """The positions of those who are one step away from members."""
    xp, indptr, indices = graph.block.xp, view.rows.indptr, view.rows.indices
    if here.frontier is not None:
        indices = indices[_arcs(xp, indptr, here.frontier.ids)[1]]
    marks = xp.zeros(graph.numbering.size, bool)
    marks[indices] = True
    return graph.positions[marks]


def _rows_of_others(graph: GridGraph, block: Any, positions: Any, read: dict[str, Any]) -> tuple:
    """The rows of these positions from all ranks: of each entry the row, the vertex, and what is
    read: ``onward`` of the arc, the others of its target."""
    xp, columns = graph.block.xp, graph.layout.shape[1]
    first = (graph.layout.piece(positions) // columns * columns).astype(np.int64)
    ranks = (first[:, None] + xp.arange(columns)).reshape(-1)
    askers = xp.full(len(ranks), graph.grid.rank, np.int32)
    asked, askers = post(graph, ranks, (xp.repeat(positions, columns), askers))
    which, arcs = _arcs(xp, block.indptr, graph.numbering.local(asked))
    targets = block.indices[arcs]
    read = {name: array for name, array in read.items() if array is not None}
    fields = [array[arcs if name == "onward" else targets] for name, array in read.items()]
    entries = asked[which], graph.ids[targets], *fields
    positions, ids, *fields = post(graph, askers[which], entries)
    return positions, ids, dict(zip(read, fields, strict=True))


def _arcs(xp: Any, indptr: Any, rows: Any) -> tuple[Any, Any]:
    """All arcs of these rows: for each, which of the rows it is of, and its place."""
    ends = offsets(indptr[rows + 1] - indptr[rows])
    count = int(ends[-1])
    which = rows_of(ends, count, np.int64, xp)
    return which, (indptr[rows] - ends[:-1])[which] + xp.arange(count)
