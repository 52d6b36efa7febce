"""Breadth-first and depth-first search, and unweighted shortest paths, under NetworkX's names.

The searches follow the rows in NetworkX's order, on one thread: they find the same trees as
NetworkX, in the same order.
"""

from __future__ import annotations

from math import ceil, inf
from typing import Any

import networkx as nx
import numpy as np

from edgewise.networkx.compact import Arcs, Compact, compact
from edgewise.networkx.node_items import paths_to, some
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def bfs_edges(G, source, reverse=False, depth_limit=None, sort_neighbors=None):
    """Breadth-first search in the order of the rows."""
    rows = compact(G, reverse)
    order, parent, _ = _breadth_first(rows, [_present(rows, source)], depth_limit)
    yield from zip(rows.names(parent[order[1:]]), rows.names(order[1:]), strict=True)


def bfs_layers(G, sources):
    """The layers of a breadth-first search."""
    rows = compact(G)
    try:
        single = sources in G
    except TypeError:
        single = False
    nodes = [sources] if single else list(set(sources))
    order, _, depth = _breadth_first(rows, [_present(rows, node) for node in nodes])
    ends = np.cumsum(np.bincount(depth[order]))
    low = 0
    for high in ends.tolist():
        yield rows.names(order[low:high])
        low = high


def descendants_at_distance(G, source, distance):
    """One layer of a breadth-first search."""
    rows = compact(G)
    order, _, depth = _breadth_first(rows, [_present(rows, source)], distance)
    return {*rows.names(order[depth[order] == distance])}


def descendants(G, source):
    """What a breadth-first search reaches."""
    return _reached(compact(G), source)


def ancestors(G, source):
    """What a breadth-first search against the edges reaches."""
    return _reached(compact(G, reverse=True), source)


def _reached(rows: Compact, source: Any) -> set[Any]:
    order, _, _ = _breadth_first(rows, [_present(rows, source)])
    return {*rows.names(order[1:])}


def single_source_shortest_path_length(G, source, cutoff=None):
    """Breadth-first search."""
    rows = compact(G)
    order, _, depth = _search(rows, source, cutoff, f"Source {source} is not in G")
    return some(rows, order, depth)


def single_target_shortest_path_length(G, target, cutoff=None):
    """Breadth-first search against the edges."""
    rows = compact(G, reverse=True)
    order, _, depth = _search(rows, target, cutoff, f"Target {target} is not in G")
    return some(rows, order, depth)


def single_source_shortest_path(G, source, cutoff=None):
    """Breadth-first search; a path is made when it is asked for."""
    rows = compact(G)
    order, parent, _ = _search(rows, source, cutoff, f"Source {source} not in G")
    return paths_to(rows, order, parent)


def single_target_shortest_path(G, target, cutoff=None):
    """Breadth-first search against the edges; a path is made when it is asked for."""
    rows = compact(G, reverse=True)
    order, parent, _ = _search(rows, target, cutoff, f"Target {target} not in G")
    return paths_to(rows, order, parent, backward=True)


def all_pairs_shortest_path_length(G, cutoff=None):
    """A breadth-first search from every node."""
    for node in G:
        yield node, single_source_shortest_path_length(G, node, cutoff)


def all_pairs_shortest_path(G, cutoff=None):
    """A breadth-first search from every node."""
    for node in G:
        yield node, single_source_shortest_path(G, node, cutoff)


def _search(rows: Compact, node: Any, cutoff: Any, message: str) -> Any:
    at = rows.find(node)
    if at is None:
        raise nx.NodeNotFound(message)
    return _breadth_first(rows, [at], cutoff)


def _present(rows: Compact, node: Any) -> int:
    at = rows.find(node)
    if at is None:
        raise nx.NetworkXError(f"The node {node} is not in the graph.")
    return at


def _breadth_first(rows: Compact, starts: list[int], limit: Any = None) -> Any:
    """The positions that are reached, in order; the parent and depth of all, or -1."""
    deepest = rows.n if limit is None or limit == inf else max(0, min(ceil(limit), rows.n))
    order, count = np.empty(rows.n, np.int64), np.zeros(1, np.int64)
    parent, depth = np.full(rows.n, -1), np.full(rows.n, -1)
    state = (rows.indptr, rows.targets, np.array(starts, np.int64), deepest, order, parent, depth)
    sequential(_walk_wide, (*state, count), steps=rows.n, work=len(rows.targets))
    return order[: count[0]], parent, depth


def _walk_wide(control, indptr, targets, starts, deepest, order, parent, depth, count):
    size = 0
    for u in starts:
        if depth[u] < 0:
            parent[u], depth[u], order[size] = u, 0, u
            size += 1
    at = 0
    while at < size:
        if at % 1024 == 0 and not going(control, at):
            return
        u = order[at]
        at += 1
        if depth[u] >= deepest:
            break
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            if depth[v] < 0:
                parent[v], depth[v], order[size] = u, depth[u] + 1, v
                size += 1
    count[0] = size


def dfs_edges(G, source=None, depth_limit=None, *, sort_neighbors=None):
    """Depth-first search in the order of the rows."""
    rows = compact(G)
    order, parent, _ = _depth_first(rows, source, depth_limit)
    inner = order[parent[order] != order]
    yield from zip(rows.names(parent[inner]), rows.names(inner), strict=True)


def dfs_preorder_nodes(G, source=None, depth_limit=None, *, sort_neighbors=None):
    """The order in which a depth-first search reaches nodes."""
    rows = compact(G)
    yield from rows.names(_depth_first(rows, source, depth_limit)[0])


def dfs_postorder_nodes(G, source=None, depth_limit=None, *, sort_neighbors=None):
    """The order in which a depth-first search leaves nodes."""
    rows = compact(G)
    yield from rows.names(_depth_first(rows, source, None)[2])


def _depth_first(rows: Compact, source: Any, limit: Any, starts: Any = None) -> Any:
    """The positions that are reached, in order; the parents; and the order of leaving.

    Without a source, the searches begin at all ``starts``, one after the other.
    """
    if source is None:
        starts = np.arange(rows.n) if starts is None else starts
    else:
        starts = np.array([_present(rows, source)])
    order, after, stack = (np.empty(rows.n, np.int64) for _ in range(3))
    parent, count = np.full(rows.n, -1), np.zeros(2, np.int64)
    deepest = rows.n if limit is None else int(limit)
    arcs, place = Arcs(rows.indptr, rows.targets), rows.indptr[:-1].copy()
    state = (arcs, starts, deepest, order, after, parent, stack, place, count)
    sequential(_walk_deep, state, steps=rows.n, work=len(rows.targets))
    return order[: count[0]], parent, after[: count[1]]


def _walk_deep(control, rows, starts, deepest, order, after, parent, stack, place, count):
    indptr, targets = rows
    size, left = 0, 0
    for start in starts:
        if parent[start] >= 0:
            continue
        parent[start], order[size], stack[0] = start, start, start
        size += 1
        height = 1
        while height > 0:
            u = stack[height - 1]
            e = place[u]
            if e == indptr[u + 1]:
                height -= 1
                after[left] = u
                left += 1
                continue
            place[u] = e + 1
            v = targets[e]
            if parent[v] < 0:
                if size % 1024 == 0 and not going(control, size):
                    return
                parent[v], order[size] = u, v
                size += 1
                if height < deepest:
                    stack[height] = v
                    height += 1
    count[0], count[1] = size, left
