"""Stochastic Kronecker graphs [1]: the probabilities of edges are a Kronecker power of a matrix.

The few edges whose probability exceeds about 1/2 are listed by descending into the large entries,
and each is drawn alone. The others are drawn with repeats, each by descending through the levels
with probabilities in proportion to the entries [1]. An edge of probability p is drawn a Poisson
number of times with mean c p, where c = 2 log 2. Repeats are merged, and a drawn edge is kept with
probability ``p / (1 - exp(-c p))``. So every edge is independent and has exactly the wanted
probability. The work is linear in the expected number of edges.

[1] J. Leskovec, D. Chakrabarti, J. Kleinberg, C. Faloutsos, Z. Ghahramani. Kronecker graphs: an
    approach to modeling networks. J. Machine Learning Research, 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type, stream, uniforms
from edgewise.graph import Graph

__all__ = ["stochastic_kronecker"]

#: Several levels are drawn at once if their cells are at most so many.
_MOST_CELLS = 4096
_MOST_EDGES = 2**40


def stochastic_kronecker(
    initiator: Any,
    power: int,
    *,
    directed: bool = False,
    self_loops: str = "drop",
    seed: int = 0,
) -> Graph:
    """Return a stochastic Kronecker graph from an initiator matrix, for example a fitted one.

    The edge from u to v has probability ``P[u, v]``, independently of all others. P is the
    Kronecker product of ``power`` copies of the initiator.

    Parameters
    ----------
    initiator : square matrix of float
        Probabilities, from 0 to 1. It must be symmetric unless the graph is directed.
    power : int
        The number of factors, at least 1. The graph has ``len(initiator)**power`` vertices.
    directed : bool
        Make a directed graph.
    self_loops : {"drop", "keep"}
        Whether the diagonal of P takes part.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        A graph without repeated edges. Vertices are not shuffled: digits of ids are rows of the
        initiator.

    See Also
    --------
    rmat : A faster draw with a given number of edges, as in Graph500.

    Notes
    -----
    O(n + power * m) expected time, where m counts both directions of undirected edges.

    Examples
    --------
    >>> graph = stochastic_kronecker([[0.99, 0.54], [0.54, 0.14]], 10)
    >>> graph.num_vertices
    1024
    >>> stochastic_kronecker([[0, 1], [1, 0]], 3).num_edges
    4
    """
    directed = check_flag(directed, "directed")
    matrix = _check_initiator(initiator, directed)
    power, key = check_count(power, "power", least=1, most=40), check_seed(seed)
    check_choice(self_loops, "self_loops", ("drop", "keep"))
    n = len(matrix) ** power
    if n > MOST_VERTICES:
        raise ValueError(f"power must leave at most 2**31 vertices, got {len(matrix)}**{power}")
    if float(matrix.sum()) ** power > _MOST_EDGES:
        raise ValueError("initiator and power must give at most 2**40 expected edges")
    likely = _likely(matrix, power, stream(key, 1), folded=not directed)
    rare = _drop(matrix, power, stream(key, 2), stream(key, 3), folded=not directed)
    drawn = [likely, rare]
    if not directed and self_loops == "keep":  # folding leaves loops half of their rate
        diagonal = np.diag(np.diag(matrix))
        drawn.append(_drop(diagonal, power, stream(key, 4), stream(key, 3), folded=True))
    sources, targets = (np.concatenate(ends) for ends in zip(*drawn, strict=True))
    return Graph.from_edges(
        sources,
        targets,
        directed=directed,
        num_vertices=n,
        duplicates="first",
        self_loops=self_loops,
    )


def _likely(
    matrix: np.ndarray, power: int, key: np.uint64, *, folded: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Edges among the entries of the power above about 1/2; if ``folded``, of its upper half."""
    from edgewise.generators.cpu.ball_dropping import RARE

    u = v = np.zeros(1, np.int64)
    p, size = np.ones(1), len(matrix)
    rows, columns = np.divmod(np.arange(size * size), size)
    for level in range(power):
        u = (u[:, None] * size + rows).ravel()
        v = (v[:, None] * size + columns).ravel()
        p = (p[:, None] * matrix.ravel()).ravel()
        large = p * matrix.max() ** (power - 1 - level) > RARE
        u, v, p = u[large], v[large], p[large]
    kept = (p > RARE) & (random.uniform(key, u, v) < p) & ((u <= v) | (not folded))
    kind = id_type(size**power)
    return u[kept].astype(kind), v[kept].astype(kind)


def _drop(
    matrix: np.ndarray, power: int, key: np.uint64, coin: np.uint64, *, folded: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Edges of probability at most about 1/2, with repeats; ``folded`` if order is no matter."""
    from scipy.stats import poisson

    from edgewise.generators.cpu.ball_dropping import RATE, Draws, drop

    mean = RATE * float(matrix.sum()) ** power / (1 + folded)
    m = int(poisson.ppf(uniforms(stream(key, 1), 1), mean)[0]) if mean > 0 else 0
    size, levels = len(matrix), 1
    while levels < power and size ** (2 * (levels + 1)) <= _MOST_CELLS:
        levels += 1
    n, kind = size**power, id_type(size**power)
    sources, targets, kept = np.empty(m, kind), np.empty(m, kind), np.empty(m, bool)
    draws = Draws(n, _cells(matrix, levels), power // levels, _cells(matrix, 1), power % levels)
    launch(drop, stream(key, 2), coin, draws, folded, sources, targets, kept, work=m)
    return sources[kept], targets[kept]


def _cells(matrix: np.ndarray, levels: int) -> Any:
    """The cells of some levels with an alias table (Vose's method)."""
    from edgewise.generators.cpu.ball_dropping import Cells

    power = np.ones((1, 1))
    for _ in range(levels):
        power = np.kron(power, matrix)
    p, total = power.ravel(), power.sum()
    scaled = p * (p.size / total) if total else np.ones_like(p)
    chance, alias = np.ones(p.size), np.arange(p.size)
    small, large = (list(np.flatnonzero(some)) for some in (scaled < 1, scaled >= 1))
    while small and large:
        less, more = small.pop(), large[-1]
        chance[less], alias[less] = scaled[less], more
        scaled[more] -= 1 - scaled[less]
        if scaled[more] < 1:
            small.append(large.pop())
    units = np.round(chance * 2.0**32).astype(np.uint64)
    return Cells(len(power), units, alias, p)


def _check_initiator(initiator: Any, directed: bool) -> np.ndarray:
    try:
        matrix = np.array(initiator, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"initiator must be a matrix of numbers, got {initiator!r}") from None
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise ValueError("initiator must be a square matrix with at least 2 rows")
    if len(matrix) > 64:
        raise ValueError(f"initiator must have at most 64 rows, got {len(matrix)}")
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise ValueError("initiator must hold numbers from 0 to 1")
    if not directed and (matrix != matrix.T).any():
        raise ValueError("initiator must be symmetric for an undirected graph")
    return matrix
