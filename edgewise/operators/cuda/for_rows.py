"""`for_rows` on CUDA: the walk over rows that all operators share, with a finish of the user's."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.graph import Graph
from edgewise.operators.cuda.inner import caller
from edgewise.operators.cuda.messages import (
    MESSAGE,
    Heard,
    hearing,
    listening,
    params_of,
    some_params,
)
from edgewise.operators.cuda.state import incoming
from edgewise.operators.cuda.totals import Totals
from edgewise.operators.cuda.walk import Walk, walk_members
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import Function, compiled, naming_failures
from edgewise.operators.requests import Rows

__all__ = ["for_rows"]


def for_rows(graph: Graph, request: Rows) -> None:
    """See `edgewise.operators.for_rows`."""
    names, reduce, state = request.message.names, request.reduce, request.state
    rows = incoming(graph, request.mode, request.weights, names)
    ids = None if request.frontier is None else vertex_members(graph, request.frontier).ids
    if request.key is not None:
        from edgewise.operators.cuda.keyed import keyed

        keyed(graph, rows, ids, request.choice, (request.finish, state))
        return
    own = request.own
    if own is None and "own" in names:
        if "_row_ids" not in graph.__dict__:
            graph.__dict__["_row_ids"] = graph.xp.arange(graph.num_vertices)
        own = graph.__dict__["_row_ids"]
    message = compiled(request.message.given, "message")
    ended = compiled(request.finish.given, "finish")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    heard, totals, data = listening(
        request.message, rows, request.values, own, reduce, request.dtypes
    )
    given = ("v", "total", "params", *(f"state{i}" for i in range(len(state))))
    finish = caller(ended, request.finish.names, given)
    params, outputs = _params(request.message, data.identity), (params_of(request.finish), *state)
    data = data._replace(params=params, outputs=outputs)
    with naming_failures(message, ended, combine):
        walk_members(graph, request.mode, ids, finishing(heard, totals, finish), data)


def _params(message: Function, identity: Any) -> tuple:
    """The params of a message; a total that it names is none yet: four of them run side by side."""
    given = iter(message.params)
    others = [name for name in message.names if name not in MESSAGE]
    return some_params(tuple(identity if name == "total" else next(given) for name in others))


@cache
def finishing(heard: Heard, totals: Totals, finish: Any) -> Walk:
    """The walk that calls ``finish(v, total, params, *state)`` for every row."""

    @device
    def settle(row, total, so_far, data):
        finish(np.int64(row.v), total, data.outputs[0], *data.outputs[1:])
        return so_far

    return Walk(hearing(heard, totals), totals, settle)
