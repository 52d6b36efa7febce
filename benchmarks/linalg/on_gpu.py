"""Sparse products on a GPU beside CuPy (cuSPARSE).

R-MAT 22 with dense blocks and vectors, and A * A of a mesh, of uniform matrices and of R-MAT 16 to
20. Where CuPy fails or returns an empty product, its cell says so. Every product of sparse matrices
is checked by its row sums: (A A) 1 = A (A 1). That of R-MAT 20 is larger than the memory of the
GPU: it is computed in batches, which are checked and dropped. About three minutes on an H200.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_time, table

__all__ = ["measure_linalg_on_gpu"]

#: Goals in seconds: the operation, the matrix, and at most so long.
_GOALS = {
    ("SpMM 32", "R-MAT 22"): 0.015,
    ("SpMM 8", "R-MAT 22"): 0.005,
    ("A*A", "mesh 2000 x 2000"): 0.0023,
    ("A*A", "uniform 20, 17 M"): 0.038,
}
#: Seconds after which nothing more is begun.
_ENOUGH = 150.0
#: Bytes for a batch of a product that is larger than the GPU's memory.
_BATCH = "80GiB"


def measure_linalg_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, device: str = "cuda",
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure all matrices; the report in Markdown, also written to ``folder``."""
    begin, rows = time.perf_counter(), []
    for name, make, tasks in _problems(quick):
        if time.perf_counter() - begin > _ENOUGH:
            tell(f"{name} is left out: time is up")
            continue
        matrix = _weighted(make()).to(device)
        tell(f"{name}: {matrix}, after {time.perf_counter() - begin:.0f} s")
        theirs = _cupy(matrix)
        for task in tasks:
            row = {"graph": name, "entries": matrix.nnz, "task": task}
            ours, peer = _calls(matrix, theirs, task)
            few = 1 if "batches" in task else trials
            row["seconds"], found = _measured(ours, few, matrix)
            row["nnz"] = int(getattr(found, "nnz", 0))
            if task.startswith("A*A"):
                row["right"] = _is_square(matrix, found, task)
            if peer:
                row |= _beside(peer, found, trials, matrix)
            tell(f"  {row}")
            rows.append(row)
            del found
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "linalg-cuda.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "linalg-cuda.md").write_text(f"# linalg-cuda\n\n{text}\n")
    return text


def _problems(quick: bool) -> list[tuple[str, Callable[[], Any], list[str]]]:
    from edgewise import generators

    vectors = ["SpMV", "SpMV min_plus", "SpMSpV 1", "SpMSpV 10", "SpMSpV 50"]
    dense = [*vectors, "SpMM 1", "SpMM 8", "SpMM 32", "SpMM 32 user"]
    every = ["A*A", "A*A sorted", "A*A min_plus", "A*A user", "(A*A).*A"]
    if quick:
        tasks = [*dense, *every, "A*A batches"]
        return [("R-MAT 8", lambda: generators.rmat(8, seed=27), tasks)]
    return [
        ("mesh 32 x 32", lambda: generators.grid_2d(32, 32), ["SpMV", "SpMSpV 1", "A*A"]),
        ("mesh 2000 x 2000", lambda: generators.grid_2d(2000, 2000), [*dense, *every]),
        ("uniform 20, 17 M", lambda: generators.urand(20, edge_factor=8, seed=27), ["A*A"]),
        ("uniform 20, 34 M", lambda: generators.urand(20, seed=27), ["A*A"]),
        ("R-MAT 16", lambda: generators.rmat(16, seed=27), every),
        ("R-MAT 18", lambda: generators.rmat(18, seed=27), ["A*A", "(A*A).*A"]),
        ("R-MAT 20", lambda: generators.rmat(20, seed=27), ["A*A batches", "(A*A).*A"]),
        ("R-MAT 22", lambda: generators.rmat(22, seed=27), dense),
    ]


def _weighted(graph: Any) -> Any:
    from edgewise.linalg import Matrix

    values = 1 + np.random.default_rng(27).random(graph.num_arcs)
    return Matrix.from_graph(graph, weights=values)


def _cupy(matrix: Any) -> Any:
    """The matrix of CuPy; None where there is no GPU."""
    try:
        from cupyx.scipy.sparse import csr_matrix
    except ImportError:
        return None
    if matrix.device == "cpu":
        return None
    indptr = matrix.indptr.astype(np.int32)
    return csr_matrix((matrix.values, matrix.indices, indptr), shape=matrix.shape)


def _calls(matrix: Any, theirs: Any, task: str) -> tuple[Any, Any]:
    """Our call and CuPy's, or None."""
    from edgewise import linalg

    kind, *words = task.split()
    random, n = np.random.default_rng(28), matrix.shape[0]
    user = linalg.Semiring(lambda a, b: a + b, lambda a, b: a * b, zero=0, name="user")
    ring: Any = {"user": user, "min_plus": "min_plus"}.get(words[-1] if words else "", "plus_times")
    if "A*A" in kind:
        peer = theirs is not None and task == "A*A" and (lambda: theirs @ theirs)
        if "batches" in words:
            return (lambda: _row_sums(matrix)), None
        mask = matrix if kind == "(A*A).*A" else None
        sort = "sorted" in words
        return (lambda: linalg.spgemm(matrix, matrix, ring, mask=mask, sort=sort)), peer
    if kind == "SpMSpV":
        at = matrix.xp.asarray(np.sort(random.permutation(n)[: n * int(words[0]) // 100]))
        sparse = linalg.SparseVector(n, at, matrix.xp.ones(len(at)))
        return (lambda: linalg.spmspv(matrix, sparse, transpose=True)), None
    plain = theirs is not None and ring == "plus_times"
    width = int(words[0]) if kind == "SpMM" else 1
    block = matrix.xp.asarray(random.random((n, width)))
    if kind == "SpMV":
        block = block[:, 0].copy()
        return (lambda: linalg.spmv(matrix, block, ring)), (
            lambda: theirs @ block
        ) if plain else None
    return (lambda: linalg.spmm(matrix, block, ring)), (lambda: theirs @ block) if plain else None


def _row_sums(matrix: Any) -> Any:
    """The row sums of A*A, whose batches of rows are dropped."""
    from edgewise import linalg

    batches = linalg.spgemm_batches(matrix, matrix, memory=_BATCH)
    return matrix.xp.concatenate([linalg.reduce_rows(part, "plus") for _, part in batches])


def _is_square(matrix: Any, found: Any, task: str) -> bool | None:
    """Are the row sums of A*A those of A applied twice? None for other semirings."""
    from edgewise import linalg

    if "min_plus" in task:
        return None
    sums = found if "batches" in task else linalg.reduce_rows(found, "plus")
    ones = matrix.xp.ones(matrix.shape[1])
    wanted = linalg.spmv(matrix, linalg.spmv(matrix, ones))
    here = np if isinstance(sums, np.ndarray) else matrix.xp  # a large result is in host memory
    return bool(here.allclose(sums, wanted if here is matrix.xp else wanted.get(), rtol=1e-9))


def _measured(call: Any, trials: int, matrix: Any) -> tuple[float, Any]:
    """The least seconds of a call after one that warms up, and its result."""
    spent, found = [], None
    for _ in range(trials + 1):
        found = None
        begin = time.perf_counter()
        found = call()
        if matrix.device != "cpu":
            matrix.xp.cuda.Device().synchronize()
        spent.append(time.perf_counter() - begin)
    return min(spent[1:]), found


def _beside(call: Any, found: Any, trials: int, matrix: Any) -> dict[str, Any]:
    """CuPy's time, and whether the results agree."""
    try:
        seconds, wanted = _measured(call, trials, matrix)
    except Exception as error:  # cuSPARSE has no space, or no answer
        return {"note": f"fails: {type(error).__name__}"}
    if hasattr(found, "nnz"):
        agree = wanted.nnz == found.nnz
        return {"cupy": seconds, "agree": agree, "note": "" if wanted.nnz else "empty product"}
    return {"cupy": seconds, "agree": bool(matrix.xp.allclose(found, wanted, rtol=1e-9))}


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines, verdicts = [], []
    for row in rows:
        theirs = spell_time(row["cupy"]) if "cupy" in row else ""
        note = " ".join(filter(None, (theirs, row.get("note"))))
        lines.append([row["graph"], row["task"].replace("*", "\\*"), f"{row['entries']:,}",
                      spell_time(row["seconds"]), note])  # fmt: skip
        most = _GOALS.get((row["task"], row["graph"]))
        name = f"{row['task']} on {row['graph']}"
        if most:
            mark = "PASS" if row["seconds"] <= most else "MISS"
            verdicts.append(f"- {mark}: {name} takes {spell_time(row['seconds'])}, at most "
                            f"{spell_time(most)}.")  # fmt: skip
        if row.get("right") is False:
            verdicts.append(f"- MISS: {name} has wrong row sums.")
        if row.get("agree") is False and not row.get("note"):
            verdicts.append(f"- MISS: {name} differs from CuPy's.")
    about = (f"Measured {time.strftime('%Y-%m-%d')} beside {machine()}: "
             "`python -m benchmarks linalg --device cuda`.")  # fmt: skip
    head = ["matrix", "operation", "entries", "Edgewise", "CuPy"]
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])
