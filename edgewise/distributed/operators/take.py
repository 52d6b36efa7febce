"""`take` on a grid: ranks exchange the members that may fit, and all choose among them.

The weights before a member sum to no less over all ranks than over its own. So a member that does
not fit among those of its rank is not taken. Only the first of them has to travel: with it the sum
passes the budget, so that nobody behind it is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import GridFrontier, local_members, make_frontier, owned
from edgewise.distributed.shares import together
from edgewise.graph.transfer import host
from edgewise.operators.engines import Place
from edgewise.operators.taking import Candidates, Taking, fitting

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["take"]


def take(graph: GridGraph, request: Taking) -> GridFrontier:
    """See `edgewise.operators.take`."""
    world, here = graph.grid.world, Place("cpu", np)
    mine = owned(graph, local_members(graph, request.frontier))
    budget, crossing = request.budget, request.crossing
    world.check_same("the budgets of take", (budget.tolist(), crossing))

    def part(name: str) -> Any:
        given = getattr(request, name)
        return None if given is None else host(local_state(graph, given, name)[mine])

    found = Candidates(host(graph.ids[mine]), part("key"), part("rank"), part("weight"))
    with together(world, "choosing among its members"):
        found = found.at(fitting(here, found, budget, crossing, one_more=True))
    world.work(vertices=len(mine))
    with world.phase("control"):
        every = Candidates(*(
            None if one is None else world.allgatherv(np.ascontiguousarray(one))[0]
            for one in found
        ))  # fmt: skip
    return make_frontier(graph, every.ids[fitting(here, every, budget, crossing)], None)
