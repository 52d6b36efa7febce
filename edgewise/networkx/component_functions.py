"""Components, acyclic graphs and two-colorable graphs under NetworkX's names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from edgewise.base.heap import binary_heap
from edgewise.base.insertion import is_less, read, write
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.node_items import every
from edgewise.networkx.search_functions import _breadth_first, _depth_first
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def connected_components(G):
    """Sets of nodes, in the order of their first nodes."""
    rows = compact(G)
    yield from groups(rows, rows.run("connected_components"))


def weakly_connected_components(G):
    """Sets of nodes, in the order of their first nodes."""
    rows = compact(G)
    yield from groups(rows, rows.run("weakly_connected_components"))


def strongly_connected_components(G):
    """Sets of nodes, in the order in which a depth-first search leaves them."""
    rows = compact(G)
    yield from groups(rows, _times_left(rows, rows))


def kosaraju_strongly_connected_components(G, source=None):
    """Sets of nodes; those that a search against the edges leaves last come first."""
    rows = compact(G)
    yield from groups(rows, rows.n - _times_left(rows, compact(G, reverse=True)))


def _times_left(rows: Compact, searched: Compact) -> Any:
    """For each node, when a depth-first search leaves the last node of its strong component."""
    labels = rows.run("strongly_connected_components")
    left, last = _depth_first(searched, None, None)[2], np.zeros(rows.n, np.int64)
    np.maximum.at(last, labels[left], np.arange(rows.n))
    return last[labels]


def groups(rows: Compact, labels: Any) -> Iterator[set[Any]]:
    """The sets of nodes with equal labels, in ascending order of the labels."""
    labels = np.asarray(labels)
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order], append=-1)) + 1
    names, low = rows.names(order), 0
    for high in ends.tolist():
        yield {*names[low:high]}
        low = high


def number_connected_components(G):
    """The number of labels."""
    return _number(G, "connected_components")


def number_weakly_connected_components(G):
    """The number of labels."""
    return _number(G, "weakly_connected_components")


def number_strongly_connected_components(G):
    """The number of labels."""
    return _number(G, "strongly_connected_components")


def is_connected(G):
    """True if there is one label."""
    return _single(G, "connected_components")


def is_weakly_connected(G):
    """True if there is one label."""
    return _single(G, "weakly_connected_components")


def is_strongly_connected(G):
    """True if there is one label."""
    return _single(G, "strongly_connected_components")


def _number(G: Any, algorithm: str) -> int:
    rows = compact(G)  # a label is the smallest vertex of its component
    return int((rows.run(algorithm) == np.arange(rows.n)).sum())


def _single(G: Any, algorithm: str) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number(G, algorithm) == 1


def node_connected_component(G, n):
    """What a breadth-first search reaches."""
    rows = compact(G)
    at = rows.find(n)
    if at is None:
        raise KeyError(n)
    return {*rows.names(_breadth_first(rows, [at])[0])}


def is_tree(G):
    """Connected, with one edge less than nodes."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    joined = is_weakly_connected if G.is_directed() else is_connected
    return len(G) - 1 == G.number_of_edges() and joined(G)


def is_forest(G):
    """As many edges as nodes without components."""
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return G.number_of_edges() == len(G) - _number(G, "weakly_connected_components")


def biconnected_components(G):
    """Sets of nodes, in the order of their first edges."""
    rows = compact(G)
    for edges in _blocks(rows):
        sources, targets, _ = rows.graph.edges()
        yield {*rows.names(np.concatenate([sources[edges], targets[edges]]))}


def biconnected_component_edges(G):
    """Lists of edges, in the order of their first edges."""
    rows = compact(G)
    if rows.graph.num_self_loops:
        raise NotImplementedError("the graph has loops")
    sources, targets, _ = rows.graph.edges()
    names = rows.names
    return ([*zip(names(sources[edges]), names(targets[edges]), strict=True)]
            for edges in _blocks(rows))  # fmt: skip


def is_biconnected(G):
    """True if one component holds all nodes."""
    rows = compact(G)
    blocks = [*_blocks(rows)]
    sources, targets, _ = rows.graph.edges()
    return len(blocks) == 1 and len({*sources[blocks[0]].tolist(), *targets[blocks[0]].tolist()}) == rows.n  # fmt: skip  # noqa: E501


def _blocks(rows: Compact) -> list[np.ndarray]:
    """The edges of each biconnected component."""
    labels = rows.run("biconnected_components")
    order = np.argsort(labels, kind="stable")
    order = order[labels[order] >= 0]
    return [one for one in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1) if len(one)]


def articulation_points(G):
    """The nodes of the mask, in the order of the graph."""
    rows = compact(G)
    yield from rows.names(np.flatnonzero(rows.run("articulation_points")))


def bridges(G, root=None):
    """The edges of the mask, in the order of ``G.edges``, without parallel edges."""
    rows = compact(G)
    found, many = rows.run("bridges"), rows.multiplicity(G)
    sources, targets, places = rows.edges()
    chosen = found[rows.graph.arc_to_edge[places]] if len(places) else np.zeros(0, bool)
    if many is not None:
        chosen = chosen & (many[places] == 1)
    yield from zip(rows.names(sources[chosen]), rows.names(targets[chosen]), strict=True)


def has_bridges(G, root=None):
    """True if there is a bridge."""
    return next(bridges(G), None) is not None


def bridge_components(G):
    """Sets of nodes that stay connected without any one edge."""
    rows = compact(G)
    yield from groups(rows, rows.run("two_edge_connected_components"))


def isolates(G):
    """The nodes of degree zero."""
    rows = compact(G)
    return iter(rows.names(np.flatnonzero(rows.degrees(G) == 0)))


def number_of_isolates(G):
    """The number of nodes of degree zero."""
    return int((compact(G).degrees(G) == 0).sum())


def number_of_selfloops(G):
    """The number of loops, parallel ones each."""
    rows = compact(G)
    sources, targets, _ = rows.graph.arcs()
    many, loops = rows.multiplicity(G), sources == targets
    return int(loops.sum() if many is None else many[loops].sum())


def topological_generations(G):
    """Kahn's algorithm in the order of the rows."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    order, depth, n = kahn(compact(G))
    ends = np.cumsum(np.bincount(depth[order]))
    names, low = compact(G).names(order), 0
    for high in ends.tolist():
        yield names[low:high]
        low = high
    if len(order) < n:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


def has_cycle(G):
    """True if Kahn's algorithm leaves nodes."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    order, _, n = kahn(compact(G))
    return len(order) < n


def is_directed_acyclic_graph(G):
    """True if Kahn's algorithm leaves no nodes."""
    return G.is_directed() and not has_cycle(G)


def kahn(rows: Compact) -> tuple[np.ndarray, np.ndarray, int]:
    """A topological order, without nodes behind cycles; the generation of each; and n."""
    order, count, depth = np.empty(rows.n, np.int64), np.zeros(1, np.int64), np.zeros(rows.n, int)
    waiting = np.bincount(rows.targets, minlength=rows.n)
    state = (rows.indptr, rows.targets, waiting, order, depth, count)
    sequential(_peel, state, steps=rows.n, work=len(rows.targets))
    return order[: count[0]], depth, rows.n


def _peel(control, indptr, targets, waiting, order, depth, count):
    size = 0
    for u in range(len(waiting)):
        if waiting[u] == 0:
            order[size] = u
            size += 1
    at = 0
    while at < size:
        if at % 1024 == 0 and not going(control, at):
            return
        u = order[at]
        at += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            waiting[v] -= 1
            if waiting[v] == 0:
                order[size], depth[v] = v, depth[u] + 1
                size += 1
    count[0] = size


def lexicographical_topological_sort(G, key=None):
    """Kahn's algorithm with a heap of ranks."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    rows = compact(G)
    keys = [*rows.nodes] if key is None else [*map(key, rows.nodes)]
    ranked = np.array(sorted(range(rows.n), key=keys.__getitem__), np.int64)
    rank, order, count = np.empty_like(ranked), np.empty_like(ranked), np.zeros(1, np.int64)
    rank[ranked] = np.arange(rows.n)
    waiting = np.bincount(rows.targets, minlength=rows.n)
    state = (rows.indptr, rows.targets, waiting, rank, ranked, np.empty_like(rank), order, count)
    sequential(_peel_first, state, steps=rows.n, work=4 * len(rows.targets))
    yield from rows.names(order[: count[0]])
    if count[0] < rows.n:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")


_rise, _sink = binary_heap(is_less, read, write, inner)


def _peel_first(control, indptr, targets, waiting, rank, ranked, heap, order, count):
    filled, size = 0, 0
    for u in range(len(waiting)):
        if waiting[u] == 0:
            _rise(heap, filled, rank[u])
            filled += 1
    while filled > 0:
        if size % 1024 == 0 and not going(control, size):
            return
        u = ranked[heap[0]]
        filled -= 1
        _sink(heap, 0, filled, heap[filled])
        order[size] = u
        size += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            waiting[v] -= 1
            if waiting[v] == 0:
                _rise(heap, filled, rank[v])
                filled += 1
    count[0] = size


def is_bipartite(G):
    """True if there are two sides."""
    return bool(compact(G).run("is_bipartite"))


def color(G):
    """One for the side of the first node of a component, zero for the other and for isolates."""
    rows = compact(G)
    sides = rows.run("bipartition").sides
    if sides is None:
        raise nx.NetworkXError("Graph is not bipartite.")
    starts = np.flatnonzero(np.diff(rows.indptr) > 0)
    if rows.directed:
        labels = rows.run("weakly_connected_components")
    else:
        labels = rows.run("connected_components")
    first = np.arange(rows.n)  # of each component, the first node with successors
    first[labels[starts[::-1]]] = starts[::-1]
    alone = np.bincount(labels, minlength=rows.n)[labels] == 1
    return every(rows, ((sides == sides[first[labels]]) & ~alone).astype(np.int64))
