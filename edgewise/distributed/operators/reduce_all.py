"""`reduce_all` on a grid: owners reduce their pieces, then all ranks their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.frontier import block_frontier, local_members, owned
from edgewise.distributed.landing import operation_name
from edgewise.distributed.operators.compute import local_tuple
from edgewise.operators import reduce_all as local_reduce_all
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["reduce_all"]


def reduce_all(graph, request) -> Any:
    """See `edgewise.operators.reduce_all`."""
    values, reduce, dtypes, frontier, function = request
    ids, state = owned(graph, local_members(graph, frontier)), local_tuple(graph, values)
    if graph.grid.world.priced:
        graph.grid.world.work(vertices=len(ids))
    found = local_reduce_all(
        graph.block, state if len(state) > 1 else state[0], reduce=reduce,
        frontier=block_frontier(graph, ids), function=function,
        dtype=dtypes[0] if request.single else dtypes,
    )  # fmt: skip
    totals = combined(graph, several(found), reduce, dtypes)
    return totals[0] if request.single else totals


def combined(graph: GridGraph, numbers: tuple, reduce: Any, dtypes: tuple) -> tuple:
    """The numbers of every rank, reduced in the order of the ranks."""
    world, name = graph.grid.world, operation_name(reduce)
    parts = [np.array([one], dtype) for one, dtype in zip(numbers, dtypes, strict=True)]
    with world.phase("control"):
        if name is not None:
            return (world.allreduce(parts[0], name)[0].item(),)
        every = [world.allgatherv(part, [1] * world.size)[0] for part in parts]
    combine = getattr(reduce.combine, "py_func", reduce.combine)
    identity = several(reduce.identity_for(*dtypes))
    total: tuple = identity
    with np.errstate(over="ignore"):
        for new in zip(*every, strict=True):
            if len(new) > 1:
                total = total if reduce.early_exit and total != identity else combine(total, new)
            elif not reduce.early_exit or total == identity:
                total = (combine(total[0], new[0]),)
            total = tuple(dtype.type(one) for one, dtype in zip(total, dtypes, strict=True))
    return tuple(one.item() for one in total)
