"""Measures and orders one vertex at a time, and graphs to try them on."""

from __future__ import annotations

import math
from collections import Counter, deque

import numpy as np

from edgewise.generators import planted_partition
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, random_graph, shape


def wide(graph: Graph) -> Graph:
    """The same graph with 64-bit ids."""
    return Graph(graph.indptr, graph.indices.astype(np.int64), directed=graph.directed)


#: Everything odd, both ways, and some graphs of a few hundred vertices.
GRAPHS = {
    **{name: shape(name) for name in SHAPES},
    **{f"{name}, directed": shape(name, directed=True) for name in ("duplicates", "disconnected")},
    "random": random_graph(200, 500, seed=3),
    "random, directed": random_graph(120, 500, directed=True, seed=4),
    "wide ids": wide(random_graph(60, 100, seed=5)),
}


def is_order(graph: Graph, order) -> bool:
    """Each position once, in the type of ids?"""
    given = np.asarray(order)
    right = given.dtype == graph.indices.dtype and given.shape == (graph.num_vertices,)
    return right and sorted(given.tolist()) == list(range(graph.num_vertices))


def neighborhoods(graph: Graph) -> list[list[int]]:
    """The neighbors of every vertex, itself left out, edges read both ways."""
    found: list[set[int]] = [set() for _ in range(graph.num_vertices)]
    for u, v in zip(*(ends.tolist() for ends in graph.arcs()[:2]), strict=True):
        if u != v:
            found[u].add(v)
            found[v].add(u)
    return [sorted(one) for one in found]


def measures(graph: Graph, order=None) -> dict[str, float]:
    """All measures by their definitions."""
    place = range(graph.num_vertices) if order is None else [int(p) for p in order]
    rows = [sorted(place[u] for u in row) for row in neighborhoods(graph)]
    apart = [abs(place[v] - p) for v, row in enumerate(rows) for p in row if place[v] < p]
    gaps = [b - a for row in rows for a, b in zip(row, row[1:], strict=False)]
    some = [row for row in rows if row]

    def span(size: int) -> float:
        return sum(len({p // size for p in row}) for row in some) / max(len(some), 1)

    return {
        "linear_arrangement": sum(apart),
        "log_arrangement": sum(map(math.log2, apart)),
        "bandwidth": max(apart, default=0),
        "profile": sum(max(0, place[v] - row[0]) for v, row in enumerate(rows) if row),
        "linear_gap": sum(gaps),
        "log_gap": sum(map(math.log2, gaps)),
        "line_span": span(8),
        "page_span": span(512),
    }


def components(rows: list[list[int]]) -> list[list[int]]:
    """The components by their smallest vertex."""
    seen: set[int] = set()
    found = []
    for start in range(len(rows)):
        if start not in seen:
            found.append(queue(rows, start, lambda v: v))
            seen.update(found[-1])
    return found


def queue(rows: list[list[int]], start: int, rank) -> list[int]:
    """A breadth-first search by a queue, unseen neighbors by rank, then by id."""
    listed, seen, waiting = [], {start}, deque([start])
    while waiting:
        v = waiting.popleft()
        listed.append(v)
        new = sorted((u for u in rows[v] if u not in seen), key=lambda u: (rank(u), u))
        seen.update(new)
        waiting.extend(new)
    return listed


def depths(rows: list[list[int]], start: int) -> dict[int, int]:
    found = {start: 0}
    for v in queue(rows, start, lambda v: v):
        for u in rows[v]:
            found.setdefault(u, found[v] + 1)
    return found


def places(listed: list[int]) -> list[int]:
    return np.argsort(np.array(listed, np.int64)).tolist()


def breadth_first(graph: Graph) -> list[int]:
    """By a queue, component by component."""
    return places([v for part in components(neighborhoods(graph)) for v in part])


def cuthill_mckee(graph: Graph) -> list[int]:
    """From the ends of all components (George and Liu), by parent, degree and id; reversed."""
    degree, rows = graph.to_undirected().row_lengths().tolist(), neighborhoods(graph)
    parts = components(rows)
    starts, last = [min(part, key=lambda v: (degree[v], v)) for part in parts], [-1] * len(parts)
    tried = []
    for _ in range(3):
        found = [depths(rows, start) for start in starts]
        widths = Counter(level for depth in found for level in depth.values() if level)
        tried.append((max(widths.values(), default=0), starts.copy()))
        if tried[-1][0] > len(rows) / 10:
            break
        deepest = [max(depth.values()) for depth in found]
        grown = [i for i in range(len(parts)) if deepest[i] > last[i]]
        if not grown:
            break
        last = deepest
        for i in grown:
            ends = [v for v in parts[i] if found[i][v] == deepest[i]]
            starts[i] = min(ends, key=lambda v: (degree[v], v))
    chosen = min(tried, key=lambda one: one[0], default=(0, []))[1]
    listed = [v for start in chosen for v in queue(rows, start, degree.__getitem__)]
    return places(listed[::-1])


def mixed_blocks(groups: int = 6, size: int = 60, seed: int = 1) -> tuple[Graph, np.ndarray]:
    """Dense blocks with few edges between them, their vertices shuffled; and the blocks."""
    planted, block = planted_partition(groups, size, p_in=0.3, p_out=0.002, seed=seed)
    order = np.random.default_rng(seed).permutation(groups * size)
    block = block[np.argsort(order)]
    return planted.permute(order), block


def runs(order, block) -> int:
    """How many runs of vertices of one block there are in the order."""
    listed = np.asarray(block)[np.argsort(order)]
    return 1 + int((np.diff(listed) != 0).sum())
