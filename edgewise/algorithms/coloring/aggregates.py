"""Aggregates for multigrid: groups around vertices that are at least three edges apart [1].

The roots are a maximal set of vertices at distance 3 or more from one another: a distance-2 maximal
independent set, by fixed priorities as in `maximal_independent_set`. A neighbor of a root has only
that root. Every other vertex is two edges from a root, and joins the group to which most of its
neighbors belong.

key[v] is the position of an undecided v. It is 0 for a root, and the largest number once a root is
near. Each round is linear in the edges.

[1] B. Kelley, S. Rajamanickam. Parallel, portable algorithms for distance-2 maximal independent set
    and graph coarsening. IPDPS 2022.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.independence.maximal_independent_set import in_order
from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, MIN, compute, filter, reduce_neighbors

__all__ = ["aggregates"]

_ROOT, _OUT = 0, (1 << 63) - 1


@takes_graph
def aggregates(graph: GraphLike, *, seed: int = 0) -> Any:
    """Return the aggregate of each vertex, named by its root: groups for algebraic multigrid.

    Roots are at least three edges apart. Every group has one root and all neighbors of the root. A
    vertex two edges from the nearest root joins the group of most of its neighbors.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    seed : int
        Seed of the priorities. The same seed gives the same groups on every engine and for any
        number of threads.

    Returns
    -------
    array of int64 over vertices
        The root of each vertex. A root is its own root. `Graph.contract` accepts this array.

    Raises
    ------
    ValueError
        If the graph is directed.

    See Also
    --------
    maximal_independent_set : Vertices at distance 2 or more from each other.
    distance_2 : A coloring whose classes have vertices at distance 3 or more.

    Notes
    -----
    O(n + m) time per round. On most graphs there are O(log n) rounds.

    References
    ----------
    B. Kelley, S. Rajamanickam. Parallel, portable algorithms for distance-2 maximal independent set
    and graph coarsening. IPDPS 2022.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> mesh = grid_2d(30, 30)
    >>> groups = aggregates(mesh)
    >>> coarse = mesh.contract(groups).graph
    >>> mesh.num_vertices, coarse.num_vertices
    (900, 131)
    """
    check_undirected(graph, "aggregates")
    ids = graph.vertex_ids()
    key = in_order(graph, graph.row_lengths(), seed)
    near, first = graph.full(0, np.int64), graph.full(0, np.int64)
    waiting = filter(graph, None, _undecided, key)
    while not waiting.empty():
        reduce_neighbors(graph, None, _same, key, reduce=MIN, out=near)
        compute(graph, None, _own_too, (near, key))
        reduce_neighbors(graph, waiting, _same, near, reduce=MIN, out=first)
        compute(graph, waiting, _decide, (key, near, first))
        waiting = filter(graph, waiting, _undecided, key)
    roots, label = graph.full(_OUT, np.int64), graph.full(_OUT, np.int64)
    compute(graph, None, _name_root, (roots, key, ids))
    reduce_neighbors(graph, None, _same, roots, reduce=MIN, out=label)
    compute(graph, None, _join, (label, roots))
    rest = filter(graph, None, _alone, label)
    votes: dict[str, Any] = {"reduce": ADD, "key": label, "choose": _rated}
    found = reduce_neighbors(graph, rest, _one, label, **votes)
    compute(graph, rest, _take, (label, found.key))
    return label


def _same(value):
    return value


def _one():
    return 1


def _rated(total, key):
    return -1.0 if key < 0 else float(total)


def _own_too(v, near, key):
    near[v] = min(near[v], key[v])


def _decide(v, key, near, first):
    least = min(first[v], near[v])
    if least == key[v]:
        key[v] = _ROOT
    elif least == _ROOT:
        key[v] = _OUT


def _undecided(v, key):
    return key[v] != _ROOT and key[v] != _OUT


def _name_root(v, roots, key, ids):
    if key[v] == _ROOT:
        roots[v] = ids[v]


def _join(v, label, roots):
    if roots[v] != _OUT:
        label[v] = roots[v]
    elif label[v] == _OUT:
        label[v] = -1


def _alone(v, label):
    return label[v] < 0


def _take(v, label, key):
    label[v] = key[v]
