"""Kernels between small graphs, such as molecules: a Gram matrix for support vector machines.

* Weisfeiler-Lehman [1]: vertices get new labels from their own and those of their neighbors, again
  and again. The kernel counts equal labels. Labels are hashes of 64 bits, summed over neighbors.
* Shortest paths [2]: the kernel counts pairs of vertices with equal labels and equal distances.
* Marginalized [3, 4]: the expected similarity of two random walks, one on each graph, that start
  anywhere, stop with a probability and compare the vertices and edges they pass. It is a linear
  system over pairs of vertices, solved by conjugate gradients. The product with the matrix walks
  through pairs of arcs; the matrix is never stored.

All matrices are positive semidefinite.

[1] N. Shervashidze et al. Weisfeiler-Lehman graph kernels. J. Machine Learning Research 2011.
[2] K. Borgwardt, H.-P. Kriegel. Shortest-path kernels on graphs. ICDM 2005.
[3] H. Kashima, K. Tsuda, A. Inokuchi. Marginalized kernels between labeled graphs. ICML 2003.
[4] Y.-H. Tang, O. Selvitopi, D. Popovici, A. Buluc. A high-throughput solver for marginalized graph
    kernels on GPU. IPDPS 2020.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_fraction, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.offsets import offsets
from edgewise.base.random import hashed
from edgewise.learning.many_graphs import read_graphs
from edgewise.operators import for_each
from edgewise.operators.functions import plain_function
from edgewise.operators.helpers import inner

__all__ = ["marginalized_kernel", "shortest_path_kernel", "weisfeiler_lehman_kernel"]

#: Unknowns of linear systems that are solved at the same time, and steps of a solver at most.
_UNKNOWNS, _STEPS = 1 << 22, 1000


def weisfeiler_lehman_kernel(
    graphs: Any, *, vertex_labels: Any = None, depth: int = 5, normalized: bool = False
) -> np.ndarray:
    """Return the Weisfeiler-Lehman subtree kernel of all pairs of graphs.

    Parameters
    ----------
    graphs : list of Graph
        Undirected, in host memory.
    vertex_labels : str, or list of arrays, optional
        A column of vertices, or an array of labels for each graph. By default, all are equal.
    depth : int
        How many times labels are refined.
    normalized : bool
        Whether to divide by the square roots of the diagonal.

    Returns
    -------
    array of float64, graphs x graphs

    Examples
    --------
    >>> from edgewise import generators
    >>> graphs = [generators.path(3), generators.cycle(3)]
    >>> weisfeiler_lehman_kernel(graphs, depth=1).tolist()
    [[14.0, 12.0], [12.0, 18.0]]
    """
    many = read_graphs(graphs, vertex_labels)
    depth, normalized = check_count(depth, "depth"), check_flag(normalized, "normalized")
    labels, total = many.labels, np.zeros((len(many), len(many)))
    for turn in range(depth + 1):
        total += _common(many.graph_of, labels, len(many))
        if turn < depth:
            words = hashed(turn, labels)
            sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(words[many.indices])])
            around = sums[many.indptr[1:]] - sums[many.indptr[:-1]]
            mixed = hashed(1, around) + hashed(2, labels)
            labels = np.unique(mixed, return_inverse=True)[1]
    return _scaled(total, normalized)


def shortest_path_kernel(
    graphs: Any, *, vertex_labels: Any = None, normalized: bool = False
) -> np.ndarray:
    """Return the shortest-path kernel of all pairs of graphs, by numbers of edges.

    Parameters
    ----------
    graphs, vertex_labels, normalized
        As for `weisfeiler_lehman_kernel`.

    Returns
    -------
    array of float64, graphs x graphs

    Notes
    -----
    O(n m) time for a graph of n vertices and m edges.

    Examples
    --------
    >>> from edgewise import generators
    >>> shortest_path_kernel([generators.path(3), generators.cycle(3)]).tolist()
    [[5.0, 6.0], [6.0, 9.0]]
    """
    many = read_graphs(graphs, vertex_labels)
    normalized = check_flag(normalized, "normalized")
    sizes = np.diff(many.starts)[many.graph_of]  # a row of distances for each vertex
    places = offsets(sizes)
    length, queue = np.empty((2, int(places[-1])), np.int32)
    for_each(len(sizes), _distances, (many, places, length, queue), work=4 * len(length))
    source = np.repeat(np.arange(len(sizes)), sizes)
    target = np.arange(len(length)) - places[source] + many.starts[many.graph_of[source]]
    pairs = (source < target) & (length > 0)
    source, target, length = source[pairs], target[pairs], length[pairs]
    ends = np.sort(np.stack([many.labels[source], many.labels[target]]), axis=0)
    names, longest = int(many.labels.max(initial=0)) + 1, int(length.max(initial=0)) + 1
    keys = (ends[0] * names + ends[1]) * longest + length
    kinds = np.unique(keys, return_inverse=True)[1]
    return _scaled(_common(many.graph_of[source], kinds, len(many)), normalized)


def marginalized_kernel(
    graphs: Any,
    *,
    vertex_labels: Any = None,
    edge_labels: Any = None,
    vertex_values: Any = None,
    edge_values: Any = None,
    similarity: Callable[[float, float], float] | None = None,
    stop: float = 0.1,
    mismatch: float = 0.5,
    tol: float = 1e-9,
    normalized: bool = False,
) -> np.ndarray:
    """Return the marginalized graph kernel of all pairs of graphs.

    Parameters
    ----------
    graphs : list of Graph
        Undirected, in host memory. Weights, if there are any, are those of a walk's steps.
    vertex_labels, edge_labels : str, or list of arrays, optional
        A column of vertices or edges, or an array of labels for each graph.
    vertex_values, edge_values : str, or list of arrays, optional
        Numbers of vertices or edges, such as charges and lengths: a column, or an array for each
        graph. Scale them so that a difference of 1 matters.
    similarity : callable, optional
        ``similarity(a, b)``, the similarity of two values: symmetric, positive semidefinite, from 0
        to 1, and 1 for equal values. By default Gaussian: ``exp(-(a - b) ** 2 / 2)``.
    stop : float
        The weight of stopping at a vertex, beside those of its edges; positive.
    mismatch : float
        The similarity of different labels, above 0 and at most 1. That of equal ones is 1. A
        similarity s of values counts as mismatch + (1 - mismatch) s.
    tol : float
        The largest residual of a linear system, relative to its right side.
    normalized : bool
        Whether to divide by the square roots of the diagonal.

    Returns
    -------
    array of float64, graphs x graphs

    Raises
    ------
    ConvergenceError
        If a system is not solved after 1,000 steps.

    Notes
    -----
    O(m1 m2) time for a step of the solver for graphs of m1 and m2 edges; ten to thirty steps.

    Examples
    --------
    >>> from edgewise import generators
    >>> graphs = [generators.path(3), generators.cycle(3)]
    >>> marginalized_kernel(graphs, normalized=True).round(3).tolist()
    [[1.0, 0.975], [0.975, 1.0]]
    >>> charges = [[0.0, 0.1, 0.0], [2.0, 2.0, 2.0]]
    >>> found = marginalized_kernel(graphs, vertex_values=charges, normalized=True)
    >>> found.round(3).tolist()
    [[1.0, 0.133], [0.133, 1.0]]
    """
    many = read_graphs(graphs, vertex_labels, edge_labels, vertex_values, edge_values)
    if similarity is not None and vertex_values is None and edge_values is None:
        raise TypeError("similarity needs vertex_values or edge_values")
    alike = _gaussian if similarity is None else plain_function(similarity, "similarity")
    solve = _solver(vertex_values is not None and alike, edge_values is not None and alike)
    stop = check_number(stop, "stop", positive=True)
    mismatch, tol = check_fraction(mismatch, "mismatch"), check_number(tol, "tol", positive=True)
    if mismatch == 0:
        raise ValueError("mismatch must be above 0, got 0")
    normalized = check_flag(normalized, "normalized")
    count = len(many)
    left, right = np.triu_indices(count)
    sizes = np.diff(many.starts)
    unknowns, values = sizes[left] * sizes[right], np.zeros(len(left))
    failed, limits = np.zeros(1, np.int64), _Limits(stop, mismatch, tol)
    first = 0
    while first < len(left):  # as many pairs as fit in the scratch memory, at least one
        running = np.cumsum(unknowns[first:])
        last = first + max(int(np.searchsorted(running, _UNKNOWNS, side="right")), 1)
        part = slice(first, last)
        places = offsets(unknowns[part])
        vectors = _Vectors(*(np.empty(int(places[-1])) for _ in range(4)))
        state = (left[part], right[part], values[part], places, vectors, many, limits, failed)
        for_each(last - first, solve, state, work=40 * int(places[-1]))
        first = last
    total = np.zeros((count, count))
    total[left, right] = total[right, left] = values
    if failed[0]:
        raise ConvergenceError("marginalized_kernel", _STEPS, tol, best=total)
    return _scaled(total, normalized)


def _distances(s, many, places, length, queue):
    """The distances of all vertices of its graph from s, by breadth-first search; -1 without."""
    first, low = places[s], many.starts[many.graph_of[s]]
    for at in range(first, places[s + 1]):
        length[at] = -1
    head, tail = first, first + 1
    length[first + s - low], queue[head] = 0, s - low
    while head < tail:
        u, head = queue[head], head + 1
        for e in range(many.indptr[low + u], many.indptr[low + u + 1]):
            v = many.indices[e] - low
            if length[first + v] < 0:
                length[first + v], queue[tail] = length[first + u] + 1, v
                tail += 1


def _common(owner: np.ndarray, kinds: np.ndarray, count: int) -> np.ndarray:
    """The scalar products of all pairs of graphs' numbers of features of each kind."""
    from scipy.sparse import csr_array

    width = int(kinds.max(initial=-1)) + 1
    table = csr_array((np.ones(len(kinds)), (owner, kinds)), shape=(count, max(width, 1)))
    return np.asarray((table @ table.T).toarray())


def _scaled(gram: np.ndarray, normalized: bool) -> np.ndarray:
    if not normalized:
        return gram
    width = np.sqrt(np.diag(gram))
    width[width == 0] = 1
    return gram / np.outer(width, width)


def _gaussian(a, b):
    """The default similarity of two values."""
    return math.exp(-0.5 * (a - b) ** 2)


def _vertices(alike: Any) -> Any:
    """``similar(many, u, v, mismatch)``: the similarity of two vertices."""

    def equal(many, u, v, mismatch):
        return 1.0 if many.labels[u] == many.labels[v] else mismatch

    same, near = inner(equal), inner(alike or _gaussian)

    def similar(many, u, v, mismatch):
        close = mismatch + (1 - mismatch) * near(many.values[u], many.values[v])
        return close * same(many, u, v, mismatch)

    return inner(similar) if alike else same


def _edges(alike: Any) -> Any:
    """``similar(many, e, f, mismatch)``: the similarity of two arcs."""

    def equal(many, e, f, mismatch):
        return 1.0 if many.edge_labels[e] == many.edge_labels[f] else mismatch

    same, near = inner(equal), inner(alike or _gaussian)

    def similar(many, e, f, mismatch):
        close = mismatch + (1 - mismatch) * near(many.edge_values[e], many.edge_values[f])
        return close * same(many, e, f, mismatch)

    return inner(similar) if alike else same


class _Vectors(NamedTuple):
    x: np.ndarray
    r: np.ndarray
    p: np.ndarray
    w: np.ndarray


class _Limits(NamedTuple):
    stop: float
    mismatch: float
    tol: float


@lru_cache(16)
def _solver(vertex_alike: Any, edge_alike: Any) -> Any:
    """The solver for similarities of values, or for labels alone where they are False."""
    vertices, edges = _vertices(vertex_alike), _edges(edge_alike)

    def solve(pair, left, right, values, places, vectors, many, limits, failed):
        """Conjugate gradients, preconditioned by the diagonal, for the pair of graphs."""
        (x, r, p, w), (stop, mismatch, tol) = vectors, limits
        a, b = many.starts[left[pair]], many.starts[right[pair]]
        n1 = many.starts[left[pair] + 1] - a
        n2 = many.starts[right[pair] + 1] - b
        at, n = places[pair], n1 * n2
        rho, size = 0.0, 0.0
        for i in range(n):
            u, v = a + i // n2, b + i % n2
            degree = (many.degrees[u] + stop) * (many.degrees[v] + stop)
            same = vertices(many, u, v, mismatch)
            x[at + i], r[at + i] = 0.0, stop * stop
            p[at + i] = r[at + i] * same / degree
            rho += r[at + i] * p[at + i]
            size += r[at + i] * r[at + i]
        done, left_over = 0, size
        while left_over > tol * tol * size and done < _STEPS:
            curvature = 0.0
            for i in range(n):
                u, v = a + i // n2, b + i % n2
                degree = (many.degrees[u] + stop) * (many.degrees[v] + stop)
                same = vertices(many, u, v, mismatch)
                total = degree / same * p[at + i]
                for e in range(many.indptr[u], many.indptr[u + 1]):
                    for f in range(many.indptr[v], many.indptr[v + 1]):
                        equal = edges(many, e, f, mismatch)
                        other = (many.indices[e] - a) * n2 + many.indices[f] - b
                        total -= many.weights[e] * many.weights[f] * equal * p[at + other]
                w[at + i] = total
                curvature += total * p[at + i]
            step, left_over, following = rho / curvature, 0.0, 0.0
            for i in range(n):
                x[at + i] += step * p[at + i]
                r[at + i] -= step * w[at + i]
                left_over += r[at + i] * r[at + i]
                u, v = a + i // n2, b + i % n2
                degree = (many.degrees[u] + stop) * (many.degrees[v] + stop)
                same = vertices(many, u, v, mismatch)
                w[at + i] = r[at + i] * same / degree
                following += r[at + i] * w[at + i]
            for i in range(n):
                p[at + i] = w[at + i] + following / rho * p[at + i]
            rho = following
            done += 1
        if left_over > tol * tol * size:
            failed[0] = 1
        total = 0.0
        for i in range(n):
            total += x[at + i]
        values[pair] = total / n if n > 0 else 0.0

    return solve
