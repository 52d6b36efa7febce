"""The smallest of many flows in one network, each cut off at the smallest so far.

A flow of k paths takes k searches from both ends (`edgewise.algorithms.flows.meeting`). The arcs
that it changed are restored before the next flow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.flows.flow_memory import Residual, two_searches
from edgewise.algorithms.flows.meeting import meet, restore
from edgewise.algorithms.flows.network import Network
from edgewise.operators.sequential import sequential

__all__ = ["smallest_flow", "weakest_pair"]

#: A flow is never left unfinished.
_NEVER = 2**62
#: Changed arcs that are noted; after more of them, all arcs are restored.
_LOG = 1 << 16


def smallest_flow(network: Network, sources: Any, targets: Any, bound: int, floor: int = 0) -> int:
    """Return the smallest flow between pairs, or ``bound`` if none is below it.

    No flow is below ``floor``.
    """
    return weakest_pair(network, sources, targets, bound, floor)[0]


def weakest_pair(
    network: Network, sources: Any, targets: Any, bound: int, floor: int = 0
) -> tuple[int, int]:
    """Return the smallest flow between pairs, and which pair has it.

    If no flow is below ``bound``, return ``bound`` and -1. No flow is below ``floor``.
    """
    graph, capacity = network.graph, network.capacity.astype(np.int64, copy=False)
    both = two_searches(graph, np.int64, min(_LOG, graph.num_arcs))
    arcs = Residual(graph.indptr, graph.indices, graph.reverse_arc, capacity.copy())
    ends = (np.asarray(side, np.int64) for side in (sources, targets))
    found, count = np.array([bound, -1], np.int64), len(sources)
    state = (arcs, both, capacity, *ends, found, floor)
    sequential(_smallest, state, steps=count, work=count * graph.num_arcs, phase="flows")
    return int(found[0]), int(found[1])


def _smallest(control, arcs, both, capacity, sources, targets, found, floor):
    for i in range(len(sources)):
        if found[0] <= floor or not meet(
            control, arcs, both, sources[i], targets[i], found[0], _NEVER
        ):
            return
        if both.value[0] < found[0]:
            found[0], found[1] = both.value[0], i
        restore(arcs, both, capacity)
