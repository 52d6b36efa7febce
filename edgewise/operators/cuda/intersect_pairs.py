"""`intersect` on CUDA for given pairs: the shorter list's members, looked up in the longer one.

The shorter list of a pair is a row of the walk that all operators share, so that threads enough for
its length are on it. What happens to a common neighbor is a `Common`: it is counted, and besides
that nothing, or the user's function is called, a message combined, or its place in a list noted.
What is combined with what depends on the lists alone: the same total in every run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.bisection import lower_bound
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.offsets import offsets
from edgewise.operators.adjacency import chosen_weights, unsigned
from edgewise.operators.cuda.inner import caller, weight_at
from edgewise.operators.cuda.row_plan import plan_rows
from edgewise.operators.cuda.state import check_work, nothing
from edgewise.operators.cuda.totals import COUNT, Totals
from edgewise.operators.cuda.walk import REDUCING, Walk, store_total, walk_rows
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = ["below", "hitter", "holds", "pair_counts", "pair_lists", "pair_totals"]

_1, _INT = np.uint64(1), np.dtype(np.int64)


class Common(NamedTuple):
    """What a common neighbor brings: ``visit(pair, w, e, f, given, total)``, the new total.

    ``pair`` is its number and its two vertices; ``e`` and ``f`` are the positions of ``w`` in their
    rows. The first, or the only number of a total counts.
    """

    visit: Any
    totals: Totals = COUNT


class Data(NamedTuple):
    """What the walk is given."""

    rows: tuple[Any, Any]
    pairs: tuple[Any, Any]
    given: Any
    identity: Any
    outputs: Any  # the counts; or these and the totals


def pair_counts(graph, us, vs, function, state) -> Any:
    """How many common neighbors every pair has; the function is called for each."""
    count = graph.xp.zeros(len(us), np.int64)
    _walk(graph, us, vs, visiting(function), state, False, np.int64(0), count)
    return count


def pair_totals(graph, us, vs, request: Intersection) -> tuple[Any, Any]:
    """What the messages about its common neighbors make for every pair, and how many there are."""
    xp, message, dtype = graph.xp, request.message, request.dtype
    check_work("intersect with a message", (6 * len(us), np.int64), (len(us), dtype))
    weights = chosen_weights(graph, request.weights, message.names, ("weight_u", "weight_v"))
    given = (weights, message.params or (nothing(),))
    totals, count = xp.empty(len(us), dtype), xp.zeros(len(us), np.int64)
    common = reducing(translated(message.given), message.names, translated(request.reduce.combine),
                       dtype)  # fmt: skip
    identity = (np.int64(0), dtype.type(request.reduce.identity_for(dtype)))
    _walk(graph, us, vs, common, given, request.ordered, identity, (count, totals))
    return totals, count


def pair_lists(graph, us, vs, count, total, ordered) -> tuple[Any, Any]:
    """Where each pair's common neighbors begin, and they themselves, ascending."""
    xp, width = graph.xp, max((graph.shape[1] - 1).bit_length(), 1)
    check_work("intersect with lists", (6 * len(us) + 3 * total, np.int64))
    starts = offsets(count)
    found, cursor = xp.empty(total, np.uint64), xp.zeros(1, np.int64)
    if total:
        given = (found, cursor, np.uint64(width))
        _walk(graph, us, vs, listing(), given, ordered, np.int64(0), xp.empty_like(count))
        found.sort()  # by pair, and then by neighbor
    return starts, (found & np.uint64((1 << width) - 1)).astype(np.int64)


def _walk(graph, us, vs, common, given, ordered, identity, outputs) -> None:
    """Visit the common neighbors of all pairs."""
    xp, degrees = graph.xp, graph.indptr[1:] - graph.indptr[:-1]
    lengths = offsets(xp.minimum(degrees[us], degrees[vs]))
    plan = plan_rows(xp, unsigned(lengths), None, REDUCING.cut)
    rows, pairs = (unsigned(graph.indptr), unsigned(graph.indices)), (unsigned(us), unsigned(vs))
    walk_rows(xp, plan, REDUCING, common_walk(common, ordered),
              Data(rows, pairs, given, identity, outputs))  # fmt: skip


@cache
def visiting(function: Any) -> Common:
    """Call the user's function, if there is one."""
    hit = hitter(function)

    @device
    def visit(pair, w, e, f, given, total):
        hit(pair[1], pair[2], w, given)
        return total + 1

    return Common(visit)


@cache
def reducing(message: Any, names: tuple, combine: Any, dtype: Any) -> Common:
    """Combine what the message gives."""
    call, kind = caller(message, names, (*COMMON_NAMES, "params")), dtype.type

    @device
    def visit(pair, w, e, f, given, total):
        weights, params = given
        new = kind(call(weight_at(weights, e), weight_at(weights, f), np.int64(w), params))
        return total[0] + 1, kind(combine(total[1], new))

    join = device(lambda old, new: (old[0] + new[0], combine(old[1], new[1])))
    return Common(visit, Totals(join, (_INT, dtype)))


@cache
def listing() -> Common:
    """Note pair and neighbor as one number, anywhere."""

    @device
    def visit(pair, w, e, f, given, total):
        found, cursor, width = given
        found[add(cursor, 0, 1)] = (np.uint64(pair[0]) << width) | np.uint64(w)
        return total + 1

    return Common(visit)


@cache
def common_walk(common: Common, ordered: bool) -> Walk:
    """The walk over the shorter lists of pairs. ``ordered`` keeps to u > v > common."""
    visit, several = common.visit, len(common.totals.dtypes) > 1

    @device
    def sides(i, data):
        """The bounds of both lists, the shorter first; is that v's?"""
        indptr, indices = data.rows
        u, v = data.pairs[0][i], data.pairs[1][i]
        low, high, first, last = indptr[u], indptr[u + _1], indptr[v], indptr[v + _1]
        if ordered:
            high = below(indices, low, high, v) if v < u else low
            last = below(indices, first, last, v)
        if last - first < high - low:
            return first, last, low, high, True
        return low, high, first, last, False

    @device
    def fold(row, lane, step, data, shared):
        _, _, first, last, swapped = sides(row.v, data)
        pair = (row.v, data.pairs[0][row.v], data.pairs[1][row.v])
        indices, total, f = data.rows[1], data.identity, row.low + np.uint64(lane)
        while f < row.high:
            w = indices[f]
            at = below(indices, first, last, np.uint64(w))
            if at < last and indices[at] == w:
                e, other = (at, f) if swapped else (f, at)
                total = visit(pair, w, e, other, data.given, total)
            f += step
        return total

    @device
    def count_and_total(row, total, so_far, data):
        data.outputs[0][row.v], data.outputs[1][row.v] = total
        return so_far

    return Walk(lambda lanes: fold, common.totals, count_and_total if several else store_total,
                bounds=device(lambda i, data: sides(i, data)[:2]))  # fmt: skip


@cache
def hitter(function: Any) -> Any:
    """``hit(u, v, w, arrays)``: the user's function, called; nothing if there is none."""
    if function is None:
        return device(lambda u, v, w, arrays: None)

    @device
    def hit(u, v, w, arrays):
        function(np.int64(u), np.int64(v), np.int64(w), *arrays)

    return hit


@device
def below(indices, low, high, v):
    """The end of those in the ascending ``indices[low:high]`` that are less than ``v``."""
    return np.uint64(lower_bound(indices, low, high, v))


@device
def holds(indices, low, high, wanted):
    """Is ``wanted`` in the ascending ``indices[low:high]``?"""
    at = below(indices, low, high, np.uint64(wanted))
    return at < high and indices[at] == wanted
