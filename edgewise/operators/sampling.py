"""`sample`: some of the edges of every member, drawn by a hash of the seed and of the member.

Written with `for_each`, so that every engine on one device draws the same. Uniform draws without
replacement are Floyd's [1] for a few, else one pass that keeps each edge with the chance that is
left [2]; weighted ones are the edges of the least exponential times [3]; weighted draws with
replacement bisect running sums. What uniform draws cost depends on how many are drawn; the others
look at the members' rows, a row on one thread.

[1] J. Bentley, R. Floyd. Programming pearls: a sample of brilliance. CACM 1987.
[2] C. Fan, M. Muller, I. Rezucha. Development of sampling plans by using sequential selection
    techniques. J. American Statistical Association 1962.
[3] P. Efraimidis, P. Spirakis. Weighted random sampling with a reservoir. Inf. Process. Lett. 2006.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_count, check_flag, check_fraction
from edgewise.base.heap import binary_heap
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.arguments import check_edges
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.helpers import inner, insert, lower_bound
from edgewise.operators.items import for_each

__all__ = ["Choice", "Sample", "Sampling", "check_chances", "running_totals", "sample"]


#: Weights between these are taken as they are; powers of two, which change no digit of others.
_LEAST, _MOST, _TINY = 2.0**-800, 2.0**800, 2.0**-1000
_UP, _DOWN = 2.0**1000, 2.0**-800


class Sample(NamedTuple):
    """Sampled arcs: those of member i are at positions ``indptr[i]`` to ``indptr[i + 1] - 1``.

    ``neighbors`` holds their other ends. ``edgewise.frontier(graph, edges=sample.arcs)`` makes a
    frontier of all sampled arcs.
    """

    indptr: Any
    arcs: Any
    neighbors: Any


@on_every_rank
def sample(
    graph: Graph,
    frontier: Frontier | None,
    k: int | None = None,
    *,
    fraction: float | None = None,
    replace: bool = False,
    mode: str = "out",
    weights: Any = "weight",
    seed: int = 0,
) -> Sample:
    """Return a random sample of each member's edges: up to ``k``, or a ``fraction`` of them.

    Parameters
    ----------
    graph : Graph
        On a grid, a directed graph's edges are sampled with ``mode="out"`` alone.
    frontier : Frontier or None
        The members; None means all vertices. An edge frontier stands for the targets of its edges.
    k : int, optional
        The number of edges per member. A member with fewer edges gives all of them. With
        ``replace``, a member with at least one edge gives exactly ``k``. Give either ``k`` or
        ``fraction``.
    fraction : float, optional
        The fraction of each member's edges to sample, from 0 to 1, rounded up to a whole edge.
    replace : bool
        Whether an edge may be drawn more than once.
    mode : {"out", "in", "both"}
        Which edges of a member to sample from.
    weights : str, array over arcs, or None
        Edges are drawn with probability proportional to their weights. The default is the graph's
        weights (unit weights if it has none); None means unit weights. Weights must be finite and
        non-negative. Edges of weight 0 are never drawn.
    seed : int
        The seed of the random numbers. The sample of a member depends only on the seed and its id,
        not on other members, the engine or the number of threads.

    Returns
    -------
    Sample
        The arcs of each member in ascending order; with ``replace``, in the order of the draws. On
        a grid each rank has the rows of the members that it owns (``vertices``, ``indptr``,
        ``neighbors``); ``gather()`` returns all of them, with None for ``arcs``.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import frontier, sample
    >>> star = Graph.from_edges([0] * 6, range(1, 7))
    >>> found = sample(star, frontier(star, [0, 3]), 2, seed=1)
    >>> found.indptr.tolist(), found.neighbors.tolist()
    ([0, 2, 3], [2, 5, 0])
    """
    if (k is None) == (fraction is None):
        raise TypeError("k or fraction must be given, exactly one of them")
    k = None if k is None else check_count(k, "k", 0, 2**31 - 1)
    fraction = None if fraction is None else check_fraction(fraction, "fraction")
    hashed, replace = check_seed(seed), check_flag(replace, "replace")
    check_graph(graph)
    check_edges(graph, mode, weights)
    if graph.engine != "local":
        request = Sampling(frontier, k, fraction, replace, mode, weights, hashed)
        return run(graph, "sample")(graph, request)
    names = ("edge",) if weights is None else ("edge", "weight")
    rows = adjacency(graph, mode, weights, names, False)[0]
    members, chances = vertex_members(graph, frontier), check_chances(graph, rows.weights)
    ids = members.ids
    chosen = Choice(graph, ids, ids, rows.indptr.view(np.int64), chances, hashed)
    starts, places = chosen.draw(k, fraction, replace)
    neighbors = rows.indices[places].view(graph.id_dtype)
    return Sample(starts, places if rows.edge_ids is None else rows.edge_ids[places], neighbors)


class Sampling(NamedTuple):
    """What is sampled on a grid; the arguments of `sample`, checked."""

    frontier: Any
    k: int | None
    fraction: float | None
    replace: bool
    mode: str
    weights: Any
    seed: np.uint64


class Choice(NamedTuple):
    """Members and the rows to draw from; ``weights`` are checked, and None where all are alike.

    Member i has the row ``rows[i]``, and ``ids[i]`` decides its draws.
    """

    graph: Any  # its module makes the arrays, and functions run on its device
    rows: Any
    ids: Any
    indptr: Any
    weights: Any
    seed: np.uint64

    def draw(self, k: int | None, fraction: float | None, replace: bool) -> tuple[Any, Any]:
        """Where each member's draws begin, and the places of the edges drawn."""
        xp = self.graph.xp
        each = partial(for_each, len(self.ids), device=self.graph.device)
        rows = (self.rows, self.indptr)
        sizes = self.indptr[self.rows + 1] - self.indptr[self.rows]
        reach = offsets(sizes)
        work = int(reach[-1])
        if self.weights is not None:
            weights, extreme = self.weights, xp.zeros(1, np.int8)
            each(_positive, (*rows, weights, sizes, extreme), work=work)
            if extreme[0]:
                given, weights = weights, weights.astype(np.float64)
                each(_bring_near, (*rows, given, weights), work=work)
        if k is None:
            wanted = xp.ceil(sizes * fraction).astype(np.int64)
        else:
            wanted = xp.where(sizes > 0, k, 0) if replace else xp.minimum(sizes, k)
        starts = offsets(wanted)
        places = xp.empty(int(starts[-1]), np.int64)
        drawn = (self.rows, self.ids, self.indptr, starts, self.seed, places)
        if self.weights is None:
            each(_again if replace else _distinct, drawn, work=len(places))
        elif replace:
            totals = running_totals(self.graph, *rows, reach, weights)
            each(_again_by_weight, (*drawn, reach, totals), work=len(places))
        else:
            times = xp.empty(len(places), np.float64)
            each(_earliest, (*drawn, sizes, weights, times), work=work)
        return starts, places


def running_totals(graph: AnyGraph, rows: Any, indptr: Any, reach: Any, weights: Any) -> Any:
    """For each member the running sums of its weights, from ``reach[i]`` on, in float64.

    Added one after the other, so that they are the same everywhere.
    """
    totals = graph.xp.empty(int(reach[-1]), np.float64)
    given = (rows, indptr, reach, weights, totals)
    for_each(len(rows), _add_up, given, device=graph.device, work=len(totals))
    return totals


def check_chances(graph: Graph, weights: Any) -> Any:
    """The weights as `Choice` takes them, if all are finite and none is negative."""
    if weights is None:
        return None
    weights = as_weights(weights, xp=graph.xp)
    if len(weights) and not (weights.min() >= 0 and weights.max() < np.inf):
        wrong = graph.xp.flatnonzero(~((weights >= 0) & (weights < np.inf)))
        raise ValueError(f"weights must be finite and not negative, got {weights[wrong[0]]}")
    return weights


def _positive(i, rows, indptr, weights, sizes, extreme):
    """How many weights are positive; are some so large or small that sums or times overflow?"""
    found = 0
    for e in range(indptr[rows[i]], indptr[rows[i] + 1]):
        if weights[e] > 0:
            found += 1
            if not _LEAST < weights[e] < _MOST:
                extreme[0] = 1
    sizes[i] = found


def _bring_near(i, rows, indptr, weights, near):
    """The weights of a row with a common factor, and none beyond the range; zeros stay."""
    largest = 0.0
    for e in range(indptr[rows[i]], indptr[rows[i] + 1]):
        largest = max(largest, np.float64(weights[e]))
    factor = _DOWN if largest >= _MOST else _UP if largest <= _LEAST else 1.0
    for e in range(indptr[rows[i]], indptr[rows[i] + 1]):
        if weights[e] > 0:
            near[e] = max(weights[e] * factor, _TINY)


def _add_up(i, rows, indptr, reach, weights, totals):
    total, first = 0.0, indptr[rows[i]]
    for j in range(reach[i + 1] - reach[i]):
        total += weights[first + j]
        totals[reach[i] + j] = total


def _again(i, rows, ids, indptr, starts, seed, places):
    first, degree = indptr[rows[i]], indptr[rows[i] + 1] - indptr[rows[i]]
    for j in range(starts[i], starts[i + 1]):
        places[j] = first + random.integer(degree, seed, ids[i], j - starts[i])


def _again_by_weight(i, rows, ids, indptr, starts, seed, places, reach, totals):
    low, high = reach[i], reach[i + 1]
    for j in range(starts[i], starts[i + 1]):
        share = 1.0 - random.uniform(seed, ids[i], j - starts[i])
        # the first edge whose running total reaches the share: its weight is positive
        at = lower_bound(totals, low, high - 1, share * totals[high - 1])
        places[j] = indptr[rows[i]] + at - low


def _distinct(i, rows, ids, indptr, starts, seed, places):
    first, degree = indptr[rows[i]], indptr[rows[i] + 1] - indptr[rows[i]]
    begin, wanted = starts[i], starts[i + 1] - starts[i]
    if wanted == degree:
        for j in range(degree):
            places[begin + j] = first + j
    elif wanted * wanted <= 4 * degree:  # Floyd's: those found are kept in order
        for found in range(wanted):
            last = degree - wanted + found
            place = first + random.integer(last + 1, seed, ids[i], last)
            at = lower_bound(places, begin, begin + found, place)
            if at < begin + found and places[at] == place:
                place = first + last
            insert(places, begin, begin + found, place)
    else:
        at = begin
        for j in range(degree):
            if random.integer(degree - j, seed, ids[i], j) < starts[i + 1] - at:
                places[at] = first + j
                at += 1


def _earliest(i, rows, ids, indptr, starts, seed, places, sizes, weights, times):
    """The edges of the least times, which are exponential at the rate of their weights.

    The times of those kept so far are a heap with the latest on top; then the row is walked again
    for those that are not later than the top.
    """
    begin, wanted = starts[i], starts[i + 1] - starts[i]
    first, last = indptr[rows[i]], indptr[rows[i] + 1]
    every, held = wanted == sizes[i], 0
    for e in range(first, last):
        if every or wanted == 0 or weights[e] <= 0:
            continue
        time = _time(weights[e], seed, ids[i], e - first)
        if held < wanted:
            _rise((times, begin), held, time)
            held += 1
        elif time < times[begin]:
            _sink((times, begin), 0, wanted, time)
    at, latest, ties = begin, 0.0, 0
    if not every and wanted > 0:
        latest = times[begin]
        for j in range(begin, begin + wanted):
            ties += times[j] == latest
    for e in range(first, last):
        if wanted == 0 or weights[e] <= 0:
            continue
        time = latest if every else _time(weights[e], seed, ids[i], e - first)
        if every or time < latest or (time == latest and ties > 0):
            ties -= time == latest
            places[at] = e
            at += 1


def _is_later(data, time, other):
    return time > other


def _time_at(data, i):
    return data[0][data[1] + np.int64(i)]


def _put_time(data, i, time):
    data[0][data[1] + np.int64(i)] = time


_rise, _sink = binary_heap(_is_later, _time_at, _put_time, inner)


@inner
def _time(weight, seed, v, place):
    return -math.log(1.0 - random.uniform(seed, v, place)) / weight
