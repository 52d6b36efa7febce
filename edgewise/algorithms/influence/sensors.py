"""Sensors: where to watch, so that outbreaks are noticed.

Outbreaks are drawn, and each vertex that one reaches would notice it at its time. What a sensor is
worth to an outbreak depends on that time alone, and of several the first counts: so the worth of a
set is submodular, and taking the best one again and again comes within 1 - 1/e of the optimum over
what was drawn [1]. Most vertices are not looked at again: what one adds only falls, so one whose
last known worth is less than what another adds now can wait (CELF [2]).

[1] G. Nemhauser, L. Wolsey, M. Fisher. An analysis of approximations for maximizing submodular set
    functions. Mathematical Programming 1978.
[2] J. Leskovec, A. Krause, C. Guestrin, C. Faloutsos, J. VanBriesen, N. Glance. Cost-effective
    outbreak detection in networks. KDD 2007.
"""

from __future__ import annotations

from heapq import heapify, heappop, heapreplace
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.diffusion import chances, course
from edgewise.algorithms.influence.laws import law_of
from edgewise.algorithms.influence.outbreaks import MOST, Outbreaks, draw, uniform_starts
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.base.offsets import offsets
from edgewise.base.random import bits, check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host

__all__ = ["Sensors", "sensors"]

_GOALS = ("likelihood", "time", "affected")
#: Outbreaks at first; how much of its worth a choice keeps in others; vertices that are enough.
_FIRST, _KEPT, _ENOUGH = 10_000, 0.9, 5_000_000


class Sensors(NamedTuple):
    """Where to watch, in the order of their choice, and what that is good for.

    ``gains[i]`` is what sensor i adds to the mean worth of those before it, in the outbreaks that
    were drawn to choose by: the share of outbreaks noticed, the steps gained, or the vertices
    spared; ``bound`` is a sum of gains that no choice of as many vertices exceeds there. The rest
    is from outbreaks that were drawn anew: ``detected``, the share that is noticed, ``time``, the
    mean step at which it is, and ``affected``, the mean number of vertices reached before it is, or
    at all.
    """

    sensors: Any
    gains: Any
    bound: float
    detected: float
    time: float
    affected: float

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"sensors": "vertices"}


@takes_graph
def sensors(
    graph: LocalGraphLike,
    k: int,
    *,
    goal: str = "likelihood",
    sources: Any = None,
    candidates: Any = None,
    model: str = "independent_cascade",
    probability: Any = "weighted_cascade",
    recovery: float | None = None,
    incubation: float | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> Sensors:
    """Choose k vertices to watch, so that outbreaks are noticed.

    Parameters
    ----------
    graph : Graph
    k : int
        How many; there are fewer where nobody else would notice anything sooner.
    goal : "likelihood", "time" or "affected"
        That many outbreaks are noticed; that they are early, where one that is not counts as a step
        after the end of the longest; that few vertices are reached before.
    sources : int or str, or several, optional
        An outbreak begins at one of these, at random; by default at any vertex.
    candidates : int or str, or several, optional
        Where sensors may be; by default anywhere.
    model, probability, recovery, incubation
        How things spread, as for `simulate`.
    samples : int, optional
        How many outbreaks are drawn to choose by, and again to see how good the choice is, at 20
        bytes a vertex reached. By default 10,000, 20,000, 40,000, ..., until the choice keeps nine
        tenths of its worth in the others, or they reach 5 million vertices.
    seed : int
        The same seed gives the same choice, on every device and for any number of threads.

    Examples
    --------
    A star is watched at its center; along a path it takes time to get there.

    >>> from edgewise.graph import Graph
    >>> found = sensors(Graph.from_edges([0, 0, 0], [1, 2, 3]), 1, probability=1.0, samples=100)
    >>> found.sensors.tolist(), found.detected
    ([0], 1.0)
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> found = sensors(path, 1, sources=0, candidates=[2, 3], goal="affected", probability=1.0)
    >>> found.sensors.tolist(), found.time, found.affected
    ([2], 2.0, 2.0)
    """
    check_one_device(graph, "sensors")
    k, given = check_count(k, "k"), samples is not None
    samples = check_count(samples, "samples", 1, MOST) if given else _FIRST
    check_choice(goal, "goal", _GOALS)
    law = law_of(graph, chances(graph, model, probability), course(model, recovery, incubation))
    among = None if sources is None else check_vertices(graph, host(sources), "sources")
    if among is not None and len(among) == 0:
        raise ValueError("sources must be one vertex at least, got none")
    allowed = np.ones(graph.num_vertices, bool)
    if candidates is not None:
        allowed[:] = False
        allowed[check_vertices(graph, host(candidates), "candidates")] = True
    if graph.num_vertices == 0:
        return Sensors(np.zeros(0, np.int64), np.zeros(0), 0.0, 0.0, np.nan, 0.0)
    while True:
        both = []
        for key in (bits(check_seed(seed), turn, 0x5E) for turn in range(2)):
            starts = uniform_starts(graph, samples, key, among)
            drawn = draw(graph, law, starts, seed=key, timed=True)
            both.append(Outbreaks(*map(host, drawn)))
        last = int(max(one.times.max() for one in both))
        worth, fresh = (_worth(one, goal, last) for one in both)
        chosen, gains, bound = _greedy(both[0], worth, allowed, k)
        seen, value = _seen(both[1], fresh, chosen, len(allowed))
        if given or value >= _KEPT * gains.sum() or len(both[0].vertices) >= _ENOUGH:
            return Sensors(chosen, gains / samples, bound / samples, *seen)
        samples *= 2


def _worth(outbreaks: Outbreaks, goal: str, last: int) -> Any:
    """What a sensor at each place of the outbreaks is worth to its outbreak."""
    times = outbreaks.times.astype(np.int64)
    if goal == "likelihood":
        return np.ones(len(times), np.int64)
    if goal == "time":
        return last + 1 - times
    row = np.repeat(np.arange(outbreaks.total), np.diff(outbreaks.rows))
    moments = row * (last + 1) + times
    return outbreaks.rows[row + 1] - np.searchsorted(np.sort(moments), moments)


def _greedy(outbreaks: Outbreaks, worth: Any, allowed: Any, k: int) -> tuple[Any, Any, int]:
    """Who adds most, again and again, and how much; and what no k vertices exceed."""
    row = np.repeat(np.arange(outbreaks.total), np.diff(outbreaks.rows))
    order = np.argsort(outbreaks.vertices, kind="stable")
    row, worth = row[order], worth[order]
    bounds = offsets(np.bincount(outbreaks.vertices, minlength=len(allowed)))
    reached = np.zeros(outbreaks.total, np.int64)
    first = np.diff(offsets(worth)[bounds])
    heap = [(-int(first[v]), v) for v in np.flatnonzero(allowed & (first > 0)).tolist()]
    heapify(heap)
    chosen: list[int] = []
    gains: list[int] = []
    while heap and len(chosen) < k:
        v = heap[0][1]
        places = slice(bounds[v], bounds[v + 1])
        more = np.maximum(worth[places] - reached[row[places]], 0)
        now = (-int(more.sum()), v)
        if now[0] == 0:
            heappop(heap)
        elif now > heap[0]:
            heapreplace(heap, now)
        else:  # nobody else can add more
            heappop(heap)
            chosen.append(v)
            gains.append(-now[0])
            reached[row[places]] += more
    left = sorted(-gain for gain, _ in heap)[::-1][:k]
    return np.asarray(chosen, np.int64), np.asarray(gains, float), sum(gains) + sum(left)


def _seen(outbreaks: Outbreaks, worth: Any, chosen: Any, n: int) -> tuple[tuple[Any, ...], int]:
    """The share of outbreaks noticed, when, how many are reached before; and the choice's worth."""
    rows, vertices, times, *_ = outbreaks
    row = np.repeat(np.arange(outbreaks.total), np.diff(rows))
    watched = np.zeros(n, bool)
    watched[chosen] = True
    never = np.iinfo(times.dtype).max
    noticed = np.full(outbreaks.total, never)
    watching = watched[vertices]
    np.minimum.at(noticed, row[watching], times[watching])
    found = noticed < never
    time = float(noticed[found].mean()) if found.any() else np.nan
    before = (times < noticed[row]).sum() / outbreaks.total
    best = np.zeros(outbreaks.total, np.int64)
    np.maximum.at(best, row[watching], worth[watching])
    return (float(found.mean()), time, float(before)), int(best.sum())
