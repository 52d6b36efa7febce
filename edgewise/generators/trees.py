"""Trees: complete ones, filled level by level and numbered as in NetworkX, and random ones."""

from __future__ import annotations

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type
from edgewise.graph import Graph

__all__ = ["balanced_tree", "binary_tree", "random_labeled_tree"]


def balanced_tree(branching: int, height: int) -> Graph:
    """Return the perfectly balanced tree of a given branching factor and height.

    Parameters
    ----------
    branching : int
        The number of children of every inner vertex, at least 1.
    height : int
        The number of levels below the root.

    Returns
    -------
    Graph
        An undirected graph. Vertex 0 is the root.

    Examples
    --------
    >>> balanced_tree(3, 2).num_vertices
    13
    """
    branching = check_count(branching, "branching", least=1, most=MOST_VERTICES)
    n, level = 1, 1
    for _ in range(check_count(height, "height", most=MOST_VERTICES)):
        level *= branching
        n += level
        if n > 2**31:
            raise ValueError(
                f"height must leave at most 2**31 vertices, got {height} with {branching} branches"
            )
    return _tree(n, branching)


def binary_tree(n: int) -> Graph:
    """Return the complete binary tree with ``n`` vertices.

    The children of v are 2v + 1 and 2v + 2.

    Parameters
    ----------
    n : int
        The number of vertices.

    Returns
    -------
    Graph
        An undirected graph. Vertex 0 is the root.

    Examples
    --------
    >>> binary_tree(6).degrees().tolist()
    [2, 3, 2, 1, 1, 1]
    """
    return _tree(check_count(n, "n", most=MOST_VERTICES), 2)


def random_labeled_tree(n: int, *, seed: int = 0) -> Graph:
    """Return a uniform random tree: each of the ``n**(n-2)`` labeled trees is equally likely.

    Parameters
    ----------
    n : int
        The number of vertices, at least 1.
    seed : int
        The same seed gives the same tree for any number of threads.

    Returns
    -------
    Graph
        An undirected, connected graph with n - 1 edges.

    Notes
    -----
    O(n) time on one thread, from a random Prufer code.

    Examples
    --------
    >>> random_labeled_tree(1000).num_edges
    999
    """
    from edgewise.generators.cpu.prufer import decode

    n, key = check_count(n, "n", least=1, most=MOST_VERTICES), check_seed(seed)
    sources, targets = np.empty(n - 1, id_type(n)), np.empty(n - 1, id_type(n))
    if n > 1:
        with threads(1):
            launch(decode, key, np.ones(n, np.int32), sources, targets, work=n)
    return Graph.from_edges(sources, targets, num_vertices=n)


def _tree(n: int, branching: int) -> Graph:
    """The children of v are ``branching * v + 1`` and the next ones, as far as n goes."""
    children = np.arange(1, max(n, 1), dtype=id_type(n))
    return Graph.from_edges((children - 1) // branching, children, num_vertices=n)
