"""Hooking of trees (FastSV [1]), a method of `connected_components`.

[1] Y. Zhang, A. Azad, Z. Hu. FastSV: a distributed-memory connected component algorithm with fast
    convergence. SIAM PP 2020.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checkpoints import resumable
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MIN, advance, compute, deliver, filter, look_up

__all__ = ["hook"]


def hook(graph: AnyGraph, label: Any, mode: str, members: Any) -> None:
    """Hook trees onto the smallest label among their neighbors until no label changes.

    ``members`` have no edges to other vertices. At first trees are stars. above[v] is
    label[label[v]], and least[v] the smallest ``above`` of v's neighbors. All of them only
    decrease. Only vertices whose ``above`` has changed send it, and only receivers whose ``least``
    decreases update their root.
    """
    above, least, fallen, iteration = label.copy(), label.copy(), members, 0
    members = None if len(members) == graph.num_vertices else members
    with resumable(graph, "hook") as loop:
        while not fallen.empty():
            _, above, fallen, iteration = loop((label, least), above, fallen, iteration)
            at = advance(graph, fallen, _pass_on, least, reduce=MIN, source_values=above, mode=mode)
            deliver(graph, label, label, least, reduce=MIN, frontier=at)
            compute(graph, members, _lower, (label, least, above))
            before, above = above, above.copy()
            look_up(graph, label, label, frontier=members, out=above)
            fallen = filter(graph, members, _differs, (before, above))
            notify(iteration, phase="hook")
            iteration += 1


def _pass_on(value):
    return value


def _lower(v, label, least, above):
    label[v] = min(label[v], least[v], above[v])


def _differs(v, before, after):
    return before[v] != after[v]
