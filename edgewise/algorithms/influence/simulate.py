"""Simulated diffusion: the mean spread from given vertices over many runs.

Many runs are simulated at once, as bits of words (`runs`). Every random number is a hash of the
seed, the run and the edge. So one seed gives the same answer on every engine and for any number of
threads. Each 64 runs visit the reached edges once. Models in which an infectious vertex tries again
in every step visit them in every step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.diffusion import Chances, Course, chances, course
from edgewise.algorithms.influence.passing import process_of
from edgewise.algorithms.influence.runs import outcomes
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, integer
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host

__all__ = ["Spread", "simulate", "spread"]

_MOST_RUNS = 2**24
_START = 0x5EED  # names the draws of where runs begin
_NORMAL = 1.959964  # 95 % of a normal distribution lie within so many deviations


class Spread(NamedTuple):
    """The mean spread over many simulated diffusions, its confidence interval, and its course.

    Attributes
    ----------
    mean : float
        The mean number of vertices that are infected by the end of a run.
    low, high : float
        The limits of the 95 % confidence interval of ``mean``.
    std : float
        The standard deviation over runs.
    infected : array of float over vertices
        The fraction of runs in which each vertex is infected.
    curve : array of float
        The mean number of vertices infected by step 0, 1, and so on.
    states : array of float
        One row per step: the mean numbers susceptible, exposed, infectious and recovered.
    sizes : array of int
        The number of infected vertices of each run.
    runs : int
        The number of runs.
    """

    mean: float
    low: float
    high: float
    std: float
    infected: Any
    curve: np.ndarray
    states: np.ndarray
    sizes: np.ndarray
    runs: int


@takes_graph
def simulate(
    graph: GraphLike,
    sources: Any = None,
    *,
    model: str = "independent_cascade",
    probability: Any = "weighted_cascade",
    runs: int = 10_000,
    max_steps: int | None = None,
    recovery_probability: float | None = None,
    incubation_probability: float | None = None,
    immune: Any = None,
    seed: int = 0,
) -> Spread:
    """Return the mean spread over many simulated diffusions.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. The two directions of an undirected edge are independent.
    sources : vertices, optional
        The vertices infected at first, by id or label. A 2D array gives each run its own row of
        sources. By default each run starts at one random vertex.
    model : {"independent_cascade", "linear_threshold", "sir", "seir"}
        The diffusion model. Independent cascade: a newly active vertex tries each neighbor once, in
        the next step. Linear threshold: a vertex becomes active when the weight of its active
        neighbors reaches a random threshold. SIR: an infectious vertex tries each neighbor in every
        step until it recovers. SEIR: an infected vertex is exposed for a while before it becomes
        infectious.
    probability : number, array over edges, or {"weighted_cascade", "trivalency", "weight"}
        The probability that one try along an edge succeeds. For linear threshold, the weight of the
        edge; the weights into a vertex sum to at most 1. Weighted cascade is 1 / in-degree of the
        target. Trivalency is 0.1, 0.01 or 0.001, by a hash of the edge. "weight" uses the graph's
        weights.
    runs : int
        The number of runs, at least 2. More runs give a narrower confidence interval.
    max_steps : int, optional
        The largest number of steps. By default a run ends when nothing can change any more.
    recovery_probability : number, optional
        For SIR and SEIR: the probability of recovery per step, 0.2 by default.
    incubation_probability : number, optional
        For SEIR: the probability per step that an exposed vertex becomes infectious, 0.5 by
        default.
    immune : vertices, optional
        Vertices that are never infected. All other random numbers stay the same. Given sources must
        not be immune. A run whose random source is immune infects nothing from it.
    seed : int
        The same seed gives the same answer on every engine and for any number of threads.

    Returns
    -------
    Spread
        Arrays over vertices are on the graph's device, all others in host memory. In cascades and
        thresholds, a vertex is infectious in the step in which it becomes active, then recovered.

    Raises
    ------
    ValueError
        If a source is immune, or if runs would never end and ``max_steps`` is missing.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> found = simulate(path, 0, probability=0.5)
    >>> found.mean, found.infected.round(2).tolist(), found.curve.round(2).tolist()
    (1.8736, [1.0, 0.5, 0.25, 0.12], [1.0, 1.5, 1.75, 1.87])
    """
    known, change = (
        chances(graph, model, probability),
        course(model, recovery_probability, incubation_probability),
    )
    runs = check_count(runs, "runs", 2, _MOST_RUNS)
    most = None if max_steps is None else check_count(max_steps, "max_steps")
    if change is not None and 0 in change and most is None:
        raise ValueError(
            "max_steps must be given where recovery_probability or incubation_probability is 0, "
            "got None"
        )
    key, apart = check_seed(seed), np.empty(0, np.int64)
    if immune is not None:
        apart = np.unique(check_vertices(graph, immune, "immune"))
    start = _seeds_of(graph, sources, runs, key, apart)
    return spread(graph, known, start, runs, key, change, most, apart)


def spread(
    graph: AnyGraph, known: Chances, seeds: np.ndarray, runs: int, seed: Any,
    change: Course | None = None, most: int | None = None, immune: Any = (),
) -> Spread:  # fmt: skip
    """`simulate` of what is checked: seeds are ids, none twice, or a row of them for each run."""
    process = process_of(graph, known, change, seed, np.asarray(immune, np.int64))
    infected, sizes, rows = graph.full(0, np.int64), [], []
    for number, found in enumerate(outcomes(graph, process, seeds, runs, infected, most)):
        sizes.append(found.sizes)
        rows.append(np.array(found.steps, np.float64))
        notify(number, runs=sum(map(len, sizes)), total=runs)
    of_runs = np.concatenate(sizes)
    mean, std, n = float(of_runs.mean()), float(of_runs.std(ddof=1)), graph.num_vertices
    about = _NORMAL * std / runs**0.5
    reached, exposed, ill = (_added(rows) / runs).T
    states = np.stack([n - reached, exposed, ill, reached - exposed - ill], axis=1)
    return Spread(mean, mean - about, mean + about, std, infected / runs, reached, states, of_runs,
                  runs)  # fmt: skip


def _added(rows: list[np.ndarray]) -> np.ndarray:
    """The sum of the passes' steps; in one that is over nobody is exposed or infectious."""
    total = np.zeros((max(map(len, rows)), 3))
    for one in rows:
        total[: len(one)] += one
        total[len(one) :, 0] += one[-1, 0]
    return total


def _seeds_of(graph: AnyGraph, seeds: Any, runs: int, seed: Any, immune: np.ndarray) -> np.ndarray:
    """The ids of the seeds, each once; or a row of them for each run."""
    if seeds is None:
        n = graph.num_vertices
        drawn = integer(max(n, 1), seed, np.arange(runs), _START)
        return drawn[:, None] if n else np.empty((runs, 0), np.int64)
    if np.size(host(seeds)) == 0:
        raise ValueError("sources must name at least one vertex, got none; None draws one")
    if getattr(seeds, "ndim", 1) != 2:
        found = np.unique(check_vertices(graph, seeds, "sources"))
        if np.isin(found, immune).any():
            which = found[np.isin(found, immune)][0]
            raise ValueError(f"sources must not be immune, got {graph.label(int(which))}")
        return found
    if len(seeds) != runs:
        raise ValueError(f"sources must have a row for each of {runs} runs, got {len(seeds)}")
    return check_vertices(graph, host(seeds).ravel(), "sources").reshape(seeds.shape)
