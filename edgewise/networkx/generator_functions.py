"""Graphs without random numbers under NetworkX's names, made from arrays."""

from __future__ import annotations

from functools import wraps
from itertools import product
from typing import Any

import networkx as nx
import numpy as np

from edgewise import generators
from edgewise.networkx.compact import Compact
from edgewise.networkx.graph_classes import Graph, adopted, from_compact

__all__: list[str] = []


def _from(least: int):
    """A decorator: graphs with a smaller number are NetworkX's, which has rules of its own."""

    def decorator(function):
        @wraps(function)
        def made(*args, **options):
            numbers = [one for one in (*args, *options.values()) if type(one) is int]
            if numbers and min(numbers) < least:
                original = nx.utils.backends._registered_algorithms[function.__name__].orig_func
                return Graph(original(*args, **options))
            return function(*args, **options)

        return made

    return decorator


@_from(1)
def complete_graph(n, create_using=None):
    """All pairs of nodes."""
    return _graph(generators.complete(n))


@_from(1)
def path_graph(n, create_using=None):
    """Nodes in a row."""
    return _graph(generators.path(n))


@_from(3)
def cycle_graph(n, create_using=None):
    """Nodes in a ring."""
    return _graph(generators.cycle(n))


@_from(1)
def star_graph(n, create_using=None):
    """A center and n others."""
    return _graph(generators.star(n))


@_from(4)
def wheel_graph(n, create_using=None):
    """A center and a ring."""
    return _graph(generators.wheel(n))


@_from(2)
def ladder_graph(n, create_using=None):
    """Two paths with rungs."""
    return _graph(generators.ladder(n))


@_from(3)
def circular_ladder_graph(n, create_using=None):
    """Two rings with rungs."""
    return _graph(generators.circular_ladder(n))


@_from(1)
def balanced_tree(r, h, create_using=None):
    """A tree in which all inner nodes have r children."""
    return _graph(generators.balanced_tree(r, h))


@_from(2)
def barbell_graph(m1, m2, create_using=None):
    """Two cliques, joined by a path."""
    return _graph(generators.barbell(m1, m2))


@_from(2)
def lollipop_graph(m, n, create_using=None):
    """A clique with a path attached to it."""
    return _graph(generators.lollipop(m, n))


@_from(1)
def grid_2d_graph(m, n, periodic=False, create_using=None):
    """A grid whose nodes are pairs."""
    return _graph(generators.grid_2d(m, n), [*product(range(m), range(n))])


def petersen_graph(create_using=None):
    """The Petersen graph."""
    return _graph(generators.petersen(), name="Petersen Graph")


@_from(1)
def empty_graph(n=0, create_using=None, default=nx.Graph):
    """Nodes without edges."""
    return _graph(generators.empty(n))


@_from(1)
def complete_bipartite_graph(n1, n2, create_using=None):
    """All pairs of a node of one side and one of the other."""
    name = f"complete_bipartite_graph({n1}, {n2})"
    sides = {"bipartite": np.repeat([0, 1], [n1, n2])}
    return _graph(generators.complete_bipartite(n1, n2), of_nodes=sides, name=name)


@_from(1)
def turan_graph(n, r):
    """All pairs of nodes of different parts, which differ by at most one node in size."""
    if r > n:
        raise nx.NetworkXError("Must satisfy 1 <= r <= n")
    parts = np.repeat(np.arange(r), [n // r + (part >= r - n % r) for part in range(r)])
    return _graph(generators.turan(n, r), of_nodes={"subset": parts})


def hypercube_graph(n):
    """NetworkX's graph, whose rows have an order of their own."""
    return _original("hypercube_graph", n)


def mycielski_graph(n):
    """NetworkX's graph, whose rows have an order of their own."""
    return _original("mycielski_graph", n)


def kneser_graph(n, k):
    """NetworkX's graph, whose nodes have an order of their own."""
    return _original("kneser_graph", n, k)


def karate_club_graph():
    """NetworkX's graph, with the clubs of its nodes."""
    return _original("karate_club_graph")


def _original(name: str, *args: Any) -> Any:
    return adopted(nx.utils.backends._registered_algorithms[name].orig_func(*args))


def _graph(graph: Any, nodes: Any = None, of_nodes: Any = None, **attributes: Any) -> Any:
    rows = Compact.of_graph(graph, nodes)
    rows.of_nodes.update(of_nodes or {})
    return from_compact(rows, **attributes)
