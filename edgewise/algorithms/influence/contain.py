"""Containing outbreaks: which vertices to protect, or which edges to cut, so that few are reached.

Outbreaks are drawn. `hill_climbing` takes out, again and again, who saves most in them: that is
known from the tree of dominators of each (`blocking`). `reverse` searches back from infected
vertices, and takes those who are part of most infections (`standing`) [1]: that counts an infection
as prevented though there may be another way to it, but takes many at a time. The others go by what
is known of the graph alone, and are there to be compared with.

Choice and judgement are by different random numbers; before and after by the same ones.

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
    """What to remove, in the order of choice, and what that does.

    ``chosen`` are vertices, or edges by their place in ``graph.edges()``; ``before`` and ``after``
    tell how far it spreads. ``saved`` is by how many vertices the means differ, ``low``
    and ``high`` its 95 % confidence interval, which is narrow, as both have met the same coins.
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
    recovery: float | None = None,
    incubation: float | None = None,
    samples: int | None = None,
    runs: int = 10_000,
    seed: int = 0,
) -> Containment:
    """Remove k vertices, or k edges, so that the outbreak expected is least.

    Parameters
    ----------
    graph : Graph
    sources : int or str, or several, optional
        Where every outbreak begins, at all of these; they cannot be protected any more. By default
        each begins at one vertex at random, or not at all if that one is protected.
    k : int
        How many; there are fewer where nothing else would save anyone.
    remove : "vertices" or "edges"
        Vertices are removed as by a vaccine: they neither catch it nor pass it on. Of an undirected
        edge both directions are removed.
    method : str
        "hill_climbing" (the best choice), "reverse" (about as good, in a time that hardly depends
        on k), or for comparison "degree", "betweenness", "pagerank" (against the edges) and
        "random". Of edges, degree and rank are those of the ends, multiplied.
    model, probability, recovery, incubation
        How things spread, as for `simulate`.
    samples : int, optional
        How many outbreaks are drawn to choose by; by default as many as reach 400,000
        vertices in all, from 256 to 65,536.
    runs : int
        How many runs tell how far it spreads before and after.
    seed : int
        The same seed gives the same choice, on every device and for any number of threads.

    Returns
    -------
    Containment

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
    change = course(model, recovery, incubation)
    if change is not None and 0 in change:
        raise ValueError("recovery and incubation must be above 0, or outbreaks never end, got 0")
    law = law_of(graph, given, change)
    if sources is not None:
        sources = np.unique(check_vertices(graph, host(sources), "sources"))
        if len(sources) == 0:
            raise ValueError("sources must be one vertex at least, got none")
    task = Task.of(graph, law, sources, k, by_edge, samples, bits(check_seed(seed), 0xC0))
    chosen = host((ranked if method in SCORES else _by_spread)(task, method))
    options: dict[str, Any] = {"model": model, "recovery": recovery, "incubation": incubation}
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
