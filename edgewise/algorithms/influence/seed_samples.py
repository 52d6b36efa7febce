"""Samples for choosing seeds: collections that grow, the greedy choice, and what they prove.

A sample holds all who reach a vertex chosen at random along live edges: those whom it could have
been told by. The two collections, of the samples by which seeds are chosen and of those by which
they are judged, are independent of one another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.guarantee import lower_bound, upper_bound
from edgewise.base.random import hashed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import cover, reach
from edgewise.operators.covering import covered

__all__ = ["CHOOSING", "TESTING", "Problem", "Seeds", "chosen", "drawn", "judged"]

#: Two collections, by what names their random numbers.
CHOOSING, TESTING = 1, 2


class Seeds(NamedTuple):
    """Whom to begin with.

    ``seeds`` are in the order in which they were chosen, and ``gains`` what each was estimated to
    add to the spread. ``spread`` is the expected number of vertices that all of them reach, by runs
    or samples that had no say in the choice, and at least ``lower``. The best seeds have a spread
    of ``upper`` at most, of which these have at least the part ``ratio``; both are nan for methods
    that prove nothing about it. ``samples`` is the number of random sets or runs, and ``memory``
    what they took in bytes.
    """

    seeds: Any
    gains: Any
    spread: float
    lower: float
    upper: float
    ratio: float
    samples: int
    memory: int


class Problem(NamedTuple):
    """What seeds are asked for."""

    graph: AnyGraph
    odds: Any  # the chances of edges, as `reach` takes them
    k: int
    candidates: np.ndarray  # who may be chosen
    epsilon: float
    delta: float
    seed: int
    memory: int | None  # bytes for samples


def chosen(problem: Problem, samples: Any, *, bounds: bool = False) -> Any:
    """The greedy choice: whoever is in most of the samples that no earlier seed is in."""
    return cover(samples, problem.k, excluded=_barred(problem), bounds=bounds)


def _barred(problem: Problem) -> np.ndarray | None:
    """Who may not be chosen."""
    n = problem.graph.num_vertices
    if len(problem.candidates) == n:
        return None
    barred = np.ones(n, bool)
    barred[problem.candidates] = False
    return barred


def drawn(
    problem: Problem, size: int, stream: int, samples: Any = None, share: float = 1.0
) -> Any:  # fmt: skip
    """The samples, and as many more as make ``size`` of them; fewer in too little memory.

    ``share`` is how much of the memory they may take.
    """
    more = max(0, size - (0 if samples is None else len(samples)))
    seed = int(hashed(problem.seed, stream))
    memory = None if problem.memory is None else max(1, int(share * problem.memory))
    return reach(problem.graph, more, problem.odds, seed=seed, out=samples, memory=memory)


def judged(
    problem: Problem, found: Any, samples: Any, test: Any, trust: tuple[float, float]
) -> Seeds:  # fmt: skip
    """The choice, and what the samples prove about it: ``trust`` is that of either bound."""
    n, k, sizes = problem.graph.num_vertices, float(problem.k), (len(samples), len(test))
    met = covered(test, found.vertices)
    lower = max(lower_bound(met, sizes[1], n, trust[0]), k)
    upper = min(upper_bound(float(min(found.upper)), sizes[0], n, trust[1]), float(n))
    return Seeds(
        seeds=np.asarray(found.vertices, np.int64),
        gains=np.asarray(found.gains) * (n / max(sizes[0], 1)),
        spread=max(n * met / max(sizes[1], 1), k),
        lower=lower,
        upper=max(upper, lower),
        ratio=min(lower / upper, 1.0),
        samples=sum(sizes),
        memory=samples.nbytes + test.nbytes,
    )
