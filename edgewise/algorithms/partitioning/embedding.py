"""Eigenvectors of the Laplacian of a connected graph for its smallest eigenvalues but zero.

They are found by LOBPCG [1], SciPy's or CuPy's, with the constant vector as a constraint. Two more
vectors than needed speed it up where eigenvalues are close to each other. It runs in turns. After
each, the tolerance follows the smallest eigenvalue found so far. Small graphs are solved directly.

The three problems, with D the weighted degrees and L = D - A: combinatorial L x = l x, generalized
L x = l D x, and normalized D^-1/2 L D^-1/2 x = l x. The preconditioner is one of L in each of them.

[1] A. Knyazev. Toward the optimal preconditioned eigensolver. SIAM J. Sci. Comput. 23, 2001.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.chebyshev import chebyshev
from edgewise.algorithms.partitioning.smoothed_aggregation import multigrid
from edgewise.algorithms.weighting import balanced
from edgewise.base import random
from edgewise.graph import Graph
from edgewise.graph.sparse import SparseTools, sparse_tools
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import like

__all__ = ["Eigenvectors", "is_irregular", "laplacian_eigenvectors", "oriented", "positive_edges"]

#: A graph is irregular if its largest degree is more than so many times the mean.
_IRREGULAR = 10
_SMALL = 500  # up to so many vertices a dense solver is faster
_GUARDS = 2
_TURN = 10  # iterations before the first look at the tolerance; twice as many before the next
_DEGREE, _RATIO = 10, 60.0  # of the polynomial preconditioner


class Eigenvectors(NamedTuple):
    """Eigenvalues in ascending order, an n x d array of eigenvectors, and their largest residual.

    The residual ``error`` is relative to the smallest eigenvalue, and 0 if it was solved directly.
    """

    values: Any
    vectors: Any
    error: float = 0.0


def positive_edges(graph: Graph, weights: Any) -> tuple[Graph, float]:
    """Return the graph without loops and edges of weight zero, and the weight that 1 stands for.

    All edges have a weight, of at most 1.
    """
    _, found, factor = balanced(graph, weights)
    amounts = graph.xp.ones(graph.num_arcs) if found is None else found.astype(np.float64)
    sources, targets, _ = graph.arcs()
    kept = (sources != targets) & (amounts > 0)
    largest = float((amounts * kept).max()) if len(amounts) else 0.0
    amounts = amounts / (largest or 1.0)
    whole = like(graph, graph.indptr, graph.indices, amounts, directed=False, labels=None)
    return only_edges(whole, kept), (largest or 1.0) / factor


def is_irregular(graph: Graph) -> bool:
    """Return whether the largest degree is more than 10 times the mean."""
    return graph.max_degree * graph.num_vertices > _IRREGULAR * max(graph.num_arcs, 1)


def laplacian_eigenvectors(
    graph: Graph,
    weights: Any,
    count: int,
    *,
    laplacian: str,
    preconditioner: str,
    tol: float,
    max_iter: int,
    seed: int,
) -> Eigenvectors:
    """Return the eigenvectors of the smallest ``count`` eigenvalues but zero.

    The graph is connected, undirected and without self-loops; all weights over arcs are positive.
    There are fewer vectors if it has fewer than ``count + 1`` vertices.
    """
    xp, n = graph.xp, graph.num_vertices
    count = min(count, n - 1)
    tools = sparse_tools(graph)
    adjacency = tools.matrix(graph, xp.asarray(weights, dtype=np.float64))
    degrees = adjacency @ xp.ones(n)
    matrix = tools.laplacian(adjacency, degrees)
    if laplacian == "normalized":
        problem, mass = tools.laplacian(adjacency, degrees, normalized=True), None
        known = xp.sqrt(degrees)
    else:
        problem, mass, known = matrix, degrees if laplacian == "generalized" else None, xp.ones(n)
    if n <= max(_SMALL, 8 * (count + _GUARDS)):
        return oriented(_dense(problem, mass, count, xp), xp)
    apply = _preconditioner(graph, tools, matrix, degrees, preconditioner, seed)
    if laplacian == "normalized":
        plain, back = apply, xp.sqrt(degrees)[:, None]
        apply = lambda rows: back * plain(back * rows)  # noqa: E731
    start = random.uniform(seed, np.arange(n)[:, None], np.arange(count + _GUARDS)) - 0.5
    found = _lobpcg(
        tools, xp, problem, mass, apply, known[:, None], xp.asarray(start), tol, max_iter
    )
    return oriented(Eigenvectors(found.values[:count], found.vectors[:, :count], found.error), xp)


def oriented(found: Eigenvectors, xp: Any) -> Eigenvectors:
    """Return the vectors with the sign that makes the first of their largest entries positive.

    Solvers return either sign. Entries count as equal if they differ by rounding alone.
    """
    sizes = abs(found.vectors)
    first = (sizes >= (1 - 1e-6) * sizes.max(axis=0)).argmax(axis=0)
    signs = xp.sign(found.vectors[first, xp.arange(found.vectors.shape[1])])
    return found._replace(vectors=found.vectors * signs)


def _dense(problem: Any, mass: Any, count: int, xp: Any) -> Eigenvectors:
    """By the dense solver; a problem with a mass is brought to one without."""
    full = problem.toarray()
    root = xp.ones(len(full)) if mass is None else 1 / xp.sqrt(mass)
    values, vectors = xp.linalg.eigh(root[:, None] * full * root)
    return Eigenvectors(values[1 : count + 1], (root[:, None] * vectors)[:, 1 : count + 1])


def _preconditioner(
    graph: Graph, tools: SparseTools, matrix: Any, degrees: Any, word: str, seed: int
) -> Callable[[Any], Any]:
    if word == "multigrid":
        return multigrid(graph, tools, matrix, seed)
    if word == "polynomial":
        return chebyshev(matrix, _DEGREE, _RATIO, graph.xp)
    return lambda rows: rows / degrees[:, None]


def _lobpcg(
    tools: SparseTools, xp: Any, problem: Any, mass: Any, apply: Callable[[Any], Any], known: Any,
    vectors: Any, tol: float, max_iter: int,
) -> Eigenvectors:  # fmt: skip
    """Turns of LOBPCG until residuals are ``tol`` times the smallest eigenvalue, at most."""
    weighted = None if mass is None else tools.sparse.diags(mass).tocsr()
    operator = tools.linalg.LinearOperator(
        problem.shape, matvec=lambda x: apply(x.reshape(-1, 1)).ravel(), matmat=apply,
        dtype=np.float64,
    )  # fmt: skip
    done, goal = 0, 0.0
    while True:
        turn = min(max(_TURN, done), max_iter - done)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged, after every turn
            values, vectors = tools.linalg.lobpcg(
                problem, vectors, B=weighted, M=operator, Y=known, tol=goal, maxiter=turn,
                largest=False,
            )  # fmt: skip
        order = xp.argsort(values)
        values, vectors, done = values[order], vectors[:, order], done + turn
        goal = tol * abs(float(values[0]))
        right = vectors if mass is None else mass[:, None] * vectors
        left = problem @ vectors - right * values
        worst = float(xp.linalg.norm(left[:, : -_GUARDS or None], axis=0).max())
        if worst <= goal or done >= max_iter:
            return Eigenvectors(values, vectors, worst / max(abs(float(values[0])), 1e-300))
