"""`reduce_neighbors` with ``key=`` on CUDA: the best key of each member, or all.

Tables are gathered as ``gather.py`` tells; here is what is made of them: of the keys in a table the
best is kept. All keys are written by ``grouped.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.kernels import device, translated
from edgewise.graph import Graph
from edgewise.operators.adjacency import second_step
from edgewise.operators.choices import SCORE_NAMES, better_by, score_names
from edgewise.operators.cuda.absent import absent
from edgewise.operators.cuda.gather import ALONG, Data, Gathering
from edgewise.operators.cuda.grouped import dealt, grouped
from edgewise.operators.cuda.hash_tables import claim, key_at, lander
from edgewise.operators.cuda.inner import caller, take
from edgewise.operators.cuda.long_tables import gather_rows
from edgewise.operators.cuda.messages import (
    MESSAGE,
    Data as Sum,
    Heard,
    keeping,
    params_of,
    some_params,
)
from edgewise.operators.cuda.rating import at_key, ranked, stay_of, staying_at, word_of
from edgewise.operators.cuda.state import Along, nothing
from edgewise.operators.cuda.totals import COUNT, Totals
from edgewise.operators.cuda.walk import Walk, walk_members
from edgewise.operators.functions import Function, compiled, naming_failures
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Chosen

__all__ = ["keyed", "reached"]

_INT, _FLAG, _FLOAT = np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.float64)


def keyed(graph: Graph, rows: Along, ids: Any, request: Neighborhood, ended: Any = None) -> Any:
    """See `edgewise.operators.reduce_neighbors`; ``rows`` are those of the first step.

    ``ended`` is a finish of `for_rows`, a `Function`, and its state: it takes what is chosen.
    """
    xp, n, message, via = graph.xp, graph.num_vertices, request.message, request.via
    names, score = () if message is None else message.names, request.choose
    onward = rows.arrays[:3] if via is None else second_step(via, names)[:3]
    reach = None if via is None else reached(graph, rows, ids, via, request.mode)
    if score == "absent":
        return Chosen(absent(graph, rows, onward, reach, ids, request), None)
    own = request.values if request.own is None else request.own
    asks = "own" in names or (isinstance(score, Function) and "own" in score.names)
    combine = translated(request.reduce.combine)
    heard = Heard(caller(message.given, names, MESSAGE if via is None else ALONG))
    dtype = np.dtype(request.dtype or request.values.dtype)
    kept = lander(combine, dtype)[0]
    empty = kept.type(request.reduce.identity_for(dtype))
    key = request.keys
    narrow = all(map(_narrow, (via.indices if key is None else key, request.stay)))
    how = Gathering(heard, combine, dtype, via is not None, narrow)
    sent, own = request.values if "value" in names else None, own if asks else None
    data = Data(rows.arrays, onward, reach, sent, own, key, request.stay,
                params_of(message), empty)  # fmt: skip
    functions = (score if isinstance(score, Function) else None, message,
                 compiled(request.reduce.combine, "reduce.combine"),
                 ended and ended[0], request.finishing and request.finishing.function)  # fmt: skip
    with naming_failures(*functions):
        if score is None:
            return grouped(graph, ids, request, how, data)
        plan, deal = dealt(graph, request.mode, ids, data)
        walk, data = _choice(request, data, kept)
        if ended is not None:
            finish, state = ended
            ends, walk = _ending(finish, state, walk, _place(request.draw is not None))
            gather_rows(xp, plan, deal, how, walk, data._replace(outputs=(*ends, *data.outputs)))
            return None
        out = request.out or _unset(xp, n, ids, request, dtype)
        gather_rows(xp, plan, deal, how, walk, data._replace(outputs=(*out, *data.outputs)))
        return Chosen(*out)


def _narrow(keys: Any) -> bool:
    """Do 32 bits hold all of these keys, if there are any?"""
    return keys is None or np.can_cast(keys.dtype, np.int32)


def reached(graph, rows: Along, ids, via, edges) -> Any:
    """How many keys two steps from each member may bring: edges, or fewer if there are no more."""
    xp = graph.xp
    lengths = via.indptr[1:] - via.indptr[:-1]
    total, heard = xp.zeros(graph.num_vertices, np.int64), Heard(_value)
    data = Sum(rows.arrays, lengths, None, some_params(()), np.int64(0), total)
    walk_members(graph, edges, ids, keeping(heard, COUNT), data)
    return xp.minimum(total, via.shape[1])


@device
def _value(value, weight, source, edge, own, column, params):
    return value


def _unset(xp, n, ids, request: Neighborhood, dtype: np.dtype) -> tuple[Any, Any]:
    """New arrays for keys and totals, as those have them who are not asked or have no neighbors."""
    if isinstance(request.choose, Function):
        return xp.full(n, -1, np.int64), xp.full(n, -np.inf)
    return xp.full(n, -1, np.int64), xp.full(n, request.reduce.identity_for(dtype), dtype)


def _choice(request: Neighborhood, data: Data, kept) -> tuple[Walk, Data]:
    """The walk that keeps the best key; its data, with the outputs' rest."""
    score, draw, skips = request.choose, request.draw, request.skip_empty
    if not isinstance(score, Function):
        walk = choosing(_total, kept, score == "min", False, skips, False)
        unset = kept.type(data.empty)
        return walk, data._replace(identity=(unset, np.int64(-1), np.int32(0)),
                                   outputs=(some_params(()), None, None))  # fmt: skip
    tables, named = tuple(request.by_key.values()), score_names(request.by_key)
    rate = caller(score.given, score.names, (*SCORE_NAMES, "params", *named[len(SCORE_NAMES) :]))
    relative = any(name.startswith("staying") for name in score.names)
    walk = choosing(rate, _FLOAT, False, relative, skips, draw is not None)
    unset = (np.float64(-np.inf), np.int64(-1), np.int32(0))
    if draw is not None:
        unset = (*unset, unset[0])
    outputs = (params_of(score), tables or None, draw and tuple(draw))
    known = min((len(one) for one in tables), default=0)
    return walk, data._replace(identity=unset, outputs=outputs, key_count=known)


@device
def _total(total, key, own, staying, params):
    return total


def _place(drawn: bool) -> int:
    """Where the score of the key that is kept stands in a walk's total."""
    return 3 if drawn else 0


def _ending(finish: Function, state: tuple, walk: Walk, place: int) -> tuple[tuple, Walk]:
    """What ``finish(v, key, score, *state)`` is called with, and the walk that calls it."""
    given = ("v", "key", "score", "params", *(f"state{i}" for i in range(len(state))))
    call = caller(compiled(finish.given, "finish"), finish.names, given)
    return ((some_params(finish.params), *state), nothing()), finishing(call, walk, place)


@cache
def finishing(finish: Any, walk: Walk, place: int) -> Walk:
    """A walk that chooses, but hands on what it has chosen; its score is at ``place``."""

    @device
    def settle(row, total, so_far, data):
        finish(np.int64(row.v), total[1], total[place], data.outputs[0][0], *data.outputs[0][1:])
        return so_far

    return walk._replace(settle=settle)


@cache
def choosing(
    rate: Any, kind: np.dtype, least: bool, relative: bool, skips: bool, drawn: bool
) -> Walk:
    """The walk that keeps the best key of each row; ``rate`` says how good one is.

    ``outputs`` are the keys, the ratings, the params of ``rate``, the arrays read at a key, and
    what draws are made of, if they are (``drawn``). ``relative``: what is at the key to stay with
    counts. ``skips``: empty keys are left out.
    """
    better, staying_of, entry = better_by(least, device), _staying_reader(relative), _entry(drawn)
    cast, place = kind.type, _place(drawn)

    @device
    def rated(total, key, own, staying, outputs):
        here = at_key(outputs[3], np.uint64(key))
        return cast(rate(total, key, own, staying[0], outputs[2], *here, *staying[1:]))

    @device
    def empty(total, key, v, data):
        """Is a key no candidate, because nothing has come to it?"""
        if not skips or total != data.empty:
            return False
        stay = stay_of(data.stay, v)
        return stay < 0 or key != stay

    @device
    def best_of(old, new):
        if new[2] == 0 or (old[2] != 0 and not better(new[0], new[1], old[0], old[1])):
            return old
        return new

    @device
    def look(row, lane, step, table, data):
        keys, totals, base, size = table
        own, best = take(data.own, row.v), data.identity
        staying, word = staying_of(row, table, data), word_of(data.outputs[4], row.v)
        for i in range(lane, size + 1, step):
            held = keys[base + i]
            if held != 0:
                key = key_at(held, i, size)
                if not empty(totals[base + i], key, row.v, data):
                    score = rated(totals[base + i], key, own, staying, data.outputs)
                    best = best_of(best, entry(score, key, word, data.outputs[4]))
        return best

    @device
    def settle(row, total, so_far, data):
        data.outputs[0][row.v] = total[1]
        data.outputs[1][row.v] = total[place]
        return so_far

    kinds = (kind, _INT, _FLAG, kind) if drawn else (kind, _INT, _FLAG)
    return Walk(look, Totals(best_of, kinds, False), settle)


@cache
def _entry(drawn: bool) -> Any:
    """``entry(score, key, word, draw)``: what a key is compared by, and its score in a draw."""
    if not drawn:
        return device(lambda score, key, word, draw: (score, key, np.int32(1)))
    return device(
        lambda score, key, word, draw: (ranked(score, draw, word, key), key, np.int32(1), score)
    )


@cache
def _staying_reader(asked: bool) -> Any:
    """``staying_of(row, table, data)``: what a score reads of the key to stay with."""

    @device
    def staying_of(row, table, data):
        keys, totals, base, size = table
        stay, total = stay_of(data.stay, row.v), data.empty
        if stay >= 0:
            total = totals[claim(keys, base, size, stay)]
        return staying_at(total, data.outputs[3], stay)

    if asked:
        return staying_of
    return device(lambda row, table, data: staying_at(data.empty, data.outputs[3], np.int64(-1)))
