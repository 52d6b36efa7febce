"""Graphs that are made from a graph: closures, reductions, complements, line graphs, matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import kahn
from edgewise.networkx.graph_classes import from_compact, origin, plain
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def transitive_closure(G, reflexive=False):
    """An edge to every node that can be reached, in the order of breadth-first searches."""
    if reflexive not in {None, True, False}:
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    rows, whole = compact(G), origin(G)
    closure = whole.copy()
    for node, reached in _reached(rows, again=reflexive is False and rows.directed):
        more = [*reached, node] if reflexive is True else reached
        closure.add_edges_from((node, one) for one in more if one not in closure._adj[node])
    return closure


def transitive_closure_dag(G, topo_order=None):
    """An edge to every node that can be reached, in a graph without cycles."""
    rows, whole = compact(G), origin(G)
    if len(kahn(rows)[0]) < rows.n:
        raise nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    closure = whole.copy()
    for node, reached in _reached(rows, again=False):
        near = closure._adj[node]
        closure.add_edges_from([(node, one) for one in reached if one not in near])
    return closure


def _reached(rows: Compact, again: bool) -> Iterator[tuple[Any, list[Any]]]:
    """The nodes that each node reaches; with ``again``, also itself if it lies on a cycle."""
    seen, order = np.full(rows.n, -1), np.empty(rows.n + 1, np.int64)
    count = np.zeros(1, np.int64)
    for at, node in enumerate(rows.nodes):
        state = (rows.indptr, rows.targets, at, again, seen, order, count)
        sequential(_spread, state, steps=rows.n, work=len(rows.targets))
        yield node, rows.names(order[1 : count[0]])


def _spread(control, indptr, targets, start, again, seen, order, count):
    order[0] = start
    size, at = 1, 0
    if not again:
        seen[start] = start
    while at < size:
        if at % 1024 == 0 and not going(control, at):
            return
        u = order[at]
        at += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = targets[e]
            if seen[v] != start:
                seen[v], order[size] = start, v
                size += 1
    count[0] = size


def transitive_reduction(G):
    """The edges that no longer path replaces."""
    rows = compact(G)
    if len(kahn(rows)[0]) < rows.n:
        raise nx.NetworkXError("Directed Acyclic Graph required for transitive_reduction")
    return _made(G, rows, rows.run("transitive_reduction"))


def complement(G):
    """An edge between every two nodes that have none."""
    rows = compact(G)
    return _made(G, rows, rows.run("complement"))


def _made(G: Any, rows: Compact, graph: Any) -> Any:
    """A graph with the same nodes, of the kind that the graph was given in."""
    made = from_compact(Compact.of_graph(graph, None if rows.identity else [*rows.nodes]))
    return plain(made) if "_origin" in G.__dict__ else made


def line_graph(G, create_using=None):
    """A graph whose nodes are the edges, joined where they share an end."""
    rows = compact(G)
    graph, (sources, targets, _) = rows.run("line_graph"), rows.graph.edges()
    nodes = [*zip(rows.names(sources), rows.names(targets), strict=True)]
    made = from_compact(Compact.of_graph(graph, nodes))
    return plain(made) if "_origin" in G.__dict__ else made


def to_numpy_array(
    G, nodelist=None, dtype=None, order=None, multigraph_weight=sum, weight="weight", nonedge=0.0
):
    """The adjacency matrix, in the order of the graph."""
    rows = compact(G)
    found = np.full((rows.n, rows.n), nonedge, dtype, order)
    if found.dtype.names:
        raise NotImplementedError("the matrix has several fields")
    if len(rows.targets):
        sources, targets, _ = rows.graph.arcs()
        found[sources, targets] = rows.column(G, weight, 1.0, multigraph_weight)
    return found
