"""Simulated diffusion: how far something spreads from given vertices, in the mean of many runs.

Runs go many at a time, as bits of words (`runs`); every coin is a hash of the seed, the run and the
edge, so that a seed gives the same answer on every engine and for any number of threads. Work: the
edges that something may pass along, once for each 64 runs; models in which an infected vertex tries
again in every step cost as much in every step.
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
    """How far something has spread: vertices infected by the end, and how it came to that.

    ``mean`` over the runs, ``low`` and ``high`` (its 95 % confidence interval), ``std`` (of single
    runs), ``infected`` (for each vertex, the share of runs in which it is), ``curve`` (the mean
    number infected by step 0, 1, ...), ``states`` (a row for each step: how many are susceptible,
    exposed, infectious, recovered), ``sizes`` (of each run).
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
    seeds: Any = None,
    *,
    model: str = "independent_cascade",
    probability: Any = "weighted_cascade",
    runs: int = 10_000,
    steps: int | None = None,
    recovery: float | None = None,
    incubation: float | None = None,
    immune: Any = None,
    seed: int = 0,
) -> Spread:
    """How far something spreads from the seeds, in the mean of many runs.

    Parameters
    ----------
    graph : Graph
        Something passes along edges; along an undirected one both ways, each by its own chance.
    seeds : vertices, optional
        Who is infected at first: ids or labels, at least one. An array with a row for each run
        gives every run seeds of its own; by default each run begins at one vertex that is drawn
        for it.
    model : {"independent_cascade", "linear_threshold", "sir", "seir"}
        Independent cascade: whoever becomes active tries each neighbor once, in the next step.
        Linear threshold: whoever has active neighbors of as much weight as a threshold, drawn for
        it, becomes active. SIR: whoever is infectious tries each neighbor in every step, until it
        recovers; SEIR: whoever is infected is exposed for a while before it is infectious.
    probability : number, array over edges, or {"weighted_cascade", "trivalency", "weights"}
        The chance that something passes along an edge at one try; for linear threshold the weight
        of the edge, which add up to 1 at most over the edges into a vertex. Weighted cascade is 1 /
        in-degree of the edge's target; trivalency is 0.1, 0.01 or 0.001, by a hash of the edge's
        ends; "weights" takes the graph's own.
    runs : int
        How many, at least 2.
    steps : int, optional
        Stop after so many; by default when nothing can change any more.
    recovery : number, optional
        SIR, SEIR: the chance to recover in a step (0.2).
    incubation : number, optional
        SEIR: the chance that an exposed vertex becomes infectious in a step (0.5).
    immune : vertices, optional
        Who takes no part: they never catch it and pass nothing on. Everything else happens as it
        does without them, by the same coins. They cannot be seeds; a run that begins at one of
        them, by chance or by its row of seeds, infects nobody from there.
    seed : int
        The same seed gives the same answer on every engine, for any number of threads.

    Returns
    -------
    Spread
        Arrays over vertices are where the graph is, all others in host memory. In cascades
        and thresholds those are infectious that became active in this step, recovered are those
        before.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], directed=True)
    >>> found = simulate(path, 0, probability=0.5)
    >>> found.mean, found.infected.round(2).tolist(), found.curve.round(2).tolist()
    (1.8736, [1.0, 0.5, 0.25, 0.12], [1.0, 1.5, 1.75, 1.87])
    """
    known, change = chances(graph, model, probability), course(model, recovery, incubation)
    runs = check_count(runs, "runs", 2, _MOST_RUNS)
    most = None if steps is None else check_count(steps, "steps")
    if change is not None and 0 in change and most is None:
        raise ValueError("steps must be given where recovery or incubation is 0, got None")
    key, apart = check_seed(seed), np.empty(0, np.int64)
    if immune is not None:
        apart = np.unique(check_vertices(graph, immune, "immune"))
    start = _seeds_of(graph, seeds, runs, key, apart)
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
        raise ValueError("seeds must name a vertex at least, got none; None draws one")
    if getattr(seeds, "ndim", 1) != 2:
        found = np.unique(check_vertices(graph, seeds, "seeds"))
        if np.isin(found, immune).any():
            which = found[np.isin(found, immune)][0]
            raise ValueError(f"seeds must not be immune, got {graph.label(int(which))}")
        return found
    if len(seeds) != runs:
        raise ValueError(f"seeds must have a row for each of {runs} runs, got {len(seeds)}")
    return check_vertices(graph, host(seeds).ravel(), "seeds").reshape(seeds.shape)
