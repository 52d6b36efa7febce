"""`look_up` on CPU threads: every member reads what it points at."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inlined
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import put, take
from edgewise.operators.cpu.state import frozen, listed
from edgewise.operators.cpu.walk import member, over
from edgewise.operators.indirection import no_vertex, results

__all__ = ["look_up"]

_CHUNK = 4096


def look_up(graph, request) -> Any:
    """See `edgewise.operators.look_up`."""
    values, at, frontier, out = request
    found, n = results(graph, values, out, frontier is None), graph.num_vertices
    ids, count = listed(frontier, n)
    wrong, data = np.full(1, n), (ids, frozen(at), frozen(values), found)
    if out is not None:  # what is given is written to only if all pointers are right
        launch(_check, count, _CHUNK, (*data, wrong), work=count)
    if wrong[0] == n:
        launch(_read, count, _CHUNK, (*data, wrong), work=count)
    if wrong[0] < n:
        raise no_vertex(n, wrong[0], at)
    return found


@inlined
def _check_one(i, me, control, data):
    ids, at, _, _, wrong = data
    v = member(ids, i)
    if not 0 <= np.int64(at[v]) < len(at):
        atomic.min(wrong, 0, v)


@inlined
def _read_one(i, me, control, data):
    ids, at, values, found, wrong = data
    v = member(ids, i)
    target = np.int64(at[v])
    if 0 <= target < len(at):
        put(found, v, take(values, np.uint64(target)))
    else:
        atomic.min(wrong, 0, v)


_check, _read = over(_check_one), over(_read_one)
