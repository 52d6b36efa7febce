"""Greedy coloring in NetworkX's orders of the nodes."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.heap import binary_heap
from edgewise.base.insertion import is_less, read, write
from edgewise.base.probing import is_key, key_at, probing
from edgewise.networkx.compact import Arcs, Compact, compact
from edgewise.networkx.node_items import some
from edgewise.networkx.search_functions import _breadth_first, _depth_first
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def greedy_color(G, strategy="largest_first", interchange=False):
    """The first color that no neighbor has, in the order of a strategy."""
    rows = compact(G)
    if rows.n == 0:
        return {}
    name = getattr(strategy, "__name__", strategy).removeprefix("strategy_")
    if name in ("saturation_largest_first", "DSATUR"):
        return some(rows, *_saturated(G, rows))
    order = _ORDERS[name](G, rows)
    colors, count = np.full(rows.n, -1), np.zeros(1, np.int64)
    state = (rows.indptr, rows.targets, order, colors, np.full(rows.n + 1, -1), count)
    sequential(_first_fit, state, steps=rows.n, work=len(rows.targets))
    return some(rows, order, colors)


def _by_degree(G: Any, rows: Compact) -> np.ndarray:
    return np.argsort(-rows.degrees(G), kind="stable")


def _at_random(G: Any, rows: Compact) -> np.ndarray:
    """NetworkX's order: it draws from the random numbers of the whole program."""
    return rows.ids(nx.coloring.strategy_random_sequential(G, {}))


def _by_breadth(G: Any, rows: Compact) -> np.ndarray:
    """A search from all starts at once lists each component in the order of its own search."""
    starts, labels = _starts(G, rows)
    order = _breadth_first(rows, starts.tolist())[0]
    rank = np.empty(rows.n, np.int64)
    rank[labels[starts]] = np.arange(len(starts))
    return order[np.argsort(rank[labels[order]], kind="stable")]


def _by_depth(G: Any, rows: Compact) -> np.ndarray:
    return _depth_first(rows, None, None, _starts(G, rows)[0])[0]


def _starts(G: Any, rows: Compact) -> tuple[np.ndarray, np.ndarray]:
    """The node that NetworkX's set of each component gives back first, and component labels."""
    if rows.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    sets = nx.utils.backends._registered_algorithms["connected_components"].orig_func(G)
    return rows.ids(next(iter(one)) for one in sets), rows.run("connected_components")


#: The orders of strategies that take no account of colors.
_ORDERS = {
    "largest_first": _by_degree,
    "random_sequential": _at_random,
    "connected_sequential": _by_breadth,
    "connected_sequential_bfs": _by_breadth,
    "connected_sequential_dfs": _by_depth,
}


def _first_fit(control, indptr, targets, order, colors, taken, count):
    for at in range(len(order)):
        if at % 1024 == 0 and not going(control, at):
            return
        u = order[at]
        for e in range(indptr[u], indptr[u + 1]):
            if colors[targets[e]] >= 0:
                taken[colors[targets[e]]] = u
        color = 0
        while taken[color] == u:
            color += 1
        colors[u] = color
    count[0] = len(order)


def _saturated(G: Any, rows: Compact) -> tuple[np.ndarray, np.ndarray]:
    """Nodes in the order in which they get colors, and colors.

    The next node has the most different colors before it, then the greatest degree, then the
    earliest place in the graph.
    """
    n, arcs = rows.n, len(rows.targets)
    ranked = _by_degree(G, rows)
    rank, order, colors = np.empty_like(ranked), np.empty_like(ranked), np.full(n, -1)
    rank[ranked] = np.arange(n)
    pairs = np.zeros(1 << (2 * arcs + 1).bit_length(), np.uint64)  # a node and a color beside it
    seen, heap = np.zeros(n, np.int64), np.empty(n + arcs, np.int64)
    arrays = Arcs(rows.indptr, rows.targets)
    state = (arrays, ranked, rank, seen, heap, pairs, np.full(n + 1, -1), order, colors)
    sequential(_color_saturated, state, steps=n, work=8 * (n + arcs))
    return order, colors


def _put(table, at, key):
    table[at] = key
    return _0


_0, _SPREAD = np.uint64(0), np.uint64(0x9E3779B97F4A7C15)
_rise, _sink = binary_heap(is_less, read, write, inner)
_probe = probing(key_at, _put, is_key, inner, _0)


def _color_saturated(control, rows, ranked, rank, seen, heap, pairs, taken, order, colors):
    (indptr, targets), n, filled, done = rows, len(ranked), 0, 0
    last = np.uint64(len(pairs) - 1)
    for i in range(n):  # an item is (n - colors seen) * n + rank, and the least comes first
        heap[i] = n * n + i
    filled = n
    while done < n:
        if done % 256 == 0 and not going(control, done):
            return
        item, filled = heap[0], filled - 1
        _sink(heap, 0, filled, heap[filled])
        u = ranked[item % n]
        if colors[u] >= 0 or n - item // n != seen[u]:  # it has come earlier, or comes later
            continue
        for e in range(indptr[u], indptr[u + 1]):
            if colors[targets[e]] >= 0:
                taken[colors[targets[e]]] = u
        color = 0
        while taken[color] == u:
            color += 1
        colors[u], order[done] = color, u
        done += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            if colors[v] >= 0:
                continue
            key = np.uint64(v * n + color + 1)
            if _probe(pairs, (key * _SPREAD) & last, last, key)[1] == _0:
                seen[v] += 1
                _rise(heap, filled, (n - seen[v]) * n + rank[v])
                filled += 1
