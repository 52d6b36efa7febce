"""The matrices of the benchmark: adjacency matrices with values, and what is asked of each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from benchmarks.coloring.problems import problem_of as pattern_of

__all__ = ["PROBLEMS", "QUICK", "TASKS", "Problem", "dense_block", "problem_of", "sparse_vector",
           "thin"]  # fmt: skip

PROBLEMS = ("com-dblp", "cnr-2000", "kron18", "rotor", "mesh64")
QUICK = ("kron8",)

#: Of the vector's elements, how many are there in products with a sparse vector.
_SHARES = ("0.01%", "1%", "10%", "50%")
#: The numbers of columns of dense blocks.
_WIDTHS = (1, 8, 32, 128)
#: What is asked of every library: the operation, and the semiring.
TASKS = (
    ("A*A", "plus_times"),
    ("A*A", "min_plus"),
    ("A*A", "user"),
    ("(A*A).*A", "plus_times"),
    ("A*P", "plus_times"),
    ("SpMV", "plus_times"),
    ("SpMV", "min_plus"),
    ("SpMV", "user"),
    *((f"SpMSpV {share}", "plus_times") for share in _SHARES),
    *((f"SpMM {width}", "plus_times") for width in _WIDTHS),
    ("SpMM 32", "user"),
)


class Problem(NamedTuple):
    """A square matrix of SciPy with float64 values from 1 to 2."""

    name: str
    matrix: Any


def problem_of(name: str) -> Problem:
    """A problem by its name; mesh<side> is a cube with the 27-point stencil."""
    pattern = pattern_of(name.replace("mesh", "cube")).matrix
    matrix = pattern.astype(np.float64)
    matrix.data[:] = 1 + np.random.default_rng(27).random(matrix.nnz)
    return Problem(name, matrix)


def thin(problem: Problem) -> Any:
    """A tall and thin matrix: every row has one entry, in one column of 64 rows of a kind."""
    from scipy.sparse import csr_array

    n = problem.matrix.shape[0]
    return csr_array((np.ones(n), (np.arange(n), np.arange(n) // 64)), (n, -(-n // 64)))


def sparse_vector(problem: Problem, share: str) -> tuple[np.ndarray, np.ndarray]:
    """Positions, ascending, and values."""
    n, random = problem.matrix.shape[0], np.random.default_rng(28)
    count = max(1, int(n * float(share.rstrip("%")) / 100))
    return np.sort(random.permutation(n)[:count]), 1 + random.random(count)


def dense_block(problem: Problem, width: int) -> np.ndarray:
    """A block of random numbers."""
    return np.random.default_rng(29).random((problem.matrix.shape[0], width))
