"""Strongly connected components of the remaining vertices, by coloring, on every engine.

Every vertex draws a random number. The smallest numbers spread along edges within each part, each
with the vertex that drew it: the root. The vertices that reach their root form its component; one
backward search from all roots finds them. Any other component lies among vertices of one root,
which are the parts of the next turn. Parts shrink by a constant factor, so there are
logarithmically many turns. A turn has as many rounds as its longest path has edges.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.observe import notify
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import MAX, MIN, Monoid, compute, deliver, filter, look_up, propagate

__all__ = ["color_components"]


def color_components(graph: AnyGraph, label: Any, ids: Any) -> None:
    """Label all vertices that have label -1 with the smallest vertex of their component."""
    n, xp = graph.num_vertices, graph.xp
    part, lot = graph.full(0, ids.dtype), graph.full(0, xp.int64)
    root, found, least = (graph.full(0, ids.dtype) for _ in range(3))
    for turn in count():
        rest = filter(graph, None, _is_open, label)
        if rest.empty():
            return
        compute(graph, None, _draw, (label, ids, part, lot, root, turn))
        propagate(graph, rest, _offer, (part, lot, root), reduce=_FIRST)
        compute(graph, None, _await, (label, ids, root, found, least, n))
        roots = filter(graph, rest, _is_root, (root, ids))
        propagate(graph, roots, _answer, found, reduce=MAX, mode="in")
        members = filter(graph, rest, _is_found, found)
        deliver(graph, least, root, ids, reduce=MIN, frontier=members)
        look_up(graph, least, root, frontier=members, out=label)
        compute(graph, None, _part, (label, root, part))
        notify(turn, phase="coloring", settled=len(members))


def _lower_lot(old, new):
    """Parts never differ here; the lower lot wins, among equals the lower root."""
    first = new[1] < old[1] or (new[1] == old[1] and new[2] < old[2])
    return max(old[0], new[0]), new[1] if first else old[1], new[2] if first else old[2]


_FIRST = Monoid(("lowest", "highest", "highest"), _lower_lot, idempotent=True)


def _is_open(v, label):
    return label[v] < 0


def _draw(v, label, ids, part, lot, root, turn):
    lot[v] = np.int64(random.bits(turn, ids[v]) >> np.uint64(1))
    root[v] = ids[v]
    if label[v] >= 0:
        part[v] = -1


def _offer(value, own):
    if value[0] != own[0]:
        return own
    return own[0], value[1], value[2]


def _await(v, label, ids, root, found, least, n):
    """Set ``found`` to the root's id at a root, and to the complement of the root at others."""
    least[v] = n - 1
    found[v] = 0 if label[v] >= 0 or root[v] == ids[v] else -1
    if label[v] < 0:
        found[v] = root[v] if root[v] == ids[v] else -1 - root[v]


def _is_root(v, root, ids):
    return root[v] == ids[v]


def _answer(value, own):
    return value if own == -1 - value else own


def _is_found(v, found):
    return found[v] >= 0


def _part(v, label, root, part):
    part[v] = root[v] if label[v] < 0 else -1
