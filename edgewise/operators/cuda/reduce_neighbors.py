"""`reduce_neighbors` on CUDA: every member's row by threads enough for its length, no atomics."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.cuda.kernels import translated
from edgewise.operators.cuda.inner import arity, dtypes_of, messenger
from edgewise.operators.cuda.plan import plan_rows, whole_plan
from edgewise.operators.cuda.rows import REDUCING, Shape, reduce_rows
from edgewise.operators.cuda.state import Along, along, state_arrays
from edgewise.operators.frontier import vertex_members
from edgewise.operators.functions import compiled, message_names, naming_failures
from edgewise.operators.monoids import check_monoid

__all__ = ["incoming", "reduce_neighbors"]


def reduce_neighbors(graph, frontier, message, values, reduce, own, key, choose, edges, weights,
                     dtype, out) -> Any:  # fmt: skip
    """See `edgewise.operators.reduce_neighbors`."""
    names = message_names(message)
    check_monoid(reduce)
    values = state_arrays(graph, values, "values")
    own = values if own is None else state_arrays(graph, own, "own")
    sent = values if "value" in names else None
    target = own if "own" in names else None
    rows = incoming(graph, edges, weights, names)
    ids = None if frontier is None else vertex_members(graph, frontier).ids
    message = compiled(message, "message")
    combine = compiled(reduce.combine, "reduce.combine", 2)
    if key is not None:
        from edgewise.operators.cuda.grouped import grouped

        if out is not None:
            raise TypeError("out has no meaning with key")
        with naming_failures(message, combine):
            return grouped(graph, rows, ids, messenger(message, names), translated(combine), reduce,
                           sent, target, values, key, choose, dtype)  # fmt: skip
    if choose is not None:
        raise TypeError("choose belongs to key: give a key with it")
    result = _result(graph, values, reduce, dtype, out, fill=ids is not None)
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
    check_choice(edges, "edges", ("out", "in", "both"))
    if edges == "both" and not graph.directed:
        edges = "in"  # each edge once, on its way to the member
    return along(graph, edges, weights, names, False)[0]


def _result(graph, values, reduce, dtype, out, fill) -> Any:
    """The array (or arrays) of results, the identity outside the members."""
    xp, n = graph.xp, graph.num_vertices
    if out is not None:
        out = state_arrays(graph, out, "out")
        _check_out(xp, out, values, dtype)
        if fill:
            identity = reduce.identity_for(*dtypes_of(out))
            for array, one in zip(_several(out), _several(identity), strict=True):
                array.fill(one)
        return out
    if isinstance(values, tuple) and dtype is None:
        types = dtypes_of(values)
    elif isinstance(reduce.identity, tuple):
        types = (
            dtype if isinstance(dtype, tuple) else (dtype or values.dtype,) * len(reduce.identity)
        )
    else:
        dtype = np.dtype(dtype or values.dtype)
        return xp.full(n, reduce.identity_for(dtype), dtype) if fill else xp.empty(n, dtype)
    identity = reduce.identity_for(*types)
    return tuple(xp.full(n, i, t) for i, t in zip(identity, types, strict=True))


def _check_out(xp, out, values, dtype) -> None:
    """``out`` must have the type asked for, and must not be what the messages read."""
    types = dtype if isinstance(dtype, tuple) else (dtype,) * len(_several(out))
    for array, wanted in zip(_several(out), types, strict=True):
        if wanted is not None and array.dtype != wanted:
            raise TypeError(f"out must have the dtype asked for ({wanted}), got {array.dtype}")
        if any(xp.may_share_memory(array, read) for read in _several(values)):
            raise ValueError("out must not be values itself: neighbors still read them")


def _several(one: Any) -> tuple:
    return one if isinstance(one, tuple) else (one,)
