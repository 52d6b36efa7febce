"""How the messages of a neighborhood land in a thread's table by key: along one step, or two.

Each thread keeps one hash table (`edgewise.base.cpu.accumulate`) and uses it for row after row. For
a given key messages are combined in the order of the edges, whoever walks them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from edgewise.base.cache import inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.accumulate import find
from edgewise.base.cpu.bit_blocks import nearby, reach
from edgewise.base.threads import team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import Adjacency
from edgewise.operators.cpu.inner import cast, edge_at, take, weight_at
from edgewise.operators.cpu.rating import key_of

__all__ = [
    "Hops",
    "Plan",
    "Sending",
    "bound_of",
    "gatherer",
    "longest_row",
    "plan_walk",
]


class Hops(NamedTuple):
    """The members' neighborhoods: the rows of the first step and of the second (or None)."""

    rows: Adjacency
    onward: Adjacency | None
    ids: np.ndarray
    size: int


class Sending(NamedTuple):
    """What is sent along an edge: the compiled message and monoid, and what they read."""

    message: Any
    combine: Any
    read: tuple  # values, own and key, each None where nobody reads it
    identity: Any
    params: tuple

    @property
    def data(self) -> tuple:
        """What a kernel takes as an argument."""
        return self.read, self.identity, self.params


class Plan(NamedTuple):
    """How much a walk may meet: keys in one row, edges in all, and the threads that this takes."""

    most: int
    work: int
    team: int


def plan_walk(graph: Graph, via: Any, walk: Hops, mode: str, columns: int) -> Plan:
    """What the tables of a walk must hold: found among few members, kept with the graph for all."""
    indptr = walk.rows.indptr.view(np.int64)
    if walk.size <= _FEW and len(walk.ids) == walk.size:
        degrees = indptr[walk.ids + 1] - indptr[walk.ids]
        longest, work = int(degrees.max(initial=0)), int(degrees.sum()) + walk.size
    else:
        longest, work = longest_row(graph, mode, indptr), len(walk.rows.indices) + walk.size
    if walk.onward is not None:
        ahead = walk.onward.indptr.view(np.int64)
        longest *= longest_row(via, "out", ahead)
        work *= 1 + len(walk.onward.indices) // max(1, len(ahead) - 1)
    return Plan(min(longest, columns), work, team_for(work))


def longest_row(graph: Graph, mode: str, indptr: np.ndarray) -> int:
    """The length of the longest row of all, found once."""
    kept = graph.__dict__.setdefault("_longest", {})
    if mode not in kept:
        kept[mode] = int(np.diff(indptr).max(initial=0))
    return kept[mode]


_FEW = 4096


@cache
def gatherer(message, combine, two_steps):
    """``gather``: land the messages along the edges ``low..high`` of v in a table."""

    @inlined
    def land(table, key, new, shift, identity):
        totals = table[1]
        at = find(table, key, shift, identity)
        totals[at] = combine(totals[at], cast(totals, new))

    @inner
    def along_one(table, v, low, high, walk, data, shift):
        _, indices, weights, edge_ids = walk[0]
        (sent, target, key), identity, params = data
        own, e = take(target, v), low
        while e < high:
            stop = reach(indices, e, high)
            near = nearby(indices, e, stop)
            while e < stop:
                u = np.int64(near[e])
                new = message(
                    take(sent, u), weight_at(weights, e), u, edge_at(edge_ids, e), own, params
                )
                land(table, key[u], new, shift, identity)
                e += np.uint64(1)

    @inner
    def along_two(table, v, low, high, walk, data, shift):
        _, indices, weights, _ = walk[0]
        starts, ends, lengths, _ = walk[1]
        (sent, target, key), identity, params = data
        own = take(target, v)
        for e in range(low, high):
            u, weight = np.uint64(indices[e]), weight_at(weights, e)
            for f in range(starts[u], starts[u + np.uint64(1)]):
                w = np.int64(ends[f])
                new = message(take(sent, w), weight, weight_at(lengths, f), w, own, params)
                land(table, key_of(key, w), new, shift, identity)

    return along_two if two_steps else along_one


def bound_of(walk, v, most):
    """At most how many keys the row of ``v`` brings, and never more than ``most``."""
    raise TypeError("only for compiled code")


@overload(bound_of)
def _bound_of(walk, v, most):
    def one_step(walk, v, most):
        starts = walk[0][0]
        return min(np.int64(starts[v + 1] - starts[v]), most)

    def two_steps(walk, v, most):
        starts, indices, _, _ = walk[0]
        onward, total = walk[1][0], np.int64(0)
        for e in range(starts[v], starts[v + 1]):
            u = np.uint64(indices[e])
            total += np.int64(onward[u + np.uint64(1)] - onward[u])
        return min(total, most)

    return one_step if isinstance(walk[1], types.NoneType) else two_steps
