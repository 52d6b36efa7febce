"""Memory of breadth-first searches that count paths, for many searches side by side.

A search numbers its vertices in the order of its visits. ``mark[v]`` is one more than the place of
v, and 0 before the visit. The other arrays may be over places, so that searches of a few vertices
stay in the cache. Only ratios of counts within a level matter: large ones are scaled down.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.scratch import SLOTS
from edgewise.graph import Graph
from edgewise.operators.helpers import inner

__all__ = ["LARGE", "LEAST", "SCALE", "Searches", "begin", "new_searches"]

#: Counts above the first number are multiplied by the second, and are then at least the third.
LARGE, SCALE, LEAST = 2.0**400, 2.0**-400, 2.0**-500
#: Bytes that searches at once may take, if all are used.
_MOST = 1 << 35


class Searches(NamedTuple):
    """A row for each search that runs at once: its vertices, places, counts and other numbers."""

    busy: Any
    mark: Any
    queue: Any
    before: Any
    paths: Any
    more: Any


def new_searches(graph: Graph) -> Searches:
    """Return memory for any number of searches; rows and arrays that are not used take none.

    Of very large graphs, fewer searches run at once.
    """
    n, ids = graph.num_vertices, graph.id_dtype
    slots = min(SLOTS, max(_MOST // (16 + 3 * ids.itemsize) // max(n, 1), 1))
    shape, longer = (slots, n), (slots, n + 1)  # one may be written behind the last of a queue
    places = (np.zeros(shape, ids), np.empty(longer, ids), np.empty(shape, ids))
    return Searches(np.zeros(slots, np.int32), *places, np.empty(shape), np.empty(shape))


@inner
def begin(mark, queue, before, paths, place, v):
    """Put the start of a search at its place."""
    mark[v], queue[place], before[place], paths[place] = place + 1, v, place, 1.0
