"""`reduce_neighbors` on CUDA: every member's row by threads enough for its length, no atomics."""

from __future__ import annotations

from typing import Any

from edgewise.operators.cuda.inner import dtypes_of
from edgewise.operators.cuda.messages import flat, keeping, listening
from edgewise.operators.cuda.state import incoming
from edgewise.operators.cuda.walk import walk_members
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import Function, naming_failures
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["reduce_neighbors"]


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    names = () if request.message is None else request.message.names
    rows = incoming(graph, request.mode, request.weights, names)
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    if request.key is not None or request.via is not None:
        from edgewise.operators.cuda.keyed import keyed

        return keyed(graph, rows, ids, request)
    values, reduce = request.values, request.reduce
    own = values if request.own is None else request.own
    fill = ids is not None and request.out is None
    result = reduced(graph, values, reduce, request.dtype, request.out, fill=fill)
    message, dtypes = request.message, dtypes_of(result)
    heard, totals, data = listening(message, rows, values, own, reduce, dtypes)
    data = data._replace(outputs=flat(result))
    with naming_failures(message, Function(reduce.combine, ())):
        walk_members(graph, request.mode, ids, keeping(heard, totals), data)
    return result
