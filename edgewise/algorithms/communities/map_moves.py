"""Moves of vertices between modules that shorten the code; see `map_equation`.

label[v] is the module of v, named by a vertex. sums are arrays over modules: the visits of their
vertices, the flow that leaves them, and in directed graphs the flow that enters them; elsewhere
that is the same. When v joins module c, and s is the flow between them both ways, ``leave`` of c
grows by what leaves v, less s, and ``enter`` by what enters v, less s.

A round is made in parts: a part of the vertices, drawn by a hash, looks at what there was before it
and moves together, and the sums are brought up to date along the edges of those that moved. Flows
are whole multiples of 1 / ONE, so that sums do not depend on the order: the result is the same for
any number of threads. A round that lengthens the code is taken back. Only a vertex that has a
neighbor which moved since it last looked looks again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.algorithms.communities.codelength import plogp
from edgewise.algorithms.communities.labels import gathered
from edgewise.algorithms.communities.levels import Level
from edgewise.base.observe import notify
from edgewise.base.random import hashed, mix
from edgewise.operators import (
    ADD,
    MAX,
    advance,
    compute,
    deliver,
    filter,
    reduce_all,
    reduce_neighbors,
)
from edgewise.operators.helpers import inner

__all__ = ["ONE", "length", "settled"]

ONE = 2.0**50  # what a flow of 1 is
_PARTS, _ROUNDS = 8, 40
_TOL = 1e-4  # bits: a round that shortens the code by less is the last
_mix, _plogp = inner(mix), inner(plogp)


def settled(level: Level, label: Any, seed: int) -> tuple[float, Any, tuple]:
    """The length of the code (less that of the vertices), the modules, and their sums."""
    graph, label = level.graph, label.copy()
    sums, restless = _sums(level, label), graph.full(1, np.int8)
    shortest = _length(graph, sums)
    for turn in range(_ROUNDS):
        before = label.copy(), tuple(one.copy() for one in sums)
        moved = _round(level, label, sums, restless, hashed(seed, turn)[()])
        found = _length(graph, sums)
        notify(turn, phase="move", moved=moved)
        if found > shortest:
            label, sums = before
            break
        done, shortest = not moved or shortest - found < _TOL, found
        if done:
            break
    return shortest, label, sums


def length(level: Level, label: Any) -> float:
    """The length of the code, less that of the vertices."""
    return _length(level.graph, _sums(level, label))


def _sums(level: Level, label: Any) -> tuple:
    graph, (visits, *ways) = level.graph, level.masses
    inside = reduce_neighbors(graph, None, _inside, label, reduce=ADD, dtype=np.int64)
    return (
        gathered(graph, label, visits),
        *(gathered(graph, label, way - inside // 2) for way in ways),
    )


def _length(graph: Any, sums: tuple) -> float:
    every = plogp(int(sums[-1].sum()) / ONE)
    return every + reduce_all(graph, (sums[0], sums[1], sums[-1]), reduce=ADD, function=_words)


def _round(level: Level, label: Any, sums: tuple, restless: Any, key: Any) -> int:
    """All parts, one after the other; how many vertices moved."""
    graph, (visits, *ways) = level.graph, level.masses
    ids, (mass, *flows) = graph.xp.arange(level.size), sums
    best, flag, inside = (graph.full(-1), graph.full(0.0)), graph.full(0, np.int8), graph.full(0)
    rules = {"reduce": ADD, "choose": _saved if len(ways) == 1 else _saved_both, "stay": label,
             "own": (label, *level.masses), "dtype": np.int64,
             "by_key": dict(zip(("mass", "leave", "enter"), sums, strict=False))}  # fmt: skip
    count = 0
    for part in range(_PARTS):
        looking = filter(graph, None, _looks, (ids, restless, key, part, _PARTS))
        if looking.empty():
            continue
        compute(graph, looking, _set, (restless, 0))
        every = float(flows[-1].sum())
        reduce_neighbors(graph, looking, _along, label, key=label, out=best,
                         params={"every": every}, **rules)  # fmt: skip
        moved = filter(graph, looking, _is_other, (best[0], label))
        if moved.empty():
            continue
        count += len(moved)
        compute(graph, moved, _set, (flag, 1))
        for sign in (-1, 1):
            if sign == 1:
                compute(graph, moved, _take, (label, best[0]))
            reduce_neighbors(graph, moved, _halves, (label, flag), reduce=ADD, out=inside)
            deliver(graph, mass, label, sign * visits, reduce=ADD, frontier=moved)
            for sum_of, way in zip(flows, ways, strict=True):
                change = sign * (way - inside // 2)
                deliver(graph, sum_of, label, change, reduce=ADD, frontier=moved)
        compute(graph, moved, _set, (flag, 0))
        advance(graph, moved, _one, restless, reduce=MAX)
    return count


def _along(weight):
    return weight


def _inside(value, weight, own):
    return weight if value == own else 0


def _halves(value, weight, own):
    """Twice the flow inside, half of it where the neighbor counts it as well."""
    return weight * (2 - value[1]) if value[0] == own[0] else 0


def _saved(total, staying, key, own, mass, leave, every):
    """Less what it costs v to be in this module, where one's own is taken without v."""
    label, visits, way = own
    grows = way - total
    if key == label:
        mass, leave = mass - visits, leave - grows
    after = leave + grows
    saved = 2 * (_bits(after) - _bits(leave)) - _bits(every + staying - total)
    return _graded(saved - _bits(after + mass + visits) + _bits(leave + mass), key == label)


def _saved_both(total, staying, key, own, mass, leave, enter, every):
    label, visits, out, into = own
    if key == label:
        mass, leave, enter = mass - visits, leave - out + total, enter - into + total
    after, inward = leave + out - total, enter + into - total
    saved = _bits(after) - _bits(leave) + _bits(inward) - _bits(enter)
    saved -= _bits(every + staying - total)
    return _graded(saved - _bits(after + mass + visits) + _bits(leave + mass), key == label)


def _in_steps(saved, stays):
    """Whole numbers of 2^-44 bits, so that rounding decides nothing; among equals one stays."""
    return math.floor(saved * 2.0**44 + 0.5) + (0.5 if stays else 0.0)


_graded = inner(_in_steps)


def _plogp_of_whole(flow):
    return _plogp(flow * (1.0 / ONE))


_bits = inner(_plogp_of_whole)


def _words(c, mass, leave, enter):
    return _bits(leave[c] + mass[c]) - _bits(leave[c]) - _bits(enter[c])


def _looks(v, ids, restless, key, part, parts):
    return restless[v] > 0 and _mix(np.uint64(ids[v]) ^ key) % np.uint64(parts) == np.uint64(part)


def _is_other(v, best, label):
    return best[v] != label[v]


def _set(v, values, value):
    values[v] = value


def _take(v, label, best):
    label[v] = best[v]


def _one():
    return 1
