"""Refinement of an order by swapping the positions of neighbors (Algorithm 2.1 of [1]).

Each vertex u of a fraction of the graph, those of least degree, *desires* one swap: with the
neighbor for which the sum of gaps, or of their logarithms, falls most. All swaps are evaluated in
parallel, each from the rows of the two vertices' neighbors alone. Then swaps are *completed*: they
are evaluated again, because other swaps have been made, and applied if they still gain.

In [1] completion is sequential, in the order of degrees. In parallel, the best swaps come first, in
batches. Each swap claims the vertices that it touches. Swaps that hold all of their claims are
applied together, and the others are evaluated again with the next batch. Swaps applied together do
not touch, so their gains add up exactly, and the order never becomes worse.

``order[v]`` is the position of v. ``places`` holds the positions of each row in ascending order.
Desired swaps take d(u) + d(v) steps for each pair of neighbors, times a logarithm.

[1] M. Mandulak, R. Hu, G. Slota. Explicit ordering refinement for accelerating irregular graph
    analysis. HPEC 2022.
"""

from __future__ import annotations

import math
from typing import Any

from edgewise.algorithms.ordering.completion import Work, desired, in_parallel, in_turn
from edgewise.algorithms.ordering.places import check_places, placed
from edgewise.algorithms.ordering.swap_change import UNITS
from edgewise.base.checks import check_choice, check_count, check_fraction, check_one_device
from edgewise.base.observe import notify
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import ADD, reduce_neighbors
from edgewise.operators.sorting import stable_order

__all__ = ["refine"]

#: What a swap must gain at least: of logarithms a millionth, so that no rounding counts as a gain.
_LEAST = {"linear_gap": 1, "log_gap": int(1e-6 * UNITS)}
_COMPLETE = {"parallel": in_parallel, "sequential": in_turn}
#: "auto" begins with so many vertices, or this part of all, and goes on with twice as many while
#: they gain, for each step, at least this part of what the best have gained.
_FEW, _FIRST, _FLAT = 4096, 1 / 64, 1 / 8


@takes_graph
def refine(
    graph: LocalGraphLike,
    positions: Any = None,
    *,
    metric: str = "log_gap",
    fraction: float | str = "auto",
    completion: str = "parallel",
    max_degree: int | None = 256,
    seed: int = 0,
) -> Any:
    """Return an order with smaller gaps, made from a given one by swapping positions of neighbors.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions.
    positions : array of int over vertices, optional
        The position of each vertex. By default the order in which the graph is stored.
    metric : {"log_gap", "linear_gap"}
        The measure to reduce; see the functions of these names.
    fraction : float from 0 to 1, or "auto"
        The fraction of the vertices that may start a swap, those of least positive degree first.
        "auto" increases it until the gain flattens.
    completion : {"parallel", "sequential"}
        How swaps are applied. "sequential" is the method of [1], on one CPU thread. It copies a
        graph on a GPU to the host.
    max_degree : int or None
        Vertices of a higher degree keep their positions, because their swaps are expensive to
        evaluate. None lets all vertices swap, as in [1].
    seed : int
        Breaks ties between swaps of equal gain. The same seed gives the same order for any number
        of threads.

    Returns
    -------
    array of int over vertices
        The position of each vertex. It is never worse than ``positions``. Another call may improve
        it further.

    Raises
    ------
    ValueError
        If ``positions`` is not a permutation of 0 to n - 1.

    Notes
    -----
    O(sum over edges of the degrees of both ends) time per pass.

    References
    ----------
    [1] M. Mandulak, R. Hu, G. Slota. Explicit ordering refinement for accelerating irregular graph
    analysis. HPEC 2022.

    Examples
    --------
    >>> from edgewise.algorithms.ordering import linear_gap
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> order = [0, 3, 2, 1, 4]
    >>> better = refine(path, order, metric="linear_gap", fraction=1)
    >>> better.tolist(), linear_gap(path, order), linear_gap(path, better)
    ([0, 3, 2, 4, 1], 6, 4)
    """
    check_one_device(graph, "refine")
    linear = check_choice(metric, "metric", _LEAST) == "linear_gap"
    complete = _COMPLETE[check_choice(completion, "completion", _COMPLETE)]
    auto = isinstance(fraction, str) and fraction == "auto"
    share = 0.0 if auto else check_fraction(fraction, "fraction")
    everyone = max(graph.num_arcs, 1)
    most = everyone if max_degree is None else check_count(max_degree, "max_degree")
    key, before = check_seed(seed), check_places(graph, positions)
    there = placed(graph, positions, "refine").without_self_loops()
    work = Work.begin(there, linear, _LEAST[metric], min(most, 2 * everyone))
    low = _by_degree(there, most)
    if auto:
        _until_flat(work, low, complete, key)
    else:
        complete(work, desired(work, low[: math.ceil(share * len(low))]), key)
    return work.order[before]


def _by_degree(graph: Graph, most: int) -> Any:
    """The vertices that have neighbors, and not too many, those of least degree first."""
    degree = graph.xp.diff(graph.indptr)
    first, last = int((degree == 0).sum()), int((degree <= most).sum())
    return stable_order(degree)[first:last]


def _until_flat(work: Work, low: Any, complete: Any, seed: Any) -> None:
    """Refine with slices of ``low``, each as large as all before, until they gain little."""
    degree = work.graph.xp.diff(work.graph.indptr)
    params = {"most": work.most}
    steps = reduce_neighbors(work.graph, None, _steps, degree, reduce=ADD, params=params)
    first, last, best = 0, max(_FEW, math.ceil(_FIRST * len(low))), 0.0
    while first < len(low):
        part = low[first:last]
        gain = complete(work, desired(work, part), seed)
        rate = gain / max(int(steps[part].sum()), 1)
        notify(last, phase="refine", fraction=min(last / len(low), 1.0), gain=gain)
        if rate < _FLAT * best:
            break
        first, last, best = last, 2 * last, max(best, rate)


def _steps(value, own, most):
    """About how long it takes to judge a swap, by the degrees of the two."""
    return value + own if value <= most else 0
