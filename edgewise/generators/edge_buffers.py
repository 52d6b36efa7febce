"""Edges drawn once, into buffers of every thread, when their number is not known before.

A kernel draws the edges of one chunk of its items after the other. A chunk that does not fit into
the rest of its thread's buffer is left for the next launch. The number of edges of the chunks that
are done says how large the next buffers are. So the edges come in an order that depends on threads,
and `Graph.from_edges` sorts them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.parallel import get_threads, launch

__all__ = ["drawn_once"]

#: The places of the first buffers; they are enough for small graphs.
_FIRST = 1 << 15


def drawn_once(
    kernel: Any, *args: Any, chunks: int, kind: Any, work: int
) -> tuple[np.ndarray, np.ndarray]:
    """The sources and targets of all edges that a kernel draws.

    The kernel takes ``args``, then ``done``, a flag per chunk; ``used``, the number of edges of
    each thread; and their ``sources`` and ``targets``, a row of buffers per thread.
    """
    team, size, found = get_threads(), _FIRST, 0
    done = np.zeros(chunks, np.bool_)
    pieces: list[tuple[np.ndarray, np.ndarray]] = []
    while (left := chunks - int(np.count_nonzero(done))) > 0:
        used = np.zeros(team, np.int64)
        sources, targets = np.empty((team, size), kind), np.empty((team, size), kind)
        launch(kernel, *args, done, used, sources, targets, work=work, team=team)
        pieces += [(sources[k, :count], targets[k, :count]) for k, count in enumerate(used)]
        found += int(used.sum())
        more = left - (chunks - int(np.count_nonzero(done)))
        rate = found / max(chunks - left + more, 1)
        size = int(1.1 * rate * (left - more) / team) + _FIRST if more else 8 * size
    if not pieces:
        return np.empty(0, kind), np.empty(0, kind)
    sources, targets = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return sources, targets
