"""`reduce_neighbors` on a grid: each rank its part of every neighborhood, then one reduction.

Members' totals are gathered in arrays that stay with the graph, so that a call on a few members
sends and cleans no more than these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.exchange import dense, reduce_along, reduced_over, share
from edgewise.distributed.frontier import local_members
from edgewise.distributed.landing import dense_operation, landed
from edgewise.distributed.operators.messages import chosen_weights, localized
from edgewise.distributed.operators.two_steps import with_rows
from edgewise.distributed.operators.views import View, into_view, one_way, out_view
from edgewise.distributed.tuning import tuning
from edgewise.operators.engines import run
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import reduced, several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["found_on", "gathered", "gathering_view", "reduce_neighbors", "scratch", "side_total"]


def reduce_neighbors(graph, request: Neighborhood) -> Any:
    """See `edgewise.operators.reduce_neighbors`."""
    here = _in_parts(graph, request)
    if request.key is not None:
        from edgewise.distributed.operators.grouped import all_keys, chosen

        if request.choose is None:
            return all_keys(graph, here)
        return chosen(graph, here, request.out)
    result = gathered(graph, here)
    if request.out is not None:
        return request.out
    found = tuple(VertexArray(graph, array) for array in several(result))
    return found if isinstance(result, tuple) else found[0]


def _in_parts(graph: GridGraph, request: Neighborhood) -> Neighborhood:
    """The request over what this rank has."""

    def part(name: str) -> Any:
        given = getattr(request, name)
        return given if given is None or isinstance(given, str) else local_state(graph, given, name)

    values, own = part("values"), part("own")
    return request._replace(
        frontier=local_members(graph, request.frontier),
        message=localized(graph, request.message) if request.via is None else request.message,
        values=values,
        own=values if own is None else own,
        key=part("key"),
        stay=part("stay"),
        weights=chosen_weights(graph, request.weights),
        out=None if request.choose is not None else part("out"),
    )


def gathered(graph: GridGraph, here: Neighborhood) -> Any:
    """The totals of a request over parts, in line on all copies of the members."""
    xp, members, reduce = graph.block.xp, here.frontier, here.reduce
    result = reduced(graph.block, here.values, reduce, here.dtype, here.out, fill=False)
    arrays = several(result)
    if here.mode == "both" and graph.directed:
        _both(graph, here, arrays)
        return result
    view = gathering_view(graph, here.mode, here.weights)
    operation = dense_operation(xp, reduce, arrays)
    if members is None and operation is not None:
        partial(graph, view, here, result)
        dense(graph, view.side, arrays[0], operation)
        return result
    if members is not None and here.out is None:
        _fill(arrays, reduce)
    with scratch(graph, arrays, reduce) as (totals, touched):
        partial(graph, view, here, totals if isinstance(result, tuple) else totals[0])
        touched += [slice(None) if members is None else members.ids]
        ids = found_on(graph, view.side, totals, reduce, members)
        ids = reduce_along(graph, view.side, ids, totals, reduce, tuning().pattern, apart=True)
        share(graph, view.side, ids, totals)
        for array, total in zip(arrays, totals, strict=True):
            array[touched[0]] = total[touched[0]]
    return result


def _both(graph: GridGraph, here: Neighborhood, arrays: tuple) -> None:
    """Along both directions of a directed graph's arcs: one after the other, then combined."""
    xp, members = graph.block.xp, here.frontier
    ids = xp.arange(graph.numbering.size) if members is None else members.ids
    types = tuple(array.dtype for array in arrays)
    apart = here._replace(dtype=types if len(types) > 1 else types[0], out=None)
    first, second = (several(gathered(graph, apart._replace(mode=one))) for one in ("in", "out"))
    landed(graph, here.reduce, first, ids, tuple(one[ids] for one in second))
    if here.out is None and members is not None:
        _fill(arrays, here.reduce)
    for array, total in zip(arrays, first, strict=True):
        array[ids] = total[ids]


def gathering_view(graph: GridGraph, mode: str, weights: Any) -> View:
    """The rows along which members look at their neighbors."""
    if mode == "out" and one_way(graph, weights):
        return into_view(graph, "pull", weights)
    return out_view(graph, "pull", weights)


def partial(graph: GridGraph, view: View, here: Neighborhood, out: Any) -> None:
    """What this rank's arcs contribute."""
    view.tell_work(graph, None if here.frontier is None else here.frontier.ids)
    if here.via is not None:
        here = with_rows(graph, view, here)
    request = here._replace(mode="out", weights=view.weights, dtype=None, out=out)
    run(view.rows, "reduce_neighbors")(view.rows, request)


def side_total(graph: GridGraph, here: Neighborhood, sent: Any) -> tuple[str, Any]:
    """For every vertex of one side the total, the same within the group of that side.

    Each rank's part is totalled in the type asked for and travels in the type ``sent``.
    """
    view = gathering_view(graph, here.mode, here.weights)
    total = reduced(graph.block, here.values, here.reduce, here.dtype, None, fill=False)
    partial(graph, view, here, total)
    place, group = graph.numbering.slice(view.side), graph.grid.along(view.side)
    operation = dense_operation(graph.block.xp, here.reduce, (total,))
    if operation is None:
        ids = found_on(graph, view.side, (total,), here.reduce)
        reduce_along(graph, view.side, ids, (total,), here.reduce, tuning().pattern, apart=True)
    elif group.size > 1:
        with group.phase("reduce"):
            part = total[place].astype(sent, copy=False)
            total[place] = reduced_over(group, part, operation)
    return view.side, total


def found_on(graph: GridGraph, side: str, arrays: tuple, reduce: Any, members: Any = None) -> Any:
    """The vertices of a side, or those of its members, that this rank found something for."""
    xp, place = graph.block.xp, graph.numbering.slice(side)
    if members is None:
        ids = xp.arange(place.start, place.stop, dtype=np.int32)
    else:
        ids = members.ids[(members.ids >= place.start) & (members.ids < place.stop)]
    some = xp.zeros(len(ids), bool)
    for array, one in zip(arrays, _identity(arrays, reduce), strict=True):
        differs = array[ids] != one
        some |= differs if differs.ndim == 1 else differs.any(axis=1)
    return ids[some]


@contextmanager
def scratch(graph: GridGraph, like: tuple, reduce: Any) -> Iterator[tuple[tuple, list]]:
    """Arrays over local numbers that hold the identity, and a list for where they are changed.

    They stay with the graph: what the list names is cleaned at the end, and nothing else.
    """
    kept, identity = graph.__dict__.setdefault("_scratch", {}), _identity(like, reduce)
    key = tuple((one.dtype, one.shape, unit.tobytes())
                for one, unit in zip(like, identity, strict=True))  # fmt: skip
    if kept.get(key):
        arrays = kept[key].pop()
    else:
        xp = graph.block.xp
        arrays = tuple(
            xp.full(one.shape, unit, one.dtype) for one, unit in zip(like, identity, strict=True)
        )
    touched: list = []
    yield arrays, touched
    for ids in touched:
        for array, unit in zip(arrays, identity, strict=True):
            array[ids] = unit
    kept.setdefault(key, []).append(arrays)  # after an error they are not clean, and dropped


def _fill(arrays: tuple, reduce: Any) -> None:
    for array, one in zip(arrays, _identity(arrays, reduce), strict=True):
        array.fill(one)


def _identity(arrays: tuple, reduce: Any) -> tuple:
    return several(reduce.identity_for(*(array.dtype for array in arrays)))
