"""`reduce_neighbors` on CUDA: every member's row by threads enough for its length, no atomics."""

from __future__ import annotations

from typing import Any

from edgewise.base.cuda.kernels import translated
from edgewise.operators.adjacency import toward
from edgewise.operators.cuda.inner import arity, dtypes_of, messenger
from edgewise.operators.cuda.plan import plan_rows, whole_plan
from edgewise.operators.cuda.rows import REDUCING, Shape, reduce_rows
from edgewise.operators.cuda.state import Along, along
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import Function, compiled, naming_failures
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced

__all__ = ["incoming", "reduce_neighbors"]


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    if (
        isinstance(request.choose, Function)
        or request.choose == "absent"
        or request.stay is not None
        or request.via is not None
        or getattr(request.values, "ndim", 1) == 2
        or (request.choose and request.out is not None)
        or request.message.params
    ):
        raise NotImplementedError("params, scores, absent, stay, via and columns on CUDA")
    names, values, reduce, dtype = (
        request.message.names, request.values, request.reduce, request.dtype
    )  # fmt: skip
    frontier, key, out, edges = request.frontier, request.key, request.out, request.edges
    own = values if request.own is None else request.own
    sent = values if "value" in names else None
    target = own if "own" in names else None
    rows = incoming(graph, edges, request.weights, names)
    ids = None if frontier is None else vertex_members(graph, frontier).ids
    message = compiled(request.message.given, "message")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    if key is not None:
        from edgewise.operators.cuda.grouped import grouped

        with naming_failures(message, combine):
            return grouped(graph, rows, ids, messenger(message, names), translated(combine), reduce,
                           sent, target, values, key, request.choose, dtype)  # fmt: skip
    result = reduced(graph, values, reduce, dtype, out, fill=ids is not None and out is None)
    types = dtypes_of(result)
    shape = Shape(
        arity(sent), arity(target), types, rows.weighted, rows.mapped, reduce.early_exit
    )  # fmt: skip
    indptr = rows.arrays[0]
    if ids is None:
        plan = whole_plan(graph, edges, indptr, REDUCING)
    else:
        plan = plan_rows(graph.xp, indptr, ids, REDUCING)
    read = (indptr if sent is None else sent, indptr if target is None else target)
    with naming_failures(message, combine):
        reduce_rows(
            graph.xp, rows.arrays, plan, messenger(message, names), translated(combine), shape,
            read, reduce.identity_for(*types), result,
        )  # fmt: skip
    return result


def incoming(graph, edges, weights, names) -> Along:
    """For every member its edges, with the vertices that send to it along ``edges``."""
    return along(graph, toward(graph, edges), weights, names, False)[0]
