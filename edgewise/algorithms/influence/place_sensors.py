"""Sensor placement: which vertices to monitor, so that outbreaks are detected.

Outbreaks are simulated. A sensor detects an outbreak when the outbreak reaches it, and the first
detection counts. So the reward of a set of sensors is submodular, and the greedy choice reaches
1 - 1/e of the optimum on the sample [1]. Marginal gains only decrease, so a vertex whose last known
gain is smaller than another's current gain is not evaluated again (CELF [2]).

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

__all__ = ["Sensors", "place_sensors"]

_GOALS = ("likelihood", "time", "affected")
#: Outbreaks at first; how much of its worth a choice keeps in others; vertices that are enough.
_FIRST, _KEPT, _ENOUGH = 10_000, 0.9, 5_000_000


class Sensors(NamedTuple):
    """The chosen sensors, in the order of choice, and how well they detect outbreaks.

    ``gains[i]`` is the marginal gain of sensor i on the sample: outbreaks detected (a fraction),
    steps gained, or vertices spared. No set of as many vertices exceeds ``upper_bound`` on the
    sample. ``detected`` is the fraction of new outbreaks that are detected, ``time`` the mean step
    of detection, and ``affected`` the mean number of vertices reached before it.
    """

    chosen: Any
    gains: Any
    upper_bound: float
    detected: float
    time: float
    affected: float

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"chosen": "vertices"}


@takes_graph
def place_sensors(
    graph: LocalGraphLike, k: int, *, objective: str = "likelihood", sources: Any = None,
    candidates: Any = None, model: str = "independent_cascade",
    probability: Any = "weighted_cascade", recovery_probability: float | None = None,
    incubation_probability: float | None = None, samples: int | None = None, seed: int = 0,
) -> Sensors:  # fmt: skip
    """Return k vertices that detect outbreaks.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    k : int
        The number of sensors. Fewer are returned if no other vertex would improve the objective.
    objective : {"likelihood", "time", "affected"}
        Detect many outbreaks, detect them early, or have few vertices reached before detection. A
        missed outbreak counts as detected one step after the longest one.
    sources : int or str, or several, optional
        The vertices at which outbreaks start, one at random for each. By default any vertex.
    candidates : int or str, or several, optional
        The vertices where sensors may be placed. By default all vertices.
    model, probability, recovery_probability, incubation_probability
        The diffusion model, as for `simulate`.
    samples : int, optional
        The number of outbreaks for the choice, and again for its evaluation. Each reached vertex
        takes 20 bytes. By default it grows from 10,000 until new outbreaks confirm nine tenths of
        the reward.
    seed : int
        The same seed gives the same choice on every device and for any number of threads.

    Returns
    -------
    Sensors
        The chosen vertices, their gains, and how well they detect new outbreaks.

    Examples
    --------
    A sensor at the center of a star detects every outbreak. On a path, detection takes time.

    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> found = place_sensors(star, 1, probability=1.0, samples=100)
    >>> found.chosen.tolist(), found.detected
    ([0], 1.0)
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> found = place_sensors(path, 1, sources=0, candidates=[2, 3], objective="affected",
    ...                       probability=1.0)
    >>> found.chosen.tolist(), found.time, found.affected
    ([2], 2.0, 2.0)
    """
    check_one_device(graph, "place_sensors")
    k, given = check_count(k, "k"), samples is not None
    samples = check_count(samples, "samples", 1, MOST) if given else _FIRST
    check_choice(objective, "objective", _GOALS)
    law = law_of(
        graph,
        chances(graph, model, probability),
        course(model, recovery_probability, incubation_probability),
    )
    among = None if sources is None else check_vertices(graph, host(sources), "sources")
    if among is not None and len(among) == 0:
        raise ValueError("sources must name at least one vertex, got none")
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
        worth, fresh = (_worth(one, objective, last) for one in both)
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
