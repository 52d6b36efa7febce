"""All shortest paths, simple paths, and the longest path of an acyclic graph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.offsets import offsets
from edgewise.networkx.compact import Arcs, Compact, compact
from edgewise.networkx.component_functions import kahn
from edgewise.networkx.length_functions import dijkstra
from edgewise.networkx.node_items import lists, some
from edgewise.networkx.search_functions import _breadth_first
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def predecessor(G, source, target=None, cutoff=None, return_seen=None):
    """The neighbors one step closer to the source, for all nodes that it reaches."""
    rows = compact(G)
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"Source {source} not in G")
    order, _, depth = _breadth_first(rows, [at], cutoff or None)
    found = _before(rows, order, depth, np.ones(len(rows.targets), np.int64))
    seen = some(rows, order, depth)
    if target is None:
        return (found, seen) if return_seen else found
    nearer = found.get(target, [])
    return (nearer, seen.get(target, -1)) if return_seen else nearer


def dijkstra_predecessor_and_distance(G, source, cutoff=None, weight="weight"):
    """The neighbors on shortest paths, and the distances."""
    rows = compact(G)
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    lengths = rows.lengths(G, weight)
    order, _, distance, pushed = dijkstra(rows, lengths, np.array([at]), cutoff)
    _, first = np.unique(pushed, return_index=True)
    found = _before(rows, order, distance, lengths, pushed[np.sort(first)])
    return found, some(rows, order, distance)


def _before(rows: Compact, order: Any, distance: Any, lengths: Any, ids: Any = None) -> Any:
    """The tails of arcs that lie on shortest paths, for each head, in the order of the search."""
    rank = np.full(rows.n, rows.n)
    rank[order] = np.arange(len(order))
    tails, heads = np.repeat(np.arange(rows.n), np.diff(rows.indptr)), rows.targets
    reached = rank < rows.n
    chosen = reached[tails] & reached[heads]
    chosen[chosen] = (distance[tails] + lengths == distance[heads])[chosen]
    tails, heads = tails[chosen], heads[chosen]
    sort = np.lexsort((rank[tails], heads))
    ends = offsets(np.bincount(heads, minlength=rows.n))
    return lists(rows, order if ids is None else ids, ends, tails[sort])


def dag_longest_path(G, weight="weight", default_weight=1, topo_order=None):
    """The best predecessor of each node in topological order; of equals, NetworkX's."""
    if len(G) == 0:
        return []
    rows, back = compact(G), compact(G, reverse=True)
    order, _, _ = kahn(rows)
    if len(order) < rows.n:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    found = rows.column(G, weight, default_weight, max)
    if np.isnan(found).any():
        raise NotImplementedError("a weight is NaN")
    heads = np.repeat(np.arange(rows.n), np.diff(back.indptr))
    values = np.empty_like(found)
    values[np.lexsort((heads, back.targets))] = found  # the sorted arcs, in the order of `back`
    length, best = np.zeros(rows.n, found.dtype), np.arange(rows.n)
    state = (back.indptr, back.targets, values, order, length, best)
    sequential(_lengthen, state, steps=rows.n, work=len(values))
    path = [int(order[np.argmax(length[order])])]
    while best[path[-1]] != path[-1]:
        path.append(int(best[path[-1]]))
    return rows.names(path[::-1])


def _lengthen(control, indptr, sources, values, order, length, best):
    for at in range(len(order)):
        if at % 1024 == 0 and not going(control, at):
            return
        v = order[at]
        for e in range(indptr[v], indptr[v + 1]):
            through = length[sources[e]] + values[e]
            if e == indptr[v] or through > length[v]:
                length[v], best[v] = through, sources[e]
        if length[v] < 0:
            length[v], best[v] = 0, v


def all_simple_paths(G, source, target, cutoff=None):
    """Paths that visit no node twice, in the order of a depth-first search."""
    rows = compact(G)
    for path in _simple(rows, G, source, target, cutoff):
        yield rows.names(path)


def all_simple_edge_paths(G, source, target, cutoff=None):
    """The same paths as lists of edges."""
    rows = compact(G)
    for path in _simple(rows, G, source, target, cutoff):
        yield [*pairwise(rows.names(path))]


def _simple(rows: Compact, G: Any, source: Any, target: Any, cutoff: Any) -> Iterator[list[int]]:
    """Paths in batches; the search goes on where it has left off."""
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"source node {source} not in graph")
    if target in G:
        targets = {target}
    else:
        try:
            targets = {*target}
        except TypeError as error:
            raise nx.NodeNotFound(f"target node {target} not in graph") from error
    most = rows.n - 1 if cutoff is None else cutoff
    if most < 0 or not targets:
        return
    if source in targets:
        yield [at]
    if most <= 0 or targets == {source}:
        return
    ends, heads = _parallel(rows, G)
    goal = np.zeros(rows.n, bool)
    goal[rows.ids(node for node in targets if node in G)] = True
    height = int(min(np.ceil(most), rows.n))
    path, place = np.zeros(height + 1, np.int64), np.zeros(height + 1, np.int64)
    on_path = np.zeros(rows.n, bool)
    path[0], place[0], on_path[at] = at, ends[at], True
    state = np.array([1, len(targets) - goal[at], 0])  # height, targets elsewhere, paths
    batch = 16
    while state[0] > 0:
        found, limits = np.empty(max(batch * 16, height + 1), np.int64), np.empty(batch, np.int64)
        arrays = (Arcs(ends, heads), goal, height, path, place, on_path, state, found, limits)
        sequential(_next_paths, arrays, steps=batch, work=1 << 40)
        listed, low = found.tolist(), 0
        for high in limits[: state[2]].tolist():
            yield listed[low:high]
            low = high
        batch = min(4 * batch, 1 << 14)


def _parallel(rows: Compact, G: Any) -> tuple[np.ndarray, np.ndarray]:
    """The rows in NetworkX's order, with each parallel edge."""
    many = rows.multiplicity(G)
    if many is None:
        return rows.indptr, rows.targets
    counts = rows.in_order(many)
    return offsets(counts)[rows.indptr], np.repeat(rows.targets, counts)


def _next_paths(control, rows, goal, most, path, place, on_path, state, found, limits):
    indptr, targets = rows
    height, left, count, filled, steps = state[0], state[1], 0, 0, 0
    while height > 0:
        steps += 1
        if steps % 1024 == 0 and not going(control, count):
            return
        u, e = path[height - 1], place[height - 1]
        if e == indptr[u + 1]:
            height -= 1
            on_path[u] = False
            left += goal[u]
            continue
        v = targets[e]
        if on_path[v]:
            place[height - 1] = e + 1
            continue
        if goal[v]:
            if count == len(limits) or filled + height + 1 > len(found):
                break  # the next call begins here
            for at in range(height):
                found[filled + at] = path[at]
            found[filled + height] = v
            filled += height + 1
            limits[count] = filled
            count += 1
        place[height - 1] = e + 1
        if height < most and left > goal[v]:
            path[height], place[height], on_path[v] = v, indptr[v], True
            left -= goal[v]
            height += 1
    state[0], state[1], state[2] = height, left, count
