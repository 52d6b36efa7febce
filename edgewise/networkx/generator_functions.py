"""Graphs without random numbers under NetworkX's names, made from arrays."""

from __future__ import annotations

from functools import wraps
from itertools import product
from typing import Any

import networkx as nx

from edgewise import generators
from edgewise.networkx.compact import Compact
from edgewise.networkx.graph_classes import Graph, from_compact

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


def _graph(graph: Any, nodes: Any = None, **attributes: Any) -> Any:
    return from_compact(Compact.of_graph(graph, nodes), **attributes)
