"""Local moving in rounds: the same for every number of threads, and on a grid.

The vertices of a part (see ``parts``) look at what there was before it, and then those that gain
move together. Sums of communities change by messages to the vertex that names each: on a grid these
are the exchange of ghosts of Vite [1]. The rest is as in ``moving``.

[1] S. Ghosh, M. Halappanavar, A. Tumeo et al. Distributed Louvain algorithm for graph community
    detection. IPDPS 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.levels import Level, Moved
from edgewise.algorithms.communities.moving import Rules
from edgewise.algorithms.communities.parts import coloured, still_looking
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.operators import (
    ADD,
    MAX,
    advance,
    compute,
    deliver,
    filter,
    look_up,
    reduce_all,
    reduce_neighbors,
)
from edgewise.operators.engines import fused
from edgewise.operators.settling import drawn

__all__ = ["move_in_rounds"]

_PARTS = 8


def move_in_rounds(level: Level, at: Moved, rules: Rules, active: Any = None) -> Moved:
    """Move vertices until a pass gains little, as `moving.move`; changes the arrays of ``at``."""
    graph, (label, sums, gained) = level.graph, at
    active = graph.full(1, np.int32) if active is None else active.astype(np.int32)
    if not (rules.colouring or rules.minimum_label or rules.early_termination):
        found, turns = np.full(rules.passes, np.nan), range(rules.passes)
        keys = np.array([hashed(rules.seed + turn, level.size) for turn in turns], np.uint64)
        how = (rules.scale, rules.rate, rules.unit, rules.tol), (_PARTS, keys)
        if fused(graph, "moving_in_rounds", level.masses, at, active, how, found):
            for turn in range(np.count_nonzero(found == found)):
                gained += float(found[turn])
                notify(turn, phase="move")
            return Moved(label, sums, gained)
    calm = graph.full(0, np.int32)
    homes, fixed = tuple(graph.full(0.0) for _ in sums), graph.full(0.0)
    best = graph.full(-1), graph.full(0.0)
    classes = coloured(graph, rules.seed) if rules.colouring else None
    lost = tuple(-one for one in level.masses)
    single = len(sums) == 1
    names = ("size",) if single else ("size", "other")
    choice = {"reduce": ADD, "key": label, "stay": label, "out": best, "dtype": np.float64,
              "choose": _gain if single else _gain_both, "own": (label, *level.masses, fixed),
              "by_key": dict(zip(names, sums, strict=True)),
              "params": {"scale": rules.scale, "rate": rules.rate}}  # fmt: skip
    for turn in range(rules.passes):
        gain, moves = 0.0, 0
        parts = classes or drawn(graph, None, rules.seed + turn, _PARTS)
        for part in parts:
            looking = filter(graph, part, _is_set, active)
            if rules.early_termination:
                looking = still_looking(graph, looking, calm, rules.early_termination, rules.seed,
                                        turn)  # fmt: skip
            if looking.empty():
                continue
            for home, total in zip(homes, sums, strict=True):
                look_up(graph, total, label, frontier=looking, out=home)
            compute(graph, looking, _expect if single else _expect_both,
                    (fixed, active, calm, *homes, *level.masses))  # fmt: skip
            reduce_neighbors(graph, looking, _along, fixed, **choice)
            moved = filter(graph, looking, _leaves, (*best, label))
            if rules.minimum_label:
                moved = _lowered(graph, moved, best[0], at, level)
            if moved.empty():
                continue
            gain += float(reduce_all(graph, best[1], reduce=ADD, frontier=moved)) * rules.unit
            moves += len(moved)
            _change(graph, moved, sums, label, lost)
            compute(graph, moved, _take, (label, best[0], calm))
            _change(graph, moved, sums, label, level.masses)
            advance(graph, moved, _one, active, reduce=MAX)
        gained += gain
        notify(turn, phase="move")
        if moves == 0 or gain <= rules.tol:
            break
    return Moved(label, sums, gained)


def _lowered(graph: Any, moved: Any, key: Any, at: Moved, level: Level) -> Any:
    """Without those that are alone and would join another who is and has a higher id."""
    sizes = tuple(look_up(graph, at.sums[0], where, frontier=moved) for where in (at.label, key))
    other = look_up(graph, level.masses[0], key, frontier=moved)
    return filter(graph, moved, _may_join, (key, at.label, *sizes, level.masses[0], other))


def _change(graph: Any, moved: Any, sums: tuple, label: Any, masses: tuple) -> None:
    """Add the masses of those that moved to what their communities weigh."""
    for total, mass in zip(sums, masses, strict=True):
        deliver(graph, total, label, mass, reduce=ADD, frontier=moved)


def _along(weight):
    return weight


def _one():
    return 1


def _expect(v, fixed, active, calm, home, mass):
    """The part of what is to be expected that is the same for all communities."""
    fixed[v] = mass[v] * (mass[v] - home[v])
    active[v] = 0
    calm[v] += 1


def _expect_both(v, fixed, active, calm, home, other, out, into):
    fixed[v] = out[v] * (into[v] - other[v]) + into[v] * (out[v] - home[v])
    active[v] = 0
    calm[v] += 1


def _gain(total, staying, key, own, size, scale, rate):
    label, mass, fixed = own
    if key == label:
        return 0.0
    return scale * (total - staying) - rate * (mass * size + fixed)


def _gain_both(total, staying, key, own, size, other, scale, rate):
    label, out, into, fixed = own
    if key == label:
        return 0.0
    return scale * (total - staying) - rate * (out * other + into * size + fixed)


def _is_set(v, active):
    return active[v] > 0


def _leaves(v, best, gain, label):
    return gain[v] > 0 and best[v] != label[v]


def _take(v, label, best, calm):
    label[v], calm[v] = best[v], 0


def _may_join(v, key, label, home, size, mass, other):
    return key[v] < label[v] or home[v] != mass[v] or size[v] != other[v]
