"""Semi-streaming matching with a stack, 1/(2 + epsilon)-approximate [1, 2], and a proof of it.

Edges come by once. Every vertex has a price, zero at first. An edge that weighs more than
1 + epsilon/2 times the prices of its two ends goes onto the stack, and both prices rise by what it
weighs more than they did. In the end the edges come off the stack, the last one first, and are
matched where both ends are free: they weigh at least half the sum of all prices. No edge weighs
more than 1 + epsilon/2 times the prices of its ends, so no matching weighs more than that times the
sum. A second look at the graph lowers this bound: no price need be higher than what the edges of
its vertex ask for. Linear work, on one CPU thread; the stack holds O(n log(1/epsilon) / epsilon)
edges.

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
    graph: LocalGraphLike, *, weights: Any = None, epsilon: float = 0.1
) -> BoundedMatching:
    """A matching of at least 1/(2 + epsilon) of the greatest weight, and an upper bound on that.

    Sequential, and on CPU only. The edges come in the order of the rows.

    Parameters
    ----------
    graph : Graph
        Undirected.
    weights : None, "unit" or array over edges
        Finite; edges of weight zero or less are never matched.
    epsilon : float
        The smaller, the better the guarantee and the larger the stack; 0 is allowed.

    Returns
    -------
    BoundedMatching
        ``mate``, ``weight``, ``cardinality``, and ``bound``: the greatest weight lies between
        ``weight`` and ``bound``, and ``weight >= bound / (2 + epsilon)``.

    Raises
    ------
    ValueError, DeviceError
        If the graph is directed, a weight not finite or epsilon negative; if it is on a GPU.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = paz_schwartzman(path)
    >>> found.mate.tolist(), found.weight, found.bound
    ([1, 0, 3, 2], 4.0, 4.0)
    """
    check_host(graph, "paz_schwartzman")
    lengths = finite_weights(graph, weights, "paz_schwartzman")
    price = graph.full(0.0)
    mate, _, factor = _run(arcs_in_blocks(graph, lengths), price, epsilon, graph.indices.dtype)
    price *= factor
    rows = weighted_rows(graph, lengths)
    sequential(_lower, (rows, price), steps=len(price), work=graph.num_arcs)
    return BoundedMatching(*matched(graph, mate, weights), bound=total(price))


def paz_schwartzman_stream(
    blocks: Iterable[Any], *, num_vertices: int, epsilon: float = 0.1
) -> BoundedMatching:
    """As `paz_schwartzman`, of a graph that is never in memory: its edges come in blocks.

    Parameters
    ----------
    blocks : iterable of (sources, targets, weights)
        Arrays of equal length, the ends integers; weights may be None, for all one. An edge may
        come in one direction or in both; loops are passed over.
    num_vertices, epsilon

    Returns
    -------
    BoundedMatching

    Raises
    ------
    TypeError, ValueError
        If an end is no integer, or no vertex, a weight is not finite, or epsilon is negative.

    Examples
    --------
    >>> blocks = [([0, 1], [1, 2], [2.0, 3.0]), ([2], [3], [2.0])]
    >>> found = paz_schwartzman_stream(blocks, num_vertices=4)
    >>> found.mate.tolist(), found.weight, found.bound
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
