"""Semi-streaming matching with a stack [1, 2]: 1/(2 + epsilon)-approximate, with an upper bound.

Edges arrive once. Every vertex has a price, at first zero. An edge that weighs more than
1 + epsilon/2 times the prices of its ends goes onto the stack, and both prices rise by the excess.
In the end, edges are popped and matched if both ends are free. They weigh at least half the sum of
all prices. No edge weighs more than 1 + epsilon/2 times the prices of its ends, so the sum of
prices bounds every matching. A second pass over the graph tightens this bound by lowering prices.
Linear work, on one CPU thread; the stack holds O(n log(1/epsilon) / epsilon) edges.

[1] A. Paz, G. Schwartzman. A (2 + epsilon)-approximation for maximum weight matching in the
    semi-streaming model. SODA 2017.
[2] M. Ghaffari, D. Wajc. Simplified and space-optimal semi-streaming (2 + epsilon)-approximate
    matching. SOSA 2019.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.edge_stream import arcs_in_blocks, checked_blocks
from edgewise.algorithms.matching.greedy import join_free
from edgewise.algorithms.matching.result import BoundedMatching, finite_weights, matched
from edgewise.algorithms.weighted_rows import weighted_rows
from edgewise.algorithms.weighting import total
from edgewise.base.checks import check_count, check_number
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["paz_schwartzman", "paz_schwartzman_stream", "raise_prices"]


class Stack(NamedTuple):
    """Edges in the order in which they were pushed, the first ``height[0]`` of the arrays."""

    u: Any
    v: Any
    weight: Any
    height: Any


@takes_graph
def paz_schwartzman(
    graph: LocalGraphLike, *, weights: Any = "weight", epsilon: float = 0.1
) -> BoundedMatching:
    """Return a 1/(2 + epsilon)-approximate maximum weight matching and an upper bound.

    It runs on one CPU thread and reads the edges row by row.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Finite. Edges of weight zero or less are never matched.
    epsilon : float
        Nonnegative. Smaller values give a better guarantee and a larger stack.

    Returns
    -------
    BoundedMatching
        The maximum weight lies between ``weight`` and ``upper_bound``, which is at most ``(2 +
        epsilon) * weight``.

    Raises
    ------
    ValueError, DeviceError
        If the graph is directed, a weight is not finite, or epsilon is negative; if it is on a GPU.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = paz_schwartzman(path)
    >>> found.mate.tolist(), found.weight, found.upper_bound
    ([1, 0, 3, 2], 4.0, 4.0)
    """
    check_host(graph, "paz_schwartzman")
    lengths = finite_weights(graph, weights, "paz_schwartzman")
    price = graph.full(0.0)
    mate, _, factor = _run(arcs_in_blocks(graph, lengths), price, epsilon, graph.id_dtype)
    price *= factor
    rows = weighted_rows(graph, lengths)
    sequential(_lower, (rows, price), steps=len(price), work=graph.num_arcs)
    return BoundedMatching(*matched(graph, mate, weights), upper_bound=total(price))


def paz_schwartzman_stream(
    blocks: Iterable[Any], *, num_vertices: int, epsilon: float = 0.1
) -> BoundedMatching:
    """Return the matching of `paz_schwartzman` for edges that arrive in blocks.

    Parameters
    ----------
    blocks : iterable of (sources, targets, weights)
        Arrays of equal length. Weights may be None for unit weights. An edge may come in one
        direction or in both. Self-loops are ignored.
    num_vertices, epsilon
        The number of vertices, and the accuracy as for `paz_schwartzman`.

    Returns
    -------
    BoundedMatching
        The matching and an upper bound, as for `paz_schwartzman`.

    Raises
    ------
    TypeError, ValueError
        If an end is not a vertex id, a weight is not finite, or epsilon is negative.

    Examples
    --------
    >>> blocks = [([0, 1], [1, 2], [2.0, 3.0]), ([2], [3], [2.0])]
    >>> found = paz_schwartzman_stream(blocks, num_vertices=4)
    >>> found.mate.tolist(), found.weight, found.upper_bound
    ([1, 0, 3, 2], 4.0, 8.0)
    """
    n = check_count(num_vertices, "num_vertices")
    price, dtype = np.zeros(n), np.int32 if n < 2**31 else np.int64
    mate, weight, factor = _run(checked_blocks(blocks, n), price, epsilon, dtype)
    return BoundedMatching(mate, weight, int((mate >= 0).sum()) // 2, factor * total(price))


def _run(blocks: Iterable[Any], price: Any, epsilon: float, dtype: Any) -> tuple[Any, float, float]:
    """The mates, their weight, and by how much prices are too low at most."""
    epsilon = check_number(epsilon, "epsilon")
    mate, total, factor = np.full(len(price), -1, dtype), np.zeros(1), np.ones(1)
    ends, heavy, height = np.empty((2, 0), np.int64), np.empty(0), np.zeros(1, np.int64)
    for sources, targets, lengths in blocks:
        most = int(height[0]) + len(sources)
        if most > len(heavy):  # the whole block may be pushed
            ends = np.pad(ends, ((0, 0), (0, 2 * most - len(heavy))))
            heavy = np.pad(heavy, (0, 2 * most - len(heavy)))
        stack = Stack(ends[0], ends[1], heavy, height)
        state = (sources, targets, lengths, 1 + epsilon / 2, price, stack, factor)
        sequential(_push, state, steps=len(sources))
    sequential(_pop, (Stack(ends[0], ends[1], heavy, height), mate, total), steps=int(height[0]))
    return mate, float(total[0]), float(factor[0])


def _push(control, sources, targets, lengths, least, price, stack, factor):
    top = stack.height[0]
    for i in range(len(sources)):
        if i % 4096 == 0 and not going(control, i):
            return
        u, v, weight = sources[i], targets[i], lengths[i]
        if u == v:
            continue
        worth = price[u] + price[v]
        if raise_prices(u, v, weight, least, price, price):
            stack.u[top], stack.v[top], stack.weight[top] = u, v, weight
            top += 1
        elif weight > worth:
            factor[0] = max(factor[0], weight / worth)
    stack.height[0] = top


@inner
def raise_prices(u, v, weight, least, price, price_of_other):
    """Raise the prices of u and v to what their edge weighs, if that is more than ``least`` times
    as much: is it? The sides of a graph may have two arrays.
    """
    worth = price[u] + price_of_other[v]
    if not weight > least * worth:
        return False
    price[u] += weight - worth
    price_of_other[v] += weight - worth
    return True


def _pop(control, stack, mate, total):
    for k in range(stack.height[0]):
        if k % 4096 == 0 and not going(control, k):
            return
        i = stack.height[0] - 1 - k
        if join_free(stack.u[i], stack.v[i], mate, mate):
            total[0] += stack.weight[i]


def _lower(control, rows, price):
    """Lower every price to what the edges of its vertex ask for, one vertex after the other."""
    for v in range(len(price)):
        if v % 256 == 0 and not going(control, v):
            return
        needed = 0.0
        for e in range(rows.indptr[v], rows.indptr[v + 1]):
            u = rows.indices[e]
            if u != v:
                needed = max(needed, rows.weights[e * rows.stride] - price[u])
        price[v] = min(price[v], needed)
