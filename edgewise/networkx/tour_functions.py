"""Eulerian paths and circuits under NetworkX's names.

The walk takes the edges of a node in the order of a copy of the graph, as NetworkX does.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.offsets import offsets
from edgewise.networkx.compact import Compact, compact
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def is_eulerian(G):
    """Even degrees, or as many edges in as out, and one component."""
    rows = compact(G)
    if rows.directed:
        even = (rows.degrees(G, "in") == rows.degrees(G, "out")).all()
        return bool(even) and nx.is_strongly_connected(G)
    return bool((rows.degrees(G) % 2 == 0).all()) and nx.is_connected(G)


def has_eulerian_path(G, source=None):
    """At most two nodes of odd degree, or that differ in their edges in and out by one."""
    if is_eulerian(G):
        return True
    rows = compact(G)
    if rows.directed:
        surplus = rows.degrees(G, "out") - rows.degrees(G, "in")
        if source is not None and surplus[_at(rows, source)] != 1:
            return False
        few = abs(surplus).max() <= 1 and (surplus == 1).sum() <= 1 and (surplus == -1).sum() <= 1
        return bool(few) and nx.is_weakly_connected(G)
    odd = rows.degrees(G) % 2 == 1
    if source is not None and not odd[_at(rows, source)]:
        return False
    return int(odd.sum()) == 2 and nx.is_connected(G)


def is_semieulerian(G):
    """A path, but no circuit."""
    return has_eulerian_path(G) and not is_eulerian(G)


def eulerian_circuit(G, source=None, keys=False):
    """The edges of a circuit, from its end."""
    if not is_eulerian(G):
        raise nx.NetworkXError("G is not Eulerian.")
    rows = compact(G)
    yield from _walked(G, rows, 0 if source is None else _start(rows, source), keys)


def eulerian_path(G, source=None, keys=False):
    """The edges of a path."""
    if not has_eulerian_path(G, source):
        raise nx.NetworkXError("Graph has no Eulerian paths.")
    rows, whole = compact(G), is_eulerian(G)
    if rows.directed:
        if source is None or not whole:
            start = 0 if whole else _first(rows.degrees(G, "in") - rows.degrees(G, "out"), 1)
        else:
            start = _start(rows, source)
        yield from _walked(G, rows, start, keys)
        return
    if source is None:
        start = 0 if whole else _first(rows.degrees(G) % 2, 1)
    else:
        start = _start(rows, source)
    yield from reversed([(v, u, *key) for u, v, *key in _walked(G, rows, start, keys)])


def _start(rows: Compact, source: Any) -> int:
    """The position of the first node; NetworkX's walk from a missing one ends in this error."""
    at = rows.find(source)
    if at is None:
        raise RuntimeError(f"the graph has no node {source!r}")
    return at


def _at(rows: Compact, node: Any) -> int:
    at = rows.find(node)
    if at is None:
        raise KeyError(node)
    return at


def _first(values: np.ndarray, value: int) -> int:
    return int(np.flatnonzero(values == value)[0])


def _walked(G: Any, rows: Compact, start: int, keys: bool) -> Any:
    """Hierholzer's circuit, from the last edge to the first; against the edges if directed."""
    tails, heads, edges = _copied_rows(rows)
    sums = rows.multiplicity(G)
    sources, targets, _ = rows.graph.edges()
    left = np.ones(len(sources), np.int64)
    if sums is not None:
        left[rows.graph.arc_to_edge] = sums
    total = int(left.sum())
    walk = np.empty((3, total + 1), np.int64)
    stack = np.empty((3, total + 1), np.int64)
    indptr = offsets(np.bincount(tails, minlength=rows.n))
    state = (indptr, heads, edges, left, indptr[:-1].copy(), start, stack, walk)
    sequential(_hierholzer, state, steps=total, work=4 * total)
    nodes, taken = rows.names(walk[0]), zip(walk[1].tolist(), walk[2].tolist(), strict=True)
    pairs = zip(nodes, nodes[1:], strict=False)
    if not keys or not G.is_multigraph():
        return pairs
    ends = [*zip(rows.names(sources), rows.names(targets), strict=True)]
    found = [[*G._adj[u][v]] for u, v in ends]
    return ((u, v, found[edge][-number]) for (u, v), (edge, number) in zip(pairs, taken,
                                                                      strict=False))  # fmt: skip


def _copied_rows(rows: Compact) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tails, heads and edges of the arcs of a copy of the graph, or of its reverse, in order."""
    tails = np.repeat(np.arange(rows.n), np.diff(rows.indptr))
    places = np.arange(len(tails))
    if rows.order is not None:
        places[rows.order] = places.copy()  # the sorted arc of each
    edges, heads = rows.graph.arc_to_edge[places], rows.targets
    if rows.directed:
        sort = np.lexsort((tails, heads))
        return heads[sort], tails[sort].astype(heads.dtype), edges[sort]
    sort = np.lexsort((np.where(heads < tails, heads, rows.n), tails))  # earlier nodes come first
    return tails[sort], heads[sort], edges[sort]


def _hierholzer(control, indptr, targets, edges, left, place, start, stack, walk):
    height, size, steps = 1, 0, 0
    stack[0, 0], stack[1, 0], stack[2, 0] = start, -1, 0
    while height > 0:
        steps += 1
        if steps % 1024 == 0 and not going(control, size):
            return
        u = stack[0, height - 1]
        while place[u] < indptr[u + 1] and left[edges[place[u]]] == 0:
            place[u] += 1
        if place[u] == indptr[u + 1]:
            height -= 1
            walk[0, size], walk[1, size] = u, stack[1, height]
            walk[2, size] = stack[2, height]
            size += 1
            continue
        edge = edges[place[u]]
        stack[0, height], stack[1, height] = targets[place[u]], edge
        stack[2, height] = left[edge]  # counted from the last key
        left[edge] -= 1
        height += 1
