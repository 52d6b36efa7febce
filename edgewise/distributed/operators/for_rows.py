"""`for_rows` on a grid: each rank its part of every row, one reduction, then finish at all copies.

What ``finish`` may read and write is as in `compute` here: the member's own elements of arrays over
vertices, because the others are elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.frontier import local_members
from edgewise.distributed.operators.compute import local_tuple
from edgewise.distributed.operators.messages import chosen_weights
from edgewise.distributed.operators.reduce_neighbors import reduce_neighbors
from edgewise.operators import compute
from edgewise.operators.engines import run
from edgewise.operators.functions import compiled
from edgewise.operators.requests import Rows
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["for_rows"]


def for_rows(graph: GridGraph, request: Rows) -> None:
    """See `edgewise.operators.for_rows`."""
    if "total" in request.message.names:
        raise ValueError(
            "message names total, but a row on a grid is in several hands; leave it to reduce"
        )
    state = local_tuple(graph, request.state)
    if graph.alone and request.key is None:
        parts: dict[str, Any] = {
            name: None if given is None else local_state(graph, given, name)
            for name, given in (("values", request.values), ("own", request.own))
        }
        run(graph.whole, "for_rows")(
            graph.whole,
            request._replace(
                frontier=local_members(graph, request.frontier),
                state=state,
                weights=chosen_weights(graph, request.weights),
                **parts,
            ),  # fmt: skip
        )
        return
    ids = VertexArray(graph, graph.ids)
    values = ids if request.values is None else request.values
    own = ids if request.own is None else request.own
    asked = request._replace(values=values, own=own).choice
    if request.key is None:
        dtype = request.dtypes if len(request.dtypes) > 1 else request.dtypes[0]
        asked = asked._replace(dtype=dtype)
    totals = reduce_neighbors(graph, asked)
    found = tuple(one.local for one in several(totals))
    end = _ending if request.key is None else _ending_by_key
    ending = end(compiled(request.finish.given, "finish"), len(found))
    members = local_members(graph, request.frontier)
    compute(graph.block, members, ending, (*found, *state, *request.finish.params))


@cache
def _ending(finish: Any, width: int) -> Any:
    """``finish`` for one vertex, whose total stands in the first arrays."""
    return {
        1: lambda v, a, *state: finish(v, a[v], *state),
        2: lambda v, a, b, *state: finish(v, (a[v], b[v]), *state),
        3: lambda v, a, b, c, *state: finish(v, (a[v], b[v], c[v]), *state),
        4: lambda v, a, b, c, d, *state: finish(v, (a[v], b[v], c[v], d[v]), *state),
    }[width]


@cache
def _ending_by_key(finish: Any, width: int) -> Any:
    """``finish`` for one vertex, whose key and score stand in the first arrays."""
    return lambda v, key, score, *state: finish(v, key[v], score[v], *state)
