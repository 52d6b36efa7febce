"""Fill-in: the number of edges that elimination in an order adds, without adding them.

Eliminating a vertex makes its later neighbors pairwise adjacent, as in the Cholesky factorization
of a symmetric matrix. The factor has one entry below the diagonal for every edge and every added
edge. The entries are counted by column, with the elimination tree [1] and the leaves of its row
subtrees [2]. The work is almost linear in the edges of the graph, whatever the fill-in, on one CPU
thread.

[1] J. Liu. The role of elimination trees in sparse factorization. SIAM J. Matrix Anal. Appl. 1990.
[2] J. Gilbert, E. Ng, B. Peyton. An efficient algorithm to compute row and column counts for sparse
    Cholesky factorization. SIAM J. Matrix Anal. Appl. 1994.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.ordering.places import placed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["fill_in"]


@takes_graph
def fill_in(graph: GraphLike, positions: Any = None) -> int:
    """Return the fill-in of an elimination order.

    Parameters
    ----------
    graph : Graph
        In host memory. Edges of a directed graph are followed in both directions. Self-loops are
        ignored.
    positions : array of int over vertices, optional
        The position of each vertex. By default the order in which the graph is stored.

    Returns
    -------
    int
        The number of edges that elimination adds. A Cholesky factor has that many entries, plus one
        for every edge and every vertex.

    Notes
    -----
    Almost linear time in n + m, on one CPU thread.

    Examples
    --------
    A star whose middle goes first, and last:

    >>> from edgewise.generators import star
    >>> fill_in(star(5)), fill_in(star(5), [5, 0, 1, 2, 3, 4])
    (10, 0)
    """
    check_host(graph, "fill_in")
    graph = placed(graph, positions, "fill")
    n = graph.num_vertices
    if n == 0:
        return 0
    tree, spare = np.full(n, -1, np.int64), np.full((5, n), -1, np.int64)
    count = np.zeros(n, np.int64)
    state = (graph.indptr, graph.indices, tree, spare, count)
    work = 2 * graph.num_arcs + 8 * n
    sequential(_grow_tree, state[:3] + (spare[0],), steps=n, work=work, phase="fill")
    sequential(_walk_tree, (tree, spare), steps=n, phase="fill")
    sequential(_count_columns, state, steps=n, work=work, phase="fill")
    return int(count.sum()) - n - (graph.num_edges - graph.num_self_loops)


def _grow_tree(control, indptr, indices, tree, ancestor):
    """``tree[v]`` is the first vertex after v with which v shares an entry; -1 if there is none."""
    for v in range(len(tree)):
        if v % 1024 == 0 and not going(control, v):
            return
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            while 0 <= u < v:
                above = ancestor[u]
                ancestor[u] = v
                if above < 0:
                    tree[u] = v
                u = above


def _walk_tree(control, tree, spare):
    """List the tree children first in ``spare[0]``, and in ``spare[1]`` where each one's own
    descendants begin in the list.
    """
    listed, first, child, sibling = spare[0], spare[1], spare[2], spare[3]
    for v in range(len(tree) - 1, -1, -1):
        if tree[v] >= 0:
            sibling[v], child[tree[v]] = child[tree[v]], v
    at = 0
    for root in range(len(tree)):
        if tree[root] >= 0:
            continue
        if not going(control, at):
            return
        v = np.int64(root)
        first[v] = at
        while v >= 0:
            below = child[v]
            if below >= 0:  # come back for the next one
                child[v], first[below] = sibling[below], at
                v = below
            else:
                listed[at] = v
                at += 1
                v = tree[v]


def _count_columns(control, indptr, indices, tree, spare, count):
    """``count[v]`` becomes the number of entries of column v, the diagonal included.

    Row u has an entry in every column of a subtree of u's, whose leaves are neighbors of u. A leaf
    begins a path upward; where it meets the path of the leaf before, all above are counted already.
    """
    listed, first, ancestor, latest, reached = spare[0], spare[1], spare[2], spare[3], spare[4]
    for v in range(len(tree)):
        ancestor[v], latest[v], reached[v] = v, -1, -1
        count[v] = 1 if listed[first[v]] == v else 0
    for i in range(len(tree)):
        if i % 1024 == 0 and not going(control, i):
            return
        v = listed[i]
        if tree[v] >= 0:
            count[tree[v]] -= 1
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if u <= v or first[v] <= reached[u]:
                continue  # above the diagonal, or no leaf: a leaf below it came before
            reached[u] = first[v]
            count[v] += 1
            if latest[u] >= 0:
                count[_top(ancestor, latest[u])] -= 1
            latest[u] = v
        if tree[v] >= 0:
            ancestor[v] = tree[v]
    for v in range(len(tree)):
        if tree[v] >= 0:
            count[tree[v]] += count[v]


@inner
def _top(ancestor, v):
    """The last ancestor of v that has been listed, or is about to be; the way is made shorter."""
    top = v
    while ancestor[top] != top:
        top = ancestor[top]
    while ancestor[v] != top:
        above = ancestor[v]
        ancestor[v] = top
        v = above
    return top
