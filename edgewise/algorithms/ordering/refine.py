"""Refinement of an order by swaps of neighbors' positions (Alg. 2.1 of [1]).

Every vertex u of a fraction of the graph, those of least degree, *desires* the swap of positions
with the neighbor for which the sum of gaps, or of their logarithms, falls most; all are judged in
parallel, each by the rows of the two vertices' neighbors alone. Then the swaps are *completed*:
judged again, since others have been made meanwhile, and made if they still gain.

In [1] that is sequential, in the order of degrees. In parallel the best come first, a batch at a
time: each claims what it touches, those that hold all of their claims are made together, and the
others are judged again with the next batch. As only swaps that do not touch are made together,
what they gain adds up, exactly, and the order never becomes worse.

``order[v]`` is the position of v, ``places`` holds each row's positions in ascending order. Desired
swaps take d(u) + d(v) steps for each pair of neighbors, times a logarithm.

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
    order: Any = None,
    *,
    metric: str = "log_gap",
    fraction: float | str = "auto",
    completion: str = "parallel",
    max_degree: int | None = 256,
    seed: int = 0,
) -> Any:
    """An order with smaller gaps, made from another one by swaps of neighbors' positions.

    Parameters
    ----------
    graph : Graph
        The edges of a directed graph are read both ways.
    order : array of int over vertices, optional
        The position of every vertex; by default as they are stored.
    metric : {"log_gap", "linear_gap"}
        What is to become smaller; see the functions of these names.
    fraction : float from 0 to 1, or "auto"
        The part of the vertices that look for a swap: those of least degree, isolated ones apart.
        "auto" takes more and more of them until the gain flattens.
    completion : {"parallel", "sequential"}
        Sequential as in [1], on one CPU thread: for a graph on a GPU that copies it to the host.
    max_degree : int or None
        Vertices of a higher degree stay where they are: to judge their swaps takes as many steps
        as they have neighbors, with each of them. None lets all swap, as in [1].
    seed : int
        Decides which of two swaps that gain the same comes first. One seed gives one order for any
        number of threads.

    Returns
    -------
    array of vertex ids
        The position of every vertex; never worse than ``order``. From there another call may find
        more.

    Raises
    ------
    ValueError
        If ``order`` does not hold each of 0 to n - 1 once.

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
    key, before = check_seed(seed), check_places(graph, order)
    there = placed(graph, order, "refine").without_self_loops()
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
