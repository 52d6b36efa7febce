"""Local moving [1]: vertices go to the community among their neighbors' where they gain most.

label[v] is the community of v, named by a vertex; sums[c] is what community c weighs, the sum of
its members' masses. A move of v from a to b gains the weight of v's edges into b, less of those
into a, times a scale, less what is to be expected: rate * mass[v] * (sums[b] - sums[a] + mass[v]).
Only a vertex that has a neighbor which moved since it last looked looks again (pruning [2]).

A pass is made in place: all threads move vertices at once, and see each other's moves (`for_rows`;
on CPU threads one kernel makes all passes). The first one takes the vertices in a few parts, drawn
by a hash, unless some have reason to move: in the order of their ids, which often go along the
graph, communities would grow along with it. On a GPU, where thousands move at
once, every pass goes in parts, and of two that are alone only one may join the other. Who sees
which moves is left to chance; ``rounds`` is the same every time.

[1] V. Blondel, J. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large
    networks. J. Stat. Mech. 2008.
[2] V. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden. Scientific Reports 9, 2019.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.levels import Level, Moved
from edgewise.algorithms.communities.parts import coloured, count_looks, drawn, still_looking
from edgewise.base import atomic
from edgewise.base.observe import notify, observed
from edgewise.operators import ADD, advance, compute, filter, for_rows
from edgewise.operators.engines import crowded, fused
from edgewise.operators.helpers import inner

__all__ = ["Rules", "move"]


class Rules(NamedTuple):
    """What a move gains, and when a level is done with."""

    rate: float  # what is to be expected for two masses of 1
    unit: float  # how much a gain of 1 adds to the quality
    tol: float = 0.0  # stop when a pass adds no more than this to the quality
    passes: int = 32
    seed: int = 0
    scale: float = 1.0  # what an edge of weight 1 counts
    parts: int = 4  # of the vertices, that the first pass takes one after the other
    colouring: bool = False  # the parts, of every pass, are the classes of a colouring
    minimum_label: bool = False  # who is alone joins another who is only if that has a lower id
    early_termination: float = 0.0  # how much less likely each look without a move makes another


def move(level: Level, at: Moved, rules: Rules, restless: Any = None) -> Moved:
    """Move vertices until a pass gains little: first those of ``restless`` 1 (int8), or all.

    Changes the arrays of ``at``.
    """
    graph, (label, sums, gained) = level.graph, at
    first = rules.parts if restless is None and level.size >= _FEW else 1
    restless = graph.full(1, np.int8) if restless is None else restless
    if not (rules.colouring or rules.minimum_label or rules.early_termination or observed()):
        found = np.zeros(1)
        if fused(graph, "local_moving", level.masses, at, rules, restless, first, found):
            return Moved(label, sums, gained + float(found[0]))
    gains = graph.xp.zeros(_PLACES)
    hubs = filter(graph, None, _is_long, graph.indptr)
    state = (label, restless, gains, graph.indptr, graph.indices, *sums, *level.masses)
    score = _gain if len(sums) == 1 else _gain_both
    by_key = dict(zip(("size", "other"), sums, strict=False))
    many = crowded(graph)
    params = {"scale": rules.scale, "rate": rules.rate, "least": bool(rules.minimum_label or many),
              **dict(zip(("sums", "others"), sums, strict=False))}  # fmt: skip
    finish = _take if len(sums) == 1 else _take_both
    classes = coloured(graph, rules.seed) if rules.colouring else None
    calm = graph.full(0, np.int32) if rules.early_termination else None
    for turn in range(rules.passes):
        looking = filter(graph, None, _is_set, restless)
        if calm is not None:
            before, share = label.copy(), rules.early_termination
            looking = still_looking(graph, looking, calm, share, rules.seed, turn)
        if looking.empty():
            break
        gains.fill(0)
        parts: Any = (looking,)
        if classes is not None:
            parts = (filter(graph, one, _is_set, restless) for one in classes)
        elif many and len(looking) >= _FEW_OF_MANY:
            parts = drawn(graph, looking, rules.seed + turn, 2 * rules.parts)
        elif turn == 0 and first > 1:
            parts = drawn(graph, looking, rules.seed, first)
        for part in parts:
            for_rows(graph, part, _along, finish, state, reduce=ADD, key=label, stay=label,
                     choose=score, own=(label, *level.masses), by_key=by_key, params=params,
                     dtype=np.float64)  # fmt: skip
        if len(moved := filter(graph, hubs, _has_moved, restless) if len(hubs) else hubs):
            compute(graph, moved, _seen, restless)
            advance(graph, moved, _wake, restless, output=None)
        if calm is not None:
            compute(graph, looking, count_looks, (calm, label, before))
        gain = float(gains.sum()) * rules.unit
        gained += gain
        notify(turn, phase="move")
        if gain <= rules.tol:
            break
    return Moved(label, sums, gained)


#: Rows up to this length wake their neighbors themselves; elements that gains are added up in;
#: fewer than this look in one part; on a GPU fewer than the last.
_SHORT, _PLACES, _FEW, _FEW_OF_MANY = 64, 1024, 512, 64


def _along(weight):
    return weight


def _gain(total, staying, key, own, size, sums, scale, rate):
    label, mass = own
    if key == label:
        return 0.0
    return scale * (total - staying) - rate * (mass * (size - sums[label] + mass))


def _gain_both(total, staying, key, own, size, other, sums, others, scale, rate):
    """The same for a directed graph: what leaves the one may enter the other, and back."""
    label, out, into = own
    if key == label:
        return 0.0
    expected = out * (other - others[label] + into) + into * (size - sums[label] + out)
    return scale * (total - staying) - rate * expected


def _take(v, key, gain, label, restless, gains, indptr, indices, sums, mass, least):
    if _goes(v, key, gain, label, restless, sums, mass, least):
        _wake_row(v, gain, restless, gains, indptr, indices)
        atomic.add(sums, label[v], -mass[v])
        atomic.add(sums, key, mass[v])
        label[v] = key


def _take_both(
    v, key, gain, label, restless, gains, indptr, indices, sums, others, mass, other, least
):
    if _goes(v, key, gain, label, restless, sums, mass, least):
        _wake_row(v, gain, restless, gains, indptr, indices)
        atomic.add(sums, label[v], -mass[v])
        atomic.add(sums, key, mass[v])
        atomic.add(others, label[v], -other[v])
        atomic.add(others, key, other[v])
        label[v] = key


@inner
def _goes(v, key, gain, label, restless, sums, mass, least):
    """Does v move? With ``least`` not if both are alone and the other's id is higher."""
    restless[v] = 0
    if not gain > 0 or key == label[v]:
        return False
    if least and key > label[v]:
        return sums[label[v]] != mass[v] or sums[key] != mass[key]
    return True


@inner
def _wake_row(v, gain, restless, gains, indptr, indices):
    """The neighbors of v have to look again; those of a long row are woken after the pass."""
    atomic.add(gains, v // 64 * 8 % _PLACES, gain)
    if indptr[v + 1] - indptr[v] > _SHORT:
        restless[v] = 2
    else:
        for e in range(indptr[v], indptr[v + 1]):
            restless[indices[e]] = 1


def _is_long(v, indptr):
    return indptr[v + 1] - indptr[v] > _SHORT


def _is_set(v, restless):
    return restless[v] != 0


def _has_moved(v, restless):
    return restless[v] == 2


def _seen(v, restless):
    restless[v] = 0


def _wake(source, target, edge, restless):
    restless[target] = 1
