"""The contract of `take`: members by rank until the budget of their key is spent.

It is the step that restores a balance: of each part that is too heavy, the best-ranked vertices
leave until the excess is gone, as in Jet's rebalancing [1]. Members are sorted by key and rank, and
a prefix sum of their weights shows which members fit.

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM Journal on Scientific Computing 46(5), 2024.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_flag, check_unmasked
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators.arguments import shown, state_arrays
from edgewise.operators.choices import checked_ids
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier, check_vertex_members, frontier as all_members
from edgewise.operators.items import for_each
from edgewise.operators.sorting import stable_order

__all__ = ["Candidates", "Taking", "fitting", "take"]

#: Sums of whole numbers below this are exact in float64.
_EXACT = 2.0**53
#: What sorts after all keys; what makes a short rank nonnegative.
_LAST, _HALF = 2**63 - 1, 2**31


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


class _Rule(NamedTuple):
    ranked: bool  #: sort by rank within a key
    crossing: bool  #: take the member that crosses the budget
    heavy: float  #: sums of larger weights may not be exact


def fitting(
    graph: Any, given: Candidates, budget: Any, crossing: bool, *, one_more: bool = False
) -> Any:
    """The positions of the candidates that are taken, ascending; ``graph`` says where they are.

    With ``one_more``, the first of each key that is not taken is among them, in any case.
    """
    xp, count = graph.xp, len(given.ids)
    if count == 0:
        return xp.zeros(0, np.int64)
    key, rank = given.key.astype(np.int64, copy=False), _whole_rank(xp, given.rank)
    weight = xp.ones(count, np.int64) if given.weight is None else _wide(given.weight)
    budget = _wide(budget)
    short = rank is not None and rank.dtype == np.int32 and len(budget) < 1 << 31
    words, faults = xp.empty(count, np.int64), xp.zeros(5, np.int64)
    ranked = rank.astype(np.int64) if short else key
    rule = _Rule(short, crossing, _EXACT / count)
    state = (given.ids, key, ranked, weight, budget, rule, words, faults)
    for_each(count, _sort_by, state, device=graph.device)
    large, negative, fractional, descending, heavy = host(faults).tolist()
    if large:
        most = int(key.max())
        raise ValueError(f"key must be a position in budget ({len(budget)} keys), got {most}")
    if negative:
        raise ValueError("weight must not be negative or NaN")
    order: Any = stable_order(given.ids) if descending else None
    for keys in (words,) if short or rank is None else (rank, words):
        order = stable_order(keys) if order is None else order[stable_order(keys[order])]
    if fractional or heavy:
        order = order[: int(xp.count_nonzero(words != _LAST))]
    words, weight, taken = words[order], weight[order], xp.zeros(count, np.bool_)
    key = xp.where(words == _LAST, -1, key[order])
    after, base = _sums(graph, weight, key, len(budget), bool(fractional), bool(heavy))
    found = order, key, after, base, budget, crossing, one_more, taken
    for_each(len(order), _decide, found, device=graph.device)
    return xp.flatnonzero(taken)


def _whole_rank(xp: Any, rank: Any) -> Any:
    """Ranks as whole numbers in the same order, NaN the last; int32 if that holds them."""
    if rank is None or rank.dtype.kind != "f":
        fits = rank is not None and np.can_cast(rank.dtype, np.int32)
        return rank.astype(np.int32, copy=False) if fits else rank
    wide, kind = (np.float32, np.int32) if rank.dtype.itemsize <= 4 else (np.float64, np.int64)
    bits = xp.where(rank != rank, wide(np.nan), rank.astype(wide) + wide(0)).view(kind)
    return bits ^ ((bits >> kind(8 * bits.itemsize - 1)) & np.iinfo(kind).max)


def _wide(numbers: Any) -> Any:
    """The numbers as int64 or float64."""
    return numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64, copy=False)


def _sums(
    graph: AnyGraph, weight: Any, key: Any, keys: int, fractional: bool, heavy: bool
) -> tuple[Any, Any]:
    """Running sums of the weights, and for each key the sum before its first member."""
    xp, whole = graph.xp, weight.dtype.kind != "f"
    total = float(weight.sum(dtype=np.float64)) if heavy else 0.0
    if whole and total >= 2.0**63:
        raise OverflowError(f"weight must sum to less than 2**63, got about {total:.3g}")
    if whole or (total < _EXACT and not fractional):
        after = xp.cumsum(weight)
        base = xp.zeros(keys, after.dtype)
        for_each(len(key), _find_bases, (key, weight, after, base), device=graph.device)
        return after, base
    begins, after = offsets(xp.bincount(key, minlength=keys)), xp.empty(len(key))
    for_each(keys, _add_up, (begins, weight, after), device=graph.device)
    return after, xp.zeros(keys)


def _sort_by(i, ids, key, rank, weight, budget, rule, words, faults):
    """Candidate i is sorted by its key, then by a short rank; last, if its key has no budget."""
    k, w = key[i], weight[i]
    if k >= len(budget):
        faults[0] = 1
    if not w >= 0:
        faults[1] = 1
    elif w > rule.heavy:
        faults[4] = 1
    if w < _EXACT and w != math.floor(w):
        faults[2] = 1
    if i > 0 and ids[i] <= ids[i - 1]:
        faults[3] = 1
    words[i] = _LAST
    if 0 <= k < len(budget) and (budget[k] > 0 or (budget[k] == 0 and not rule.crossing)):
        words[i] = (k << 32) + rank[i] + _HALF if rule.ranked else k


def _find_bases(i, key, weight, after, base):
    if key[i] >= 0 and (i == 0 or key[i - 1] != key[i]):
        base[key[i]] = after[i] - weight[i]


def _decide(i, order, key, after, base, budget, crossing, one_more, taken):
    """Does the i-th in the order fit?"""
    k = key[i]
    if k < 0:
        return
    before = after[i - 1] - base[k] if i > 0 and key[i - 1] == k else 0
    if crossing:
        taken[order[i]] = before < budget[k]
    else:
        taken[order[i]] = (before if one_more else after[i] - base[k]) <= budget[k]


def _add_up(k, begins, weight, after):
    total = 0.0
    for i in range(begins[k], begins[k + 1]):
        total += weight[i]
        after[i] = total
