"""Containment of outbreaks: which vertices to immunize, or which edges to cut.

Outbreaks are simulated. `hill_climbing` repeatedly removes the vertex that saves most, which the
dominator tree of each outbreak gives (`blocking`). `reverse` searches backward from infected
vertices and removes those that take part in most infections (`standing`) [1]. It counts an
infection as prevented even if another path leads to it, but removes many vertices at a time. The
other methods use the graph alone and serve as baselines.

Choice and evaluation use different random numbers; the runs before and after use the same ones.

[1] M. Minutoli, P. Sambaturu, M. Halappanavar, A. Tumeo, A. Kalyanaraman, A. Vullikanti. PREEMPT:
    scalable epidemic interventions using submodular optimization on multi-GPU systems. SC 2020.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.influence.blocking import climb
from edgewise.algorithms.influence.diffusion import Chances, chances, course
from edgewise.algorithms.influence.heuristics import SCORES, Task, ranked
from edgewise.algorithms.influence.laws import law_of
from edgewise.algorithms.influence.outbreaks import MOST, draw
from edgewise.algorithms.influence.simulate import Spread, simulate
from edgewise.algorithms.influence.standing import in_the_way
from edgewise.base.checks import check_choice, check_count, check_one_device
from edgewise.base.random import bits, check_seed
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs, edges_of
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host

__all__ = ["Containment", "contain"]

_METHODS = ("hill_climbing", "reverse", *SCORES)
#: Outbreaks are drawn until they have reached so many in all, within these bounds; so many tell how
#: large they are.
_REACHED, _FEWEST, _MOST, _PILOT = 400_000, 256, 65_536, 256
_NORMAL = 1.959964  # 95 % of a normal distribution lie within so many deviations


class Containment(NamedTuple):
    """The vertices or edges to remove, in the order of choice, and their effect on the spread.

    The spread before and after uses the same random numbers, so the confidence interval is narrow.

    Attributes
    ----------
    chosen : array of int
        Vertex ids, or indices of edges in ``graph.edges()``.
    before, after : Spread
        The spread without and with the removal.
    saved : float
        The difference of the two mean spreads, in vertices.
    low, high : float
        The limits of the 95 % confidence interval of ``saved``.
    """

    chosen: Any
    before: Spread
    after: Spread
    saved: float
    low: float
    high: float


@takes_graph
def contain(
    graph: LocalGraphLike,
    sources: Any = None,
    k: int = 10,
    *,
    remove: str = "vertices",
    method: str = "hill_climbing",
    model: str = "independent_cascade",
    probability: Any = "weighted_cascade",
    recovery_probability: float | None = None,
    incubation_probability: float | None = None,
    samples: int | None = None,
    runs: int = 10_000,
    seed: int = 0,
) -> Containment:
    """Return k vertices or edges whose removal limits an outbreak.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    sources : int or str, or several, optional
        The vertices at which every outbreak starts; they cannot be removed. By default each
        outbreak starts at one random vertex, or nowhere if that vertex is removed.
    k : int
        The number to remove. Fewer are returned if no other removal would save a vertex.
    remove : {"vertices", "edges"}
        What to remove. Removed vertices are immune. Both directions of an undirected edge are
        removed.
    method : {"hill_climbing", "reverse", "degree", "betweenness", "pagerank", "random"}
        The algorithm. "hill_climbing" is the best choice. "reverse" is about as good, and its time
        hardly depends on k. The others are baselines; "pagerank" follows edges backward. The
        degree and PageRank of an edge are the products of those of its ends.
    model, probability, recovery_probability, incubation_probability
        The diffusion model, as for `simulate`.
    samples : int, optional
        The number of simulated outbreaks for the choice. By default they reach 400,000 vertices in
        all, within 256 to 65,536 outbreaks.
    runs : int
        The number of runs that estimate the spread before and after.
    seed : int
        The same seed gives the same choice on every device and for any number of threads.

    Returns
    -------
    Containment
        The chosen vertices or edges, and the spread before and after their removal.

    Notes
    -----
    O(runs (n + m)) time for the simulations, then a greedy choice.

    Examples
    --------
    Between two groups stands one vertex, between it and the second group one edge.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 4, 4, 5], [1, 2, 2, 3, 4, 5, 6, 6])
    >>> found = contain(graph, 0, 1, probability=1.0, runs=100)
    >>> found.chosen.tolist(), found.before.mean, found.after.mean
    ([2], 7.0, 2.0)
    >>> found = contain(graph, 0, 1, remove="edges", probability=1.0, runs=100)
    >>> found.chosen.tolist(), found.saved
    ([3], 4.0)
    """
    check_one_device(graph, "contain")
    k = check_count(k, "k")
    by_edge = check_choice(remove, "remove", ("vertices", "edges")) == "edges"
    check_choice(method, "method", _METHODS)
    if samples is not None and method in SCORES:
        raise ValueError(f"samples has no meaning for method {method!r}, got {samples!r}")
    samples = None if samples is None else check_count(samples, "samples", 1, MOST)
    given = chances(graph, model, probability)
    change = course(model, recovery_probability, incubation_probability)
    if change is not None and 0 in change:
        raise ValueError("recovery_probability and incubation_probability must be above 0, got 0")
    law = law_of(graph, given, change)
    if sources is not None:
        sources = np.unique(check_vertices(graph, host(sources), "sources"))
        if len(sources) == 0:
            raise ValueError("sources must name at least one vertex, got none")
    task = Task.of(graph, law, sources, k, by_edge, samples, bits(check_seed(seed), 0xC0))
    chosen = host((ranked if method in SCORES else _by_spread)(task, method))
    options: dict[str, Any] = {
        "model": model,
        "recovery_probability": recovery_probability,
        "incubation_probability": incubation_probability,
    }
    options |= {"runs": runs, "seed": seed}
    along = Arcs(probability)
    before = simulate(graph, sources, probability=along, **options)
    if by_edge:
        along = Arcs(_without(graph, given, task.names, chosen))
        chosen = host(edges_of(graph, graph.xp.asarray(chosen)))
    immune = None if by_edge else chosen
    after = simulate(graph, sources, probability=along, immune=immune, **options)
    fewer = before.sizes - after.sizes
    saved, about = float(fewer.mean()), _NORMAL * float(fewer.std(ddof=1)) / runs**0.5
    return Containment(chosen, before, after, saved, saved - about, saved + about)


def _by_spread(task: Task, method: str) -> Any:
    """Draw outbreaks, and choose by them."""
    graph = task.graph
    if graph.num_vertices == 0 or task.k == 0:
        return np.zeros(0, np.int64)
    samples = task.samples
    if samples is None:  # small outbreaks tell little each, so many are drawn
        size = draw(graph, task.law, task.starts(_PILOT), seed=task.seed).rows[-1] / _PILOT
        samples = int(min(max(_REACHED / max(size, 1), _FEWEST), _MOST))
    starts = task.starts(samples)
    outbreaks = draw(graph, task.law, starts, seed=task.seed)
    if task.by_edge:
        outbreaks = outbreaks._replace(edges=task.names[outbreaks.edges])
    if method == "reverse":
        return in_the_way(task, outbreaks, starts.shape[1])
    options = {"by_edge": task.by_edge, "forbidden": task.forbidden}
    return climb(graph, outbreaks, starts.shape[1], task.k, **options)[0]


def _without(graph: Graph, given: Chances, names: Any, chosen: Any) -> Any:
    """The chances of the arcs as shares, of those that are removed none."""
    removed = graph.xp.zeros(graph.num_arcs, bool)
    removed[graph.xp.asarray(chosen)] = True
    return graph.xp.where(removed[names], 0.0, given.thresholds / (2.0**32 - 1))
