"""The contract of `take`: members by rank until the budget of their key is spent.

It is the step that restores a balance: of each part that is too heavy, the best-ranked vertices
leave until the excess is gone, as in Jet's rebalancing [1]. Members are sorted by key and rank, and
a prefix sum of their weights shows which members fit.

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM Journal on Scientific Computing 46(5), 2024.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_flag, check_unmasked
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import shown, state_arrays
from edgewise.operators.choices import checked_ids
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier, check_vertex_members, frontier as all_members
from edgewise.operators.items import for_each
from edgewise.operators.sorting import stable_order

__all__ = ["Candidates", "Taking", "fitting", "take"]

#: Sums of whole numbers below this are exact in float64.
_EXACT = 2.0**53


class Taking(NamedTuple):
    """`take`, as a grid is asked for it."""

    frontier: Any
    key: Any
    budget: Any
    rank: Any = None  # None: the ids
    weight: Any = None  # None: all 1
    crossing: bool = False


class Candidates(NamedTuple):
    """Members with their keys, ranks (None: the ids) and weights (None: all 1)."""

    ids: Any
    key: Any
    rank: Any
    weight: Any

    def at(self, places: Any) -> Candidates:
        """Some of them."""
        return Candidates(*(None if one is None else one[places] for one in self))


@on_every_rank
def take(
    graph: AnyGraph,
    frontier: Frontier | None,
    *,
    key: Any,
    budget: Any,
    rank: Any = None,
    weight: Any = None,
    crossing: bool = False,
) -> Frontier:
    """Return the members that are taken, by rank, until the budget of their key is spent.

    The members of each key are ordered by rank. A member is taken if the total weight of it and of
    all members before it is at most ``budget[key]``. With ``crossing``, a member is taken if the
    total weight of the members before it is less than the budget. So the member that crosses the
    budget is taken, too, and the budget is covered if the members have enough weight.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    key : array of int over vertices
        The key of each vertex, a position in ``budget``. Members with a negative key are not taken.
    budget : array of numbers
        The budget of each key. Members whose key has a negative budget are not taken.
    rank : array over vertices, optional
        The member with the smallest rank is taken first. Ties go to the smaller id, and NaN comes
        last. By default the id is the rank.
    weight : array over vertices, optional
        The weight of each vertex, nonnegative; 1 by default.
    crossing : bool
        If True, the member that crosses the budget is taken, too.

    Returns
    -------
    Frontier
        The members that are taken, in the order of ``frontier``.

    Notes
    -----
    Needs one sort of the members whose key has a budget. The result is the same on every engine and
    for any number of threads. Fractional weights are summed by one thread for each key; integer
    weights are faster. On a grid, each rank first selects the members that fit by themselves. Every
    rank receives these members of all ranks.

    Examples
    --------
    Part 0 must lose a weight of 4. Vertices of small rank leave first:

    >>> from edgewise import Graph
    >>> from edgewise.operators import take
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> part, loss = np.array([0, 0, 0, 0, 1]), np.array([0.5, 0.1, 0.9, 0.2, 0.0])
    >>> weight = np.array([3, 2, 1, 1, 5])
    >>> given = {"key": part, "rank": loss, "weight": weight, "budget": [4, 0]}
    >>> take(graph, None, **given).ids.tolist()
    [1, 3]
    >>> take(graph, None, **given, crossing=True).ids.tolist()
    [0, 1, 3]
    """
    check_graph(graph)
    check_vertex_members(graph, frontier)
    crossing = check_flag(crossing, "crossing")
    key = checked_ids(graph, key, "key")
    for name, given in (("rank", rank), ("weight", weight)):
        if given is not None and isinstance(state_arrays(graph, given, name), tuple):
            raise TypeError(f"{name} must be one array, got a tuple")
    if graph.engine != "local":
        request = Taking(frontier, key, _checked_budget(np, budget), rank, weight, crossing)
        return run(graph, "take")(graph, request)
    members = all_members(graph) if frontier is None else frontier
    found = Candidates(members.ids, key, rank, weight)
    if frontier is not None:
        found = Candidates(None, key, rank, weight).at(members.ids)._replace(ids=members.ids)
    places = fitting(graph, found, _checked_budget(graph.xp, budget), crossing)
    return Frontier._trusted(members.size, ids=members.ids[places])


def _checked_budget(xp: Any, budget: Any) -> Any:
    """The budgets as an array of numbers."""
    check_unmasked(budget, "budget")
    try:
        array = xp.asarray(budget)
    except (TypeError, ValueError):
        array = None
    if array is None or array.dtype.kind not in "iuf" or array.ndim != 1:
        if array is not None and array.ndim == 1 and array.size == 0:
            return array
        raise TypeError(f"budget must be an array of numbers, one per key, got {shown(budget)}")
    return array


def fitting(
    graph: Any, given: Candidates, budget: Any, crossing: bool, *, one_more: bool = False
) -> Any:
    """The positions of the candidates that are taken, ascending; ``graph`` says where they are.

    With ``one_more``, the first of each key that is not taken is among them, in any case.
    """
    xp = graph.xp
    if len(given.ids) == 0:
        return xp.zeros(0, np.int64)
    most = int(given.key.max())
    if most >= len(budget):
        raise ValueError(f"key must be a position in budget ({len(budget)} keys), got {most}")
    if given.weight is not None and not bool((given.weight >= 0).all()):
        raise ValueError("weight must not be negative or NaN")
    if len(budget) == 0:  # so all keys are negative
        return xp.zeros(0, np.int64)
    key = given.key.astype(np.int64)
    limit = budget[xp.maximum(key, 0)]
    places = xp.flatnonzero((key >= 0) & ((limit > 0) if crossing else (limit >= 0)))
    few, key, limit = given.at(places), key[places], limit[places]
    order = _order(graph, few)
    order = order[stable_order(key[order])]
    key, limit = key[order], limit[order]
    begins = offsets(xp.bincount(key, minlength=len(budget)))
    weight = None if few.weight is None else few.weight[order]
    before, after = _sums(graph, weight, key, begins)
    taken = (before if one_more else after) <= limit
    if crossing:
        taken = before < limit
    return xp.sort(places[order[taken]])


def _order(graph: Any, few: Candidates) -> Any:
    """Their positions by rank, ties by id."""
    ids = few.ids
    ascending = bool((ids[1:] > ids[:-1]).all())
    order = graph.xp.arange(len(ids)) if ascending else stable_order(ids)
    if few.rank is None:
        return order
    rank = few.rank[order]
    if rank.dtype.kind == "f":  # as whole numbers in the same order, NaN the last
        bits = rank.astype(np.float64) + 0.0
        bits[bits != bits] = np.nan
        bits = bits.view(np.int64)
        rank = bits ^ ((bits >> 63) & np.int64(2**63 - 1))
    elif rank.dtype == np.bool_:
        rank = rank.astype(np.int8)
    return order[stable_order(rank)]


def _sums(graph: Any, weight: Any, key: Any, begins: Any) -> tuple[Any, Any]:
    """The sums of the weights of a key before each of its members, and with it."""
    xp = graph.xp
    if weight is None:
        before = xp.arange(len(key)) - begins[key]
        return before, before + 1
    total = float(weight.sum(dtype=np.float64))
    whole = weight.dtype.kind != "f"
    if whole and total >= 2.0**63:
        raise OverflowError(f"weight must sum to less than 2**63, got about {total:.3g}")
    if whole or (total < _EXACT and bool((weight == xp.rint(weight)).all())):
        weight = weight.astype(np.int64)
        after = xp.cumsum(weight)
        before = after - weight
        start = before[xp.minimum(begins[:-1], len(key) - 1)][key] if len(key) else before
        return before - start, after - start
    weight, after = weight.astype(np.float64), xp.empty(len(key))
    for_each(len(begins) - 1, _add_up, (begins, weight, after), device=graph.device)
    return xp.where(begins[key] == xp.arange(len(key)), 0.0, xp.roll(after, 1)), after


def _add_up(k, begins, weight, after):
    total = 0.0
    for i in range(begins[k], begins[k + 1]):
        total += weight[i]
        after[i] = total
