"""The libraries that multiply: each gives what runs a task, or None for a task that it has not."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.linalg.problems import Problem, dense_block, problem_of, sparse_vector, thin

__all__ = ["LIBRARIES", "MODULES", "answering"]

#: Repeats of a task in a turn, and seconds that they take at least; calls of milliseconds vary by
#: half. A call that takes so many seconds is not repeated.
_REPEATS, _ENOUGH, _LONG = 3, 0.2, 2.0
#: The module that has to be installed.
MODULES = {"Edgewise": "edgewise", "SciPy": "scipy", "SuiteSparse": "graphblas",
           "MKL": "sparse_dot_mkl"}  # fmt: skip

Run = Callable[[], Any]


def answering(library: str, problem: Problem, folder: Path) -> Callable[[tuple[str, str]], Any]:
    """What a process answers to a task: the least seconds, and the sum of the result; or None."""
    prepare = LIBRARIES[library]
    prepared, small = prepare(problem), prepare(problem_of("kron6"))

    def answer(task: tuple[str, str]) -> tuple[float, float] | None:
        run = prepared(*task)
        if run is None:
            return None
        small(*task)()  # compiles, or loads
        spent: list[float] = []
        while len(spent) < 2 or (
            spent[-1] < _LONG and (len(spent) <= _REPEATS or sum(spent[1:]) < _ENOUGH)
        ):
            begin = time.perf_counter()
            found = run()
            spent.append(time.perf_counter() - begin)
        return min(spent[1:] or spent), _total(found)

    return answer


def _total(found: Any) -> float:
    """The sum of all entries of a result of any library."""
    if hasattr(found, "reduce_scalar"):
        return float(found.reduce_scalar("plus").value)
    if hasattr(found, "reduce") and not isinstance(found, np.ndarray):
        return float(found.reduce("plus").value)
    values = getattr(found, "data", found) if hasattr(found, "tocsr") else found
    values = getattr(found, "values", values)
    return float(np.asarray(values)[np.isfinite(values)].sum())


def _edgewise(problem: Problem) -> Callable[[str, str], Run | None]:
    from edgewise.linalg import Matrix, Semiring, SparseVector, spgemm, spmm, spmspv, spmv

    matrix = Matrix.from_scipy(problem.matrix)
    rings: dict[str, Any] = {
        "user": Semiring(lambda a, b: a + b, lambda a, b: a * b, zero=0, name="user")
    }

    def prepared(task: str, name: str) -> Run:
        ring, (kind, _, size) = rings.get(name, name), task.partition(" ")
        if kind == "SpMV":
            vector = dense_block(problem, 1)[:, 0].copy()
            return lambda: spmv(matrix, vector, ring)
        if kind == "SpMM":
            block = dense_block(problem, int(size))
            return lambda: spmm(matrix, block, ring)
        if kind == "SpMSpV":
            sparse = SparseVector(matrix.shape[0], *sparse_vector(problem, size))
            return lambda: spmspv(matrix, sparse, ring, transpose=True)
        right = Matrix.from_scipy(thin(problem)) if kind == "A*P" else matrix
        mask = matrix if kind == "(A*A).*A" else None
        return lambda: spgemm(matrix, right, ring, mask=mask)

    return prepared


def _scipy(problem: Problem) -> Callable[[str, str], Run | None]:
    matrix = problem.matrix

    def prepared(task: str, name: str) -> Run | None:
        kind, _, size = task.partition(" ")
        if name != "plus_times" or kind == "SpMSpV":
            return None
        if kind in ("SpMV", "SpMM"):
            block = dense_block(problem, int(size or 1))
            block = block if size else block[:, 0].copy()
            return lambda: matrix @ block
        right = thin(problem) if kind == "A*P" else matrix
        if kind == "(A*A).*A":
            pattern = matrix.copy()
            pattern.data[:] = 1
            return lambda: (matrix @ matrix).multiply(pattern)
        return lambda: matrix @ right

    return prepared


def _suitesparse(problem: Problem) -> Callable[[str, str], Run | None]:
    import graphblas as gb

    gb.ss.config["nthreads"] = _threads()
    matrix, n = gb.io.from_scipy_sparse(problem.matrix), problem.matrix.shape[0]

    def prepared(task: str, name: str) -> Run | None:
        kind, _, size = task.partition(" ")
        if name == "user":
            return None
        ring = getattr(gb.semiring, name)
        if kind == "SpMV":
            vector = gb.Vector.from_dense(dense_block(problem, 1)[:, 0])
            return lambda: matrix.mxv(vector, ring).new()
        if kind == "SpMM":
            block = gb.Matrix.from_dense(dense_block(problem, int(size)))
            return lambda: matrix.mxm(block, ring).new()
        if kind == "SpMSpV":
            sparse = gb.Vector.from_coo(*sparse_vector(problem, size), size=n)
            return lambda: sparse.vxm(matrix, ring).new()
        right = gb.io.from_scipy_sparse(thin(problem)) if kind == "A*P" else matrix
        mask = matrix.S if kind == "(A*A).*A" else None
        return lambda: matrix.mxm(right, ring).new(mask=mask)

    return prepared


def _mkl(problem: Problem) -> Callable[[str, str], Run | None]:
    from scipy.sparse import csr_matrix

    for library in sorted(Path(sys.prefix, "lib").glob("libmkl_rt.so*")):  # of PyPI's mkl
        os.environ.setdefault("MKL_RT", str(library))
    from sparse_dot_mkl import dot_product_mkl, mkl_set_num_threads

    mkl_set_num_threads(_threads())
    matrix = csr_matrix(problem.matrix)

    def prepared(task: str, name: str) -> Run | None:
        kind, _, size = task.partition(" ")
        if name != "plus_times" or kind in ("SpMSpV", "(A*A).*A"):
            return None
        if kind in ("SpMV", "SpMM"):
            block = dense_block(problem, int(size or 1))
            block = block if size else block[:, 0].copy()
            return lambda: dot_product_mkl(matrix, block)
        right = csr_matrix(thin(problem)) if kind == "A*P" else matrix
        return lambda: dot_product_mkl(matrix, right)

    return prepared


def _threads() -> int:
    from edgewise import get_threads

    return get_threads()


LIBRARIES = {"Edgewise": _edgewise, "SciPy": _scipy, "SuiteSparse": _suitesparse, "MKL": _mkl}
