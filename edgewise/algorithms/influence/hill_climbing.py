"""Greedy influence maximization by simulation, for any model [1], with lazy evaluation [2].

Spreads are estimated on common random numbers (`live_runs`): all candidates are compared on the
same runs. Marginal gains only decrease, so an earlier gain is an upper bound. Candidates are
evaluated in the order of their bounds, until the next bound is below a gain that was found.

Random reverse searches (`reach`) give the first bounds, which would otherwise take one evaluation
per candidate, and better ones after each seed. A vertex in few of the uncovered samples adds
little. All bounds together hold with probability 0.99. They include four standard errors for the
variance of a vertex over the runs. With recovery, these searches treat edges as independent, which
reaches no fewer vertices [3]; then only the first bounds hold.

[1] D. Kempe, J. Kleinberg, E. Tardos. Maximizing the spread of influence through a social network.
    KDD 2003.
[2] J. Leskovec, A. Krause, C. Guestrin et al. Cost-effective outbreak detection in networks. KDD
    2007.
[3] K. Kuulasmaa. The spatial general epidemic and locally dependent random graphs. J. Appl. Prob.
    19, 1982.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.laws import ONE, RECOVERING, passing
from edgewise.algorithms.influence.live_runs import Runs, added
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph.transfer import host
from edgewise.operators import reach
from edgewise.operators.reaching import odds

__all__ = ["Rater", "by_function", "by_runs", "climb"]

#: Searches backward: at first, at most, and their members in all.
_FIRST, _MOST, _MEMBERS = 1 << 12, 1 << 20, 1 << 24
#: The probability that one of all bounds fails.
_DELTA = 0.01


class Rater(NamedTuple):
    """Tells what a vertex would add to the seeds so far; told of each new one."""

    gain: Callable[[int], float]
    take: Callable[[int], None]
    #: For every vertex an upper bound of what it may add, if there is more to know than what
    #: earlier calls of ``gain`` told.
    bounds: Callable[[], np.ndarray] | None = None


def climb(
    candidates: np.ndarray, k: int, rater: Rater, *, lazy: bool
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """k of the candidates (ascending), and what each added; among equals the first is taken.

    >>> reach = {0: {0, 1, 2}, 1: {1, 2}, 2: {2, 3}, 3: {3}}
    >>> spread = lambda seeds: len(set().union(*(reach[v] for v in seeds)))
    >>> seeds, gains = climb(np.arange(4), 3, by_function(spread), lazy=True)
    >>> seeds.tolist(), gains.tolist()
    ([0, 2, 1], [3.0, 1.0, 0.0])
    """
    known, left = np.full(len(candidates), np.inf), np.ones(len(candidates), bool)
    seeds, gains, rated = np.zeros(k, np.int64), np.zeros(k), 0
    for i in range(k):
        best, place, tried, again = -np.inf, -1, ~left, True
        while again:
            again = False
            for at, bound in _order(known, candidates, ~tried, rater, lazy=lazy):
                if lazy and (bound < best or (bound == best and at > place)):
                    break
                gain = known[at] = rater.gain(int(candidates[at]))
                tried[at], again, rated = True, lazy, rated + 1
                if gain > best or (gain == best and at < place):
                    best, place = gain, at
                notify(rated, phase="climb", done=i, total=k, rated=rated)
        seeds[i], gains[i], left[place] = candidates[place], best, False
        rater.take(int(seeds[i]))
    return seeds, gains


def _order(
    known: np.ndarray, candidates: np.ndarray, some: np.ndarray, rater: Rater, *, lazy: bool
) -> list[tuple[int, float]]:  # fmt: skip
    """Places of some candidates, and the least that is known to be above what each would add."""
    places, bounds = np.flatnonzero(some), known
    if lazy and rater.bounds is not None:
        bounds = np.minimum(known, rater.bounds()[candidates])
    if lazy:
        places = places[np.argsort(-bounds[places], kind="stable")]
    return list(zip(places.tolist(), bounds[places].tolist(), strict=True))


def by_runs(runs: Runs, *, lazy: bool) -> Rater:
    """A rater that searches in runs of a model; for lazy climbing with bounds."""
    bounds = _Bounds(runs) if lazy else None

    def gain(v: int) -> float:
        counts = added(runs, v, keep=False)
        mean = float(counts.sum()) / runs.total
        if bounds is not None and mean > 0:
            bounds.vary = max(bounds.vary, float(counts.std()) / mean)
        return mean

    def take(v: int) -> None:
        added(runs, v, keep=True)
        if bounds is not None:
            bounds.take(v)

    return Rater(gain, take, bounds)


class _Bounds:
    """Searches backward that met no seed: member ``ids[i]`` is of search ``searches[i]``."""

    def __init__(self, runs: Runs):
        graph, n = runs.graph, runs.graph.num_vertices
        take = "one" if runs.law.kind == ONE else "each"
        known = odds(graph, passing(runs.law), mode="in", take=take)
        seed = int(hashed(int(runs.seed), [1])[0])
        sets: Any = None
        size = _FIRST
        for _ in range(2):
            more = max(0, size - (0 if sets is None else len(sets)))
            sets = reach(graph, more, known, seed=seed, out=sets)
            indptr, members = map(host, sets.members())
            size = min(_MOST, 1024 * n, int(_MEMBERS * _FIRST / max(len(members), 1)))
        self.n, self.total, self.runs, self.ids = n, len(sets), runs.total, members
        self.beyond = runs.law.kind == RECOVERING
        self.vary = 1.0  # by how much, relative to its mean, the gain of any vertex varies
        self.searches = np.repeat(np.arange(len(sets)), np.diff(indptr))

    def take(self, v: int) -> None:
        """Leave out the searches that v is in, where these are what seeds reach, and no more."""
        if self.beyond:
            return
        met = np.zeros(self.total, bool)
        met[self.searches[self.ids == v]] = True
        left = ~met[self.searches]
        self.ids, self.searches = self.ids[left], self.searches[left]

    def __call__(self) -> np.ndarray:
        counts = np.bincount(self.ids, minlength=self.n)
        half, luck = log(self.n / _DELTA) / 2, 1 + 4 * self.vary / sqrt(self.runs)
        return (np.sqrt(counts + half) + sqrt(half)) ** 2 * (luck * self.n / self.total)


def by_function(spread: Callable[[list[int]], Any]) -> Rater:
    """A rater for a function that gives the spread of a list of vertices."""
    seeds: list[int] = []
    so_far = [0.0]

    def gain(v: int) -> float:
        return _number(spread([*seeds, v])) - so_far[0]

    def take(v: int) -> None:
        seeds.append(v)
        so_far[0] = _number(spread(list(seeds)))

    return Rater(gain, take)


def _number(given: Any) -> float:
    try:
        found = float(given)
    except (TypeError, ValueError):
        raise TypeError(f"model must give the spread as a number, got {given!r}") from None
    if not np.isfinite(found):
        raise ValueError(f"model must give a finite spread, got {given!r}")
    return found
