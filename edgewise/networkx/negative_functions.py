"""Shortest paths with negative lengths under NetworkX's names.

The searches follow the rows in NetworkX's order on one thread and settle ties as it does.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.arrays import RowArrays
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.length_functions import dijkstra
from edgewise.networkx.node_items import lists, paths_to, some
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []

_CYCLE = "Negative cycle detected."


def bellman_ford_predecessor_and_distance(
    G, source, target=None, weight="weight", heuristic=False
):  # fmt: skip
    """The neighbors on shortest paths, and the distances."""
    rows = compact(G)
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    lengths = rows.lengths(G, weight, signed=True)
    tails = np.repeat(np.arange(rows.n), np.diff(rows.indptr))
    if (lengths[tails == rows.targets] < 0).any():
        raise nx.NetworkXUnbounded(_CYCLE)
    if rows.n == 1:
        return {source: []}, {source: 0}
    found = _relaxed(rows, lengths, np.array([at]), bool(heuristic))
    before = lists(rows, found.order, found.indptr, found.before)
    return before, some(rows, found.order, found.distance)


def single_source_bellman_ford(G, source, target=None, weight="weight"):
    """The distances and paths, or those of the target; a path is made when it is asked for."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return (0, [source])
    rows, found = _from(G, source, weight)
    parent = np.full(rows.n, -1)
    many = np.diff(found.indptr) > 0
    parent[many] = found.before[found.indptr[:-1][many]]
    parent[found.order[0]] = -1
    _check_tree(parent)
    distance, paths = some(rows, found.order, found.distance), paths_to(rows, found.order, parent)
    if target is None:
        return distance, paths
    if target not in distance:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return distance[target], paths[target]


def single_source_bellman_ford_path_length(G, source, weight="weight"):
    """The distances."""
    rows, found = _from(G, source, weight)
    return some(rows, found.order, found.distance)


def bellman_ford_path_length(G, source, target, weight="weight"):
    """The distance of the target."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        return 0
    distance = single_source_bellman_ford_path_length(G, source, weight)
    if target not in distance:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return distance[target]


def negative_edge_cycle(G, weight="weight", heuristic=True):
    """A search from all nodes at once finds every negative cycle."""
    rows = compact(G)
    if not len(rows.targets):
        return False
    lengths = rows.lengths(G, weight, signed=True)
    try:
        _relaxed(rows, lengths, np.arange(rows.n), bool(heuristic))
    except nx.NetworkXUnbounded:
        return True
    return False


def find_negative_cycle(G, source, weight="weight"):
    """The cycle that NetworkX's walk along the predecessors finds, its first node again at last."""
    rows = compact(G)
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"Source {source} not in G")
    lengths, start = rows.lengths(G, weight, signed=True), np.array([at])
    last, found = _searched(rows, lengths, start, True)
    if last < 0:
        raise nx.NetworkXError("No negative cycles detected.")
    ends = found.indptr.tolist()

    def before(v: int) -> list[int]:
        return found.before[ends[v] : ends[v + 1]].tolist()

    cycle, seen, stack = list[int](), {last}, [(last, before(last))]
    while stack:
        node, waiting = stack[-1]
        if last in waiting:
            return rows.names([last, node, *cycle[::-1]])
        if waiting:
            if (up := waiting.pop()) not in seen:
                stack.append((up, before(up)))
                cycle.append(node)
                seen.add(up)
        else:
            stack.pop()
            if not cycle:
                break
            cycle.pop()
    raise NotImplementedError("the predecessors lead to no cycle")


def johnson(G, weight="weight"):
    """Dijkstra's algorithm from every node, with lengths that a first search makes positive."""
    rows = compact(G)
    lengths = rows.lengths(G, weight, signed=True)
    if rows.n == 0:
        return {}
    level = _relaxed(rows, lengths, np.arange(rows.n), True).distance
    tails = np.repeat(np.arange(rows.n), np.diff(rows.indptr))
    reduced = lengths + level[tails] - level[rows.targets]
    if not (reduced >= 0).all():
        raise NotImplementedError("a reduced length is negative by rounding")
    result = {}
    for at, node in enumerate(rows.nodes):
        order, parent, _, _ = dijkstra(rows, reduced, np.array([at]), None)
        result[node] = paths_to(rows, order, parent)
    return result


class _Found(NamedTuple):
    """What a search found: positions in order, distances, and rows of predecessors."""

    order: np.ndarray
    distance: np.ndarray
    indptr: np.ndarray
    before: np.ndarray


def _from(G: Any, source: Any, weight: Any) -> tuple[Compact, _Found]:
    rows = compact(G)
    at = rows.find(source)
    if at is None:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return rows, _relaxed(rows, rows.lengths(G, weight, signed=True), np.array([at]), True)


def _check_tree(parent: np.ndarray) -> None:
    """Refuse first predecessors that form a cycle: one of length zero."""
    up = np.where(parent < 0, np.arange(len(parent)), parent)
    for _ in range(len(parent).bit_length()):
        up = up[up]
    if (parent[up] >= 0).any():
        raise NotImplementedError("a cycle has length zero")


def _relaxed(rows: Compact, lengths: np.ndarray, starts: np.ndarray, guess: bool) -> _Found:
    """What a search finds, if there is no negative cycle."""
    last, found = _searched(rows, lengths, starts, guess)
    if last >= 0:
        raise nx.NetworkXUnbounded(_CYCLE)
    return found


def _searched(rows: Compact, lengths: Any, starts: Any, guess: bool) -> tuple[int, _Found]:
    """Bellman and Ford's algorithm by a queue, as NetworkX runs it.

    Returned is also the node at which a negative cycle was noticed, or -1.
    """
    n, capacity = rows.n, len(rows.targets) + rows.n + 1024
    order, distance = np.empty(n, np.int64), np.zeros(n, lengths.dtype)
    count = np.array([0, -1])
    links = _Links(np.full((2, n), -1), np.empty((2, capacity), np.int64), np.full((3, n), -1))
    queue, passes = np.empty(n, np.int64), np.zeros(n, np.int64)
    search = _Search(order, distance, np.zeros(n, np.int8), queue, passes)
    ends, before = np.zeros(n, np.int64), np.empty(capacity, np.int64)
    arcs = RowArrays(rows.indptr, rows.targets, lengths)
    state = (arcs, starts, guess, search, links, ends, before, count)
    sequential(_relax, state, steps=n, work=16 * len(rows.targets))
    if count[1] < -1:
        raise NotImplementedError("a node has too many predecessors")
    indptr = offsets(ends)
    return int(count[1]), _Found(order[: count[0]], distance, indptr, before[: indptr[-1]])


class _Search(NamedTuple):
    order: np.ndarray
    distance: np.ndarray
    stage: np.ndarray  #: 1 for nodes with a distance, 3 in the queue
    queue: np.ndarray
    passes: np.ndarray


class _Links(NamedTuple):
    chain: np.ndarray  #: the first and last links of the predecessors of a node
    link: np.ndarray  #: predecessors, and the next links
    recent: np.ndarray


def _relax(control, rows, starts, guess, search, links, ends, before, count):
    (indptr, targets, lengths), (chain, link, recent) = rows, links
    order, distance, stage, queue, passes = search
    n, capacity = len(distance), link.shape[1]
    size, low, filled, free, used, steps = 0, 0, 0, -1, 0, 0
    for u in starts:
        stage[u], order[size], queue[size] = 3, u, u
        size += 1
    filled = size
    while filled > 0 and count[1] < 0:
        steps += 1
        if steps % 256 == 0 and not going(control, steps):
            return
        u = queue[low]
        low, filled = (low + 1) % n, filled - 1
        stage[u] = 1
        at = chain[0, u]
        while at >= 0 and stage[link[0, at]] != 3:
            at = link[1, at]
        if at >= 0:  # a predecessor is in the queue
            continue
        here = distance[u]
        for e in range(indptr[u], indptr[u + 1]):
            v, through = targets[e], here + lengths[e]
            shorter = through < distance[v] if stage[v] > 0 else through < np.inf
            if not shorter and (stage[v] == 0 or through != distance[v]):
                continue
            cycle = guess and shorter and (recent[0, u] == v or recent[1, u] == v)
            if shorter and not cycle:
                if guess:
                    if recent[2, v] == u:
                        recent[0, v], recent[1, v] = recent[0, u], recent[1, u]
                    else:
                        recent[0, v], recent[1, v] = u, v
                if stage[v] != 3:
                    if passes[v] + 1 == n:
                        count[1] = v
                        break
                    passes[v] += 1
                    queue[(low + filled) % n] = v
                    filled += 1
                if stage[v] == 0:
                    order[size] = v
                    size += 1
                stage[v], distance[v], recent[2, v] = 3, through, u
                if chain[0, v] >= 0:  # the links can be used again
                    link[1, chain[1, v]], free = free, chain[0, v]
                    chain[0, v] = -1
            if free >= 0:
                at, free = free, link[1, free]
            elif used < capacity:
                at, used = used, used + 1
            else:
                count[1] = -2
                return
            link[0, at], link[1, at] = u, -1
            if chain[0, v] < 0:
                chain[0, v] = at
            else:
                link[1, chain[1, v]] = at
            chain[1, v] = at
            if cycle:
                count[1] = v
                break
    count[0], used = size, 0
    for v in range(n):
        at = chain[0, v]
        while at >= 0:
            before[used] = link[0, at]
            used, ends[v], at = used + 1, ends[v] + 1, link[1, at]


def floyd_warshall(G, weight="weight"):
    """The distances of all pairs, infinite ones too."""
    return floyd_warshall_predecessor_and_distance(G, weight)[1]


def floyd_warshall_predecessor_and_distance(G, weight="weight"):
    """The predecessors and distances of all pairs, by three nested loops."""
    rows = compact(G)
    n, nodes = rows.n, [*rows.nodes]
    lengths = rows.in_order(rows.column(G, weight, 1.0, min))
    whole = lengths.dtype.kind == "i"
    if not (np.isfinite(lengths).all() and (not whole or abs(lengths).sum() < 2**53)):
        raise NotImplementedError(f"the edge attribute {weight!r} is not finite")
    tails, heads, _ = rows.edges()
    sources = np.repeat(np.arange(n), np.diff(rows.indptr))
    distance, before = np.full((n, n), np.inf), np.full((n, n), -1)
    distance[sources, rows.targets] = lengths
    before[sources, rows.targets] = sources
    loops = np.diagonal(distance).copy()
    np.fill_diagonal(distance, np.minimum(loops, 0))
    since = np.where(before >= 0, -1, n)
    sequential(_nest, (distance, before, since), steps=n, work=n * n * n)
    keys = np.column_stack([tails, heads]).ravel() if not rows.directed else tails
    keyed = [*dict.fromkeys(keys.tolist())]
    inserted: dict[int, dict[int, None]] = {at: {} for at in range(n)}
    for u, v in zip(tails.tolist(), heads.tolist(), strict=True):
        inserted[u][v] = None
        if not rows.directed:
            inserted[v][u] = None
    result = {node: _row(nodes, u, distance[u], whole, inserted[u])
              for u, node in enumerate(nodes)}  # fmt: skip
    paths = {}
    for u in keyed:
        later = np.flatnonzero((before[u] >= 0) & (since[u] >= 0))
        later = later[np.argsort(since[u][later], kind="stable")]
        path = [*inserted[u], *later.tolist()]
        paths[nodes[u]] = {nodes[v]: nodes[before[u, v]] for v in path}
    return paths, result


def _row(nodes: list[Any], at: int, values: np.ndarray, whole: bool, inserted: Any) -> Any:
    """The distances from one node: itself, its neighbors, and the others."""
    listed: list[Any] = values.tolist()
    if whole:
        listed = [one if one == np.inf else int(one) for one in listed]
    elif listed[at] == 0:
        listed[at] = 0
    order = {at: None} | inserted | dict.fromkeys(range(len(nodes)))
    return defaultdict(lambda: float("inf"), ((nodes[v], listed[v]) for v in order))


def _nest(control, distance, before, since):
    n = len(distance)
    for w in range(n):
        for u in range(n):
            if u % 64 == 0 and not going(control, w):
                return
            if distance[u, w] == np.inf:
                continue
            for v in range(n):
                through = distance[u, w] + distance[w, v]
                if distance[u, v] > through:
                    distance[u, v] = through
                    before[u, v] = before[w, v]
                    if since[u, v] == n:
                        since[u, v] = w
