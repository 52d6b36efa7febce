"""Every function of the backend on odd graphs gives NetworkX's results, or its exceptions.

The graphs have no nodes, no edges, self-loops or parallel edges, directed or not. Arguments that
name nodes are also tried with a node that no graph has.
"""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import networkx as nx
import pytest

from edgewise.networkx.dispatch import backend
from tests.networkx.test_functions import (
    ON_GRAPHS,
    OTHER,
    REGISTERED,
    UNORDERED,
    arguments,
    called,
    equal,
    public,
)

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
#: Edges of the graphs on five nodes; the null graph and the graph of one node come besides.
EDGES: dict[str, list[tuple[int, int]]] = {
    "no edges": [],
    "one loop": [(0, 0)],
    "loops": [(0, 0), (0, 1), (1, 1), (1, 2), (4, 4)],
    "loops alone": [(i, i) for i in range(5)],
    "one edge": [(0, 1)],
    "path": [(0, 1), (1, 2), (2, 3), (3, 4)],
    "cycle": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)],
    "parallel": [(0, 1), (0, 1), (1, 2), (2, 0), (2, 2), (2, 2), (3, 4)],
    "both ways": [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3)],
    "complete": [(u, v) for u in range(5) for v in range(u)],
}
#: Parameters that name a node, and those that name several.
ONE = {"source", "target", "n", "_s", "_t", "s", "t", "root", "u", "v"}
SEVERAL = {"nodes", "sources", "nbunch", "S", "C", "center_nodes", "nbunch1", "nodelist", "ebunch"}
MISSING = "missing"


def odd_graphs() -> dict[str, Any]:
    """Odd graphs of all four classes by name."""
    found: dict[str, Any] = {}
    for kind in KINDS:
        found[f"null {kind.__name__}"] = kind()
        found[f"one node {kind.__name__}"] = nx.empty_graph(1, kind)
        for name, edges in EDGES.items():
            graph = nx.empty_graph(5, kind)
            graph.add_edges_from(edges, weight=2, capacity=3)
            nx.set_node_attributes(graph, {i: i % 2 for i in graph}, "kind")
            found[f"{name} {kind.__name__}"] = graph
    return found


def variants(name: str, graph: Any) -> list[dict[str, Any]]:
    """Further arguments: none, and each argument that names nodes with one that is missing."""
    known = inspect.signature(REGISTERED[name].orig_func).parameters
    found: list[dict[str, Any]] = [{}]
    found += [{one: MISSING} for one in known if one in ONE]
    for one in SEVERAL & known.keys():
        several = [(0, MISSING)] if one == "ebunch" else [*graph][:1] + [MISSING]
        found.append({one: {*several} if one == "center_nodes" else several})
    return found


@pytest.mark.parametrize("name", ["dfs_edges", "dfs_tree", "dfs_successors", "global_efficiency"])
def test_missing_sources_and_types_of_numbers(name):
    test_odd_graphs(name)


def test_loops_of_an_independent_set():
    graph = nx.Graph([(0, 0), (0, 1), (2, 2)])
    for seed in range(8):
        ours, theirs = (
            called("maximal_independent_set", graph, where, seed=seed)
            for where in ("edgewise", "networkx")
        )
        assert (ours is nx.NetworkXUnfeasible) == (theirs is nx.NetworkXUnfeasible)


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_GRAPHS)
def test_odd_graphs(name):
    wrong = []
    for kind, graph in odd_graphs().items():
        for more in variants(name, graph):
            if backend.can_run(name, (), arguments(name, graph) | more) is not True:
                continue
            theirs = called(name, graph, "networkx", **more)
            if theirs is NotImplementedError:  # it has the name alone
                continue
            try:  # errors of a generator's first item come too late for NetworkX to do it
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    public(name)(**arguments(name, graph) | more, backend="edgewise")
            except NotImplementedError:
                continue
            except Exception as error:
                ours = type(error)
            else:
                ours = called(name, graph, "edgewise", **more)
            if not agree(name, ours, theirs):
                wrong.append(f"{kind} {more}: {ours!r:.120} and {theirs!r:.120}")
    assert not wrong, "\n".join(wrong[:12])


def agree(name: str, ours: Any, theirs: Any) -> bool:
    """Are two results the same, or two right answers of a function that has several?"""
    if isinstance(ours, type) or isinstance(theirs, type):
        return ours is theirs
    if isinstance(theirs, (int, float)) and not isinstance(ours, type(theirs)):
        return False
    if type(ours).__module__.startswith("edgewise") and not isinstance(ours, (dict, nx.Graph)):
        return False
    if name in OTHER or name == "hits":  # whose greatest singular value may not be single
        return isinstance(ours, type(theirs)) or isinstance(theirs, type(ours))
    if name in UNORDERED and isinstance(theirs, dict):
        theirs = {key: theirs[key] for key in ours}
    return equal(ours, theirs)
