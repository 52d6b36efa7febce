"""Weighted shortest paths and distances under NetworkX's names.

Dijkstra's algorithm follows the rows in NetworkX's order on one thread and settles ties as it does.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from edgewise.graph.arrays import RowArrays
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.node_items import every, paths_to, some
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def multi_source_dijkstra(G, sources, target=None, cutoff=None, weight="weight"):
    """Dijkstra's algorithm; a path is made when it is asked for."""
    rows, starts = _starts(G, sources)
    if target in sources:
        return (0, [target])
    goal = -1 if target is None else rows.find(target)
    order, parent, distance, _ = dijkstra(rows, rows.lengths(G, weight), starts, cutoff, goal)
    if target is None:
        return some(rows, order, distance), paths_to(rows, order, parent)
    if goal is None or len(order) == 0 or order[-1] != goal:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return distance[goal].item(), paths_to(rows, order, parent)[target]


def multi_source_dijkstra_path_length(G, sources, cutoff=None, weight="weight"):
    """Dijkstra's algorithm."""
    rows, starts = _starts(G, sources)
    order, _, distance, _ = dijkstra(rows, rows.lengths(G, weight), starts, cutoff)
    return some(rows, order, distance)


def dijkstra_path_length(G, source, target, weight="weight"):
    """Dijkstra's algorithm, up to the target."""
    rows, starts = _starts(G, {source})
    if source == target:
        return 0
    goal = rows.find(target)
    order, _, distance, _ = dijkstra(rows, rows.lengths(G, weight), starts, None, goal)
    if goal is None or order[-1] != goal:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distance[goal].item()


def _starts(G: Any, sources: Any) -> tuple[Compact, np.ndarray]:
    if not sources:
        raise ValueError("sources must not be empty")
    rows = compact(G)
    for node in sources:
        if rows.find(node) is None:
            raise nx.NodeNotFound(f"Node {node} not found in graph")
    return rows, rows.ids(sources)


def dijkstra(rows: Compact, lengths: Any, starts: Any, cutoff: Any, goal: Any = -1) -> Any:
    """The settled positions in order; the parents; the distances; and all entries of the heap.

    ``lengths`` are over the arcs in NetworkX's order. The search ends at the position ``goal``.
    """
    order, parent = np.empty(rows.n, np.int64), np.full(rows.n, -1)
    distance, count = np.zeros(rows.n, lengths.dtype), np.zeros(2, np.int64)
    most = len(rows.targets) + len(starts)
    heap, keys = np.empty((2, most), np.int64), np.empty(most, lengths.dtype)
    limits = (inf if cutoff is None else float(cutoff), -1 if goal is None else goal)
    search = _Search(order, parent, distance, np.zeros(rows.n, np.int8), heap, keys)
    state = (RowArrays(rows.indptr, rows.targets, lengths), starts, *limits, search, count)
    sequential(_settle, state, steps=rows.n, work=8 * len(rows.targets))
    return order[: count[0]], parent, distance, heap[1, : count[1]]


class _Search(NamedTuple):
    order: np.ndarray
    parent: np.ndarray
    distance: np.ndarray
    stage: np.ndarray
    heap: np.ndarray  #: an entry is a turn, and heap[1, turn] its node
    keys: np.ndarray  #: the distance of a turn


def _settle(control, rows, starts, cutoff, goal, search, count):
    (indptr, targets, lengths), (order, parent, distance, stage, heap, keys) = rows, search
    turn, size, filled = 0, 0, 0
    for u in starts:
        parent[u], distance[u], stage[u] = u, 0, 1
        keys[turn], heap[1, turn] = 0, u
        _rise(heap[0], keys, filled, turn)
        turn, filled = turn + 1, filled + 1
    while filled > 0:
        if size % 1024 == 0 and not going(control, size):
            return
        first = heap[0, 0]
        d, u = keys[first], heap[1, first]
        filled -= 1
        _sink(heap[0], keys, filled, heap[0, filled])
        if stage[u] == 2:
            continue
        stage[u], order[size] = 2, u
        size += 1
        if u == goal:
            break
        for e in range(indptr[u], indptr[u + 1]):
            v, through = targets[e], d + lengths[e]
            if stage[v] < 2 and through <= cutoff and (stage[v] == 0 or through < distance[v]):
                parent[v], distance[v], stage[v] = u, through, 1
                keys[turn], heap[1, turn] = through, v
                _rise(heap[0], keys, filled, turn)
                turn, filled = turn + 1, filled + 1
    count[0], count[1] = size, turn


@inner
def _rise(heap, keys, at, turn):
    while at > 0:
        above = (at - 1) // 2
        if keys[heap[above]] <= keys[turn]:  # of equal distances, the earlier turn
            break
        heap[at], at = heap[above], above
    heap[at] = turn


@inner
def _sink(heap, keys, size, turn):
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and _before(heap[below + 1], heap[below], keys):
            below += 1
        if not _before(heap[below], turn, keys):
            break
        heap[at], at = heap[below], below
    heap[at] = turn


@inner
def _before(turn, other, keys):
    return keys[turn] < keys[other] or (keys[turn] == keys[other] and turn < other)


def average_shortest_path_length(G, weight=None, method=None):
    """All searches at once, by the sums of distances."""
    rows = compact(G)
    if rows.n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if rows.n == 1:
        return 0
    if rows.directed and not nx.is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    if not rows.directed and not nx.is_connected(G):
        raise nx.NetworkXError("Graph is not connected.")
    weight = None if method == "unweighted" else weight
    return float(_sum_of_distances(rows, G, weight)) / (rows.n * (rows.n - 1))


def wiener_index(G, weight=None):
    """The sum of all distances; that of each pair once in an undirected graph."""
    rows = compact(G)
    if not (nx.is_strongly_connected if rows.directed else nx.is_connected)(G):
        return float("inf")
    total = 0 if rows.n == 1 else _sum_of_distances(rows, G, weight)
    return total if rows.directed else total / 2


def _sum_of_distances(rows: Compact, G: Any, weight: Any) -> Any:
    """The sum of the distances of all pairs of a connected graph."""
    graph = rows.weighted(G, weight, combine=min)
    options = {"wf_improved": False, "weights": None if weight is None else "weight"}
    closeness = rows.run("closeness_centrality", graph=graph, **options)
    if not (closeness > 0).all():  # lengths of zero
        raise NotImplementedError("a sum of distances is zero")
    sums = (rows.n - 1) / closeness
    whole = graph.weights is None or graph.weights.dtype.kind == "i"
    return int(np.rint(sums).sum()) if whole else float(sums.sum())


def eccentricity(G, v=None, sp=None, weight=None):
    """Bounds from a few searches, for all nodes at once."""
    rows = compact(G)
    joined = nx.is_strongly_connected if rows.directed else nx.is_connected
    if rows.n == 0 or not (v is None or any(True for _ in G.nbunch_iter(v))):
        return {}
    if not joined(G):
        kind = "digraph is not strongly connected" if rows.directed else "graph is not connected"
        raise nx.NetworkXError(f"Found infinite path length because the {kind}")
    at = None if v is None else rows.find(v) if _hashable(v) else None
    if at is not None:
        return int(_farthest(rows, at))
    found = every(rows, rows.run("eccentricity"))
    return found if v is None else {node: found[node] for node in G.nbunch_iter(v)}


def center(G, e=None, usebounds=False, weight=None):
    """The nodes of least eccentricity, in the order of the graph."""
    if e is None and not G.is_directed() and len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    e = eccentricity(G) if e is None else e
    least = min(e.values())
    return [node for node in e if e[node] == least]


def _farthest(rows: Compact, at: int) -> int:
    distance = rows.run("bfs", at).distance
    return distance.max()


def _hashable(node: Any) -> bool:
    try:
        hash(node)
    except TypeError:
        return False
    return True
