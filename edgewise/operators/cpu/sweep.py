"""`sweep` on CPU threads: gather, finish and measure in one pass over the rows.

The change is added up in blocks of fixed size, so that every team gives the same sum.

Pays for: row pagerank of ``python -m benchmarks gap``.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inlined, kernel
from edgewise.base.cpu.team import barrier, grab
from edgewise.base.threads import launch
from edgewise.operators.cpu.inner import row_folder
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import state_arrays, state_tuple
from edgewise.operators.functions import compiled, message_names, naming_failures, plain_message
from edgewise.operators.monoids import Monoid

__all__ = ["sweep"]

_BLOCK = 512


def sweep(graph, message, values, finish, state, reduce, out, edges, weights) -> float:
    """See `edgewise.operators.sweep`."""
    names = message_names(message)
    if "own" in names:
        raise TypeError("message may name value, weight, source, edge here; finish sees the rest")
    if not isinstance(reduce, Monoid) or isinstance(reduce.identity, tuple):
        raise TypeError(f"reduce must be a Monoid of single values such as ADD, got {reduce!r}")
    n = graph.num_vertices
    values = state_arrays(values, n, "values")
    out = state_arrays(out, n, "out", writable=True)
    if isinstance(values, tuple) or isinstance(out, tuple) or np.shares_memory(values, out):
        raise ValueError("values and out must be two different arrays")
    if finish is None:
        raise TypeError("finish must be a function, got None")
    rows = incoming(graph, edges, weights, names)
    arrays, message = state_tuple(state), compiled(message, "message")
    finish = compiled(finish, "finish", 2 + len(arrays))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    wide = np.float64 if out.dtype.kind == "f" else out.dtype
    identity = reduce.identity_for(wide)
    changes = np.zeros(-(-n // _BLOCK) + 1)
    run = sweep_kernel(plain_message(message), combine, finish)
    with naming_failures(message, combine, finish):
        launch(run, rows, values, identity, arrays, out, changes,
               work=len(rows.indices) + n)  # fmt: skip
    return float(changes[-1])


@cache
def sweep_kernel(message, combine, finish):
    """The pass for one message, one monoid and one finish."""
    fold = row_folder(message, combine)

    @inlined
    def settle(v, rows, values, identity, arrays, out):
        total = fold(rows[0][v], rows[0][v + 1], rows, values, 0, identity)
        new, change = finish(v, total, *arrays)
        out[v] = new
        return np.float64(change)

    @kernel(borrows=True)
    def run(me, team, control, rows, values, identity, arrays, out, changes):
        while True:
            low, high = grab(control, 0, _BLOCK, len(out))
            if low == high:
                break
            change = 0.0
            for v in range(low, high):
                change += settle(v, rows, values, identity, arrays, out)
            changes[low // _BLOCK] = change
        if not barrier(control, team):
            return
        if me == 0:
            total = 0.0
            for i in range(len(changes) - 1):
                total += changes[i]
            changes[-1] = total

    return run
