"""Samples for influence maximization: growing collections, the greedy choice, and its bounds.

A sample is a random reverse reachable set: all vertices that reach a random vertex along live
edges. There are two independent collections: one to choose the seeds, and one to evaluate them.
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
    """The chosen seed vertices, their expected spread, and bounds on the optimum.

    Attributes
    ----------
    chosen : array of int
        The seed vertices, in the order of choice.
    gains : array of float
        The estimated marginal gain of each seed.
    spread : float
        The expected number of reached vertices, by samples that were not used for the choice.
    lower_bound : float
        A lower bound on the spread.
    upper_bound : float
        An upper bound on the optimal spread; nan for methods without one.
    ratio : float
        At least this fraction of the optimal spread is reached; nan for methods without a proof.
    samples : int
        The number of random sets or runs.
    nbytes : int
        The memory of the samples in bytes.
    """

    chosen: Any
    gains: Any
    spread: float
    lower_bound: float
    upper_bound: float
    ratio: float
    samples: int
    nbytes: int


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
    met = covered(test, found.chosen)
    lower = max(lower_bound(met, sizes[1], n, trust[0]), k)
    upper = min(upper_bound(float(min(found.upper_bound)), sizes[0], n, trust[1]), float(n))
    return Seeds(
        chosen=np.asarray(found.chosen, np.int64),
        gains=np.asarray(found.gains) * (n / max(sizes[0], 1)),
        spread=max(n * met / max(sizes[1], 1), k),
        lower_bound=lower,
        upper_bound=max(upper, lower),
        ratio=min(lower / upper, 1.0),
        samples=sum(sizes),
        nbytes=samples.nbytes + test.nbytes,
    )
