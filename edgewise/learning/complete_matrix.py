"""Matrix completion: factors of a matrix of which few entries are known, such as ratings.

An entry (i, j) is estimated by the mean of all entries and the scalar product of a vector of row i
and one of column j. "als" solves for all vectors of rows while those of columns are fixed, then the
other way around: small linear systems, each on its own [1]. "sgd" takes a step for one entry at a
time. Rows and columns are cut into parts, and threads work on blocks of entries that share neither
rows nor columns [2], so that no two steps conflict. Both give the same result for any number of
threads.

[1] Y. Zhou, D. Wilkinson, R. Schreiber, R. Pan. Large-scale parallel collaborative filtering for
    the Netflix prize. AAIM 2008.
[2] R. Gemulla, E. Nijkamp, P. Haas, Y. Sismanis. Large-scale matrix factorization with distributed
    stochastic gradient descent. KDD 2011.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.biadjacency import biadjacency
from edgewise.base.checks import check_choice, check_count, check_number
from edgewise.base.observe import notify
from edgewise.base.offsets import offsets
from edgewise.base.random import bits, check_seed, uniform
from edgewise.graph.csr import CSR
from edgewise.graph.foreign import as_graph
from edgewise.operators import for_each

__all__ = ["MatrixFactors", "complete_matrix"]

#: Parts of rows and of columns for "sgd", and systems that are solved at the same time for "als".
_PARTS, _SYSTEMS = 16, 4096


class MatrixFactors(NamedTuple):
    """Factors of a matrix.

    Attributes
    ----------
    rows, columns : arrays of float64, one vector per row or column
        The estimate of entry (i, j) is ``mean + rows[i] @ columns[j]``.
    mean : float
        The mean of the known entries.
    errors : list of float
        The root of the mean squared error of the known entries after each round.
    """

    rows: np.ndarray
    columns: np.ndarray
    mean: float
    errors: list[float]

    def predict(self, rows: Any, columns: Any) -> np.ndarray:
        """Return the estimates of entries (rows[i], columns[i]); all must be in the matrix."""
        i = _places(rows, "rows", len(self.rows))
        j = _places(columns, "columns", len(self.columns))
        return self.mean + np.einsum("...j,...j->...", self.rows[i], self.columns[j])


def complete_matrix(
    entries: Any,
    *,
    rank: int = 16,
    method: str = "als",
    regularization: float = 0.05,
    learning_rate: float = 0.05,
    max_iter: int = 15,
    shape: tuple[int, int] | None = None,
    sides: Any = None,
    weights: Any = "weight",
    seed: int = 0,
) -> MatrixFactors:
    """Return factors that estimate the missing entries of a matrix.

    Parameters
    ----------
    entries : SciPy sparse matrix, bipartite graph, or three arrays
        The known entries: of a matrix all stored ones, or rows, columns and values, such as users,
        items and ratings. Of arrays, an entry that is given twice counts twice. Rows and columns
        are numbers from 0; ``numpy.unique(names, return_inverse=True)`` numbers names. Of an
        undirected bipartite graph the weights are entries: row i is the i-th vertex of the left
        side, column j the j-th of the right side.
    rank : int
        The number of entries of a vector.
    method : {"als", "sgd"}
        Alternating least squares, which needs few rounds, or stochastic gradient descent, whose
        rounds are faster for a large rank.
    regularization : float
        The penalty of long vectors, for each known entry. Larger values suit fewer or noisier
        entries.
    learning_rate : float
        The first step size of "sgd", for values of standard deviation 1; it falls by a tenth in
        each round.
    max_iter : int
        The number of rounds.
    shape : tuple of int, optional
        The numbers of rows and columns; by default, as many as occur.
    sides : array of bool over vertices, optional
        A boolean mask of the left side of a graph. By default the two sides are found; the smallest
        vertex of every component is on the left.
    weights : str or array over edges
        The values of a graph.
    seed : int
        Seed of the first vectors and of the order of entries.

    Returns
    -------
    MatrixFactors
        ``rows``, ``columns``, ``mean`` and ``errors``; ``predict(rows, columns)`` estimates
        entries. Rows and columns without entries get zeros, which means the mean.

    Raises
    ------
    ValueError
        If ``learning_rate`` is so large that the steps of "sgd" diverge.

    Notes
    -----
    For each round, "als" takes O(entries rank^2 + (rows + columns) rank^3) time, "sgd" O(entries
    rank).

    Examples
    --------
    >>> rows, columns = [0, 0, 0, 1, 1, 2, 2, 2], [0, 1, 2, 0, 1, 0, 1, 2]
    >>> found = complete_matrix((rows, columns, [1, 2, 3, 2, 4, 3, 6, 9]), rank=2, seed=1)
    >>> bool(4 < found.predict(1, 2) < 8)
    True

    The same ratings as a graph, whose vertices 3, 4 and 5 are the columns.

    >>> import edgewise as ew, numpy as np
    >>> graph = ew.Graph.from_edges(rows, np.array(columns) + 3, [1.0, 2, 3, 2, 4, 3, 6, 9])
    >>> again = complete_matrix(graph, rank=2, sides=np.arange(6) < 3, seed=1)
    >>> bool(np.isclose(again.predict(1, 2), found.predict(1, 2)))
    True
    """
    rank, turns = check_count(rank, "rank", 1, 4096), check_count(max_iter, "max_iter", 1)
    check_choice(method, "method", ("als", "sgd"))
    penalty = check_number(regularization, "regularization", positive=True)
    rate, hashed = check_number(learning_rate, "learning_rate", positive=True), check_seed(seed)
    where, values, sizes = _known(_as_entries(entries, sides, weights), shape)
    mean = float(values.mean()) if len(values) else 0.0
    values = values - mean
    factors = [
        (uniform(hashed, np.arange(size * rank), side).reshape(size, rank) - 0.5) / math.sqrt(rank)
        * (np.bincount(one, minlength=size) > 0)[:, None]
        for side, (size, one) in enumerate(zip(sizes, where, strict=True))
    ]  # fmt: skip
    rounds = _als if method == "als" else _sgd
    errors = []
    for turn in rounds(where, values, factors, penalty, rate, turns, hashed):
        if not all(np.isfinite(one).all() for one in factors):
            raise ValueError(f"learning_rate must be smaller than {rate:g}: the steps diverge")
        guess = np.einsum("ij,ij->i", factors[0][where[0]], factors[1][where[1]])
        errors.append(float(np.sqrt(np.mean((values - guess) ** 2))) if len(values) else 0.0)
        notify(turn, error=errors[-1])
    return MatrixFactors(factors[0], factors[1], mean, errors)


def _als(where, values, factors, penalty, rate, turns, seed):
    """Solve for one side, then for the other."""
    sides = []
    for side in (0, 1):
        order = np.argsort(where[side], kind="stable")
        starts = offsets(np.bincount(where[side], minlength=len(factors[side])))
        sides.append((starts, where[1 - side][order], values[order]))
    rank = factors[0].shape[1]
    scratch = np.empty((_SYSTEMS, rank, rank))
    for turn in range(turns):
        for side, (starts, others, known) in enumerate(sides):
            n = len(factors[side])
            for first in range(0, n, _SYSTEMS):
                count = min(_SYSTEMS, n - first)
                state = (first, starts, others, known, factors[1 - side], factors[side], scratch,
                         penalty)  # fmt: skip
                work = int(starts[first + count] - starts[first]) + count * rank
                for_each(count, _least_squares, state, work=work * rank * rank // 8)
        yield turn


def _sgd(where, values, factors, penalty, rate, turns, seed):
    """Steps over blocks: in stage s, part p of rows meets part p + s of columns.

    They are taken in units of the values' deviation, so that one step size suits all values.
    """
    unit = float(values.std()) if len(values) else 0.0
    unit = unit if unit > 0 else 1.0
    parts = [
        (bits(seed, np.arange(len(factors[side])), 7 + side) % np.uint64(_PARTS)).astype(np.int64)
        for side in (0, 1)
    ]
    block = parts[0][where[0]] * _PARTS + parts[1][where[1]]
    order = np.lexsort((bits(seed, np.arange(len(values)), 9), block))
    starts = offsets(np.bincount(block, minlength=_PARTS * _PARTS))
    rows, columns, known = where[0][order], where[1][order], values[order] / unit
    scaled = [one.copy() for one in factors]
    for turn in range(turns):
        step = rate * 0.9**turn
        for stage in range(_PARTS):
            state = (stage, starts, rows, columns, known, *scaled, step, penalty / unit)
            for_each(_PARTS, _descend, state, work=len(known) * factors[0].shape[1] // _PARTS)
        for one, mine in zip(factors, scaled, strict=True):
            np.multiply(mine, math.sqrt(unit), out=one)
        yield turn


def _as_entries(given: Any, sides: Any, weights: Any) -> Any:
    """The biadjacency matrix of a graph of any library; anything else as it is."""
    from scipy.sparse import csr_array

    home = type(given).__module__.partition(".")[0]
    if not isinstance(given, CSR) and home not in ("igraph", "networkx"):
        if sides is not None or not isinstance(weights, str):
            raise TypeError(f"sides and weights need a graph, got {type(given).__name__}")
        return given
    graph = given if isinstance(given, CSR) else as_graph(given)
    matrix = biadjacency(graph, sides, weights, "complete_matrix")
    if matrix.weights is None:
        raise ValueError("entries must be a graph with weights, got one without")
    shape = len(matrix.left), len(matrix.right)
    return csr_array((matrix.weights, matrix.indices, matrix.indptr), shape)


def _known(entries: Any, shape: Any) -> tuple[list[np.ndarray], np.ndarray, tuple[int, int]]:
    """The rows, columns and values of the known entries, and the numbers of rows and columns."""
    if hasattr(entries, "tocoo"):
        matrix = entries.tocoo()
        rows, columns, values, least = matrix.row, matrix.col, matrix.data, matrix.shape
    elif hasattr(entries, "columns"):
        raise TypeError(
            "entries must be a sparse matrix, a graph or three arrays, got a data frame: give "
            f"three of its columns as (frame['row'], frame['column'], frame['value']), here of "
            f"{', '.join(map(repr, list(entries.columns)[:10]))}"
        )
    else:
        try:
            rows, columns, values = (np.asarray(one) for one in entries)
        except (TypeError, ValueError):
            raise TypeError(
                f"entries must be a sparse matrix, a graph or three arrays, got {entries!r:.80}"
            ) from None
        least = (0, 0)
    if not rows.shape == columns.shape == values.shape == (rows.size,):
        raise ValueError(
            f"entries must be three arrays of one length, got shapes {rows.shape}, "
            f"{columns.shape} and {values.shape}"
        )
    rows, columns = _places(rows, "rows"), _places(columns, "columns")
    if values.size and (values.dtype.kind not in "biuf" or not np.isfinite(values).all()):
        raise ValueError("values of entries must be finite numbers")
    found = tuple(max(low, int(one.max(initial=-1)) + 1)
                  for low, one in zip(least, (rows, columns), strict=True))  # fmt: skip
    if shape is not None:
        wanted = tuple(check_count(one, "shape") for one in shape)
        if len(wanted) != 2 or any(a < b for a, b in zip(wanted, found, strict=True)):
            raise ValueError(f"shape must be at least {found}, got {shape!r}")
        found = wanted
    return [rows, columns], values.astype(np.float64), (found[0], found[1])


def _places(given: Any, name: str, size: int | None = None) -> np.ndarray:
    """Numbers of rows or columns; an error names the first that is none."""
    found = np.asarray(given)
    if found.size and found.dtype.kind not in "iu":
        hint = (
            f"; numpy.unique({name}, return_inverse=True) numbers names"
            if found.dtype.kind in "OSU" else ""
        )  # fmt: skip
        raise TypeError(f"{name} must be whole numbers, got {found.ravel()[0]!r:.80}{hint}")
    wrong = (found < 0) | (found >= (np.iinfo(np.int64).max if size is None else size))
    if wrong.any():
        upto = "" if size is None else f" to {size - 1}"
        raise ValueError(f"{name} must be numbers from 0{upto}, got {found[wrong].ravel()[0]}")
    return found.astype(np.int64)


def _least_squares(i, first, starts, others, known, fixed, free, scratch, penalty):
    """The best vector of a row if those of columns are fixed, by Cholesky's factorization."""
    v, rank = first + i, fixed.shape[1]
    low, high = starts[v], starts[v + 1]
    if low == high:
        return
    for a in range(rank):
        free[v, a] = 0.0
        for b in range(a + 1):
            scratch[i, a, b] = penalty * (high - low) if a == b else 0.0
    for e in range(low, high):
        u = others[e]
        for a in range(rank):
            free[v, a] += known[e] * fixed[u, a]
            for b in range(a + 1):
                scratch[i, a, b] += fixed[u, a] * fixed[u, b]
    for a in range(rank):
        for b in range(a + 1):
            total = scratch[i, a, b]
            for c in range(b):
                total -= scratch[i, a, c] * scratch[i, b, c]
            scratch[i, a, b] = math.sqrt(total) if a == b else total / scratch[i, b, b]
    for a in range(rank):
        for c in range(a):
            free[v, a] -= scratch[i, a, c] * free[v, c]
        free[v, a] /= scratch[i, a, a]
    for back in range(rank):
        a = rank - 1 - back
        for c in range(a + 1, rank):
            free[v, a] -= scratch[i, c, a] * free[v, c]
        free[v, a] /= scratch[i, a, a]


def _descend(part, stage, starts, rows, columns, known, left, right, step, penalty):
    """Steps for all entries of one block."""
    block = part * _PARTS + (part + stage) % _PARTS
    for e in range(starts[block], starts[block + 1]):
        u, v, error = rows[e], columns[e], known[e]
        for a in range(left.shape[1]):
            error -= left[u, a] * right[v, a]
        for a in range(left.shape[1]):
            old = left[u, a]
            left[u, a] += step * (error * right[v, a] - penalty * old)
            right[v, a] += step * (error * old - penalty * right[v, a])
