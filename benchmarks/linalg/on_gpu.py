"""Sparse products on a GPU beside CuPy (cuSPARSE).

R-MAT 22 with dense blocks and vectors, and A * A of a mesh, of a uniform matrix and of R-MAT 16 to
20. Where CuPy fails or returns an empty product, its cell says so. About two minutes on an H200.
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
_GOALS = {("SpMM 32", "R-MAT 22"): 0.015, ("SpMM 8", "R-MAT 22"): 0.005}
#: Seconds after which nothing more is begun.
_ENOUGH = 110.0


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
            row["seconds"], found = _measured(ours, trials, matrix)
            row["nnz"] = int(getattr(found, "nnz", 0))
            if peer is not None:
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

    dense = ["SpMV", "SpMV min_plus", "SpMSpV", "SpMM 1", "SpMM 8", "SpMM 32", "SpMM 32 user"]
    if quick:
        return [("R-MAT 8", lambda: generators.rmat(8, seed=27), [*dense, "A*A"])]
    found = [("R-MAT 22", lambda: generators.rmat(22, seed=27), dense)]
    found.append(("mesh 2000 x 2000", lambda: generators.grid_2d(2000, 2000), [*dense, "A*A"]))
    found.append(("uniform 20", lambda: generators.urand(20, seed=27), ["A*A"]))
    for scale in (16, 18, 20):
        found.append((f"R-MAT {scale}", lambda s=scale: generators.rmat(s, seed=27), ["A*A"]))  # type: ignore[misc]
    return found


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
    if kind == "A*A":
        return (lambda: linalg.spgemm(matrix, matrix)), theirs is not None and (
            lambda: theirs @ theirs
        )
    if kind == "SpMSpV":
        at = matrix.xp.asarray(np.sort(random.permutation(n)[: n // 100]))
        sparse = linalg.SparseVector(n, at, matrix.xp.ones(len(at)))
        return (lambda: linalg.spmspv(matrix, sparse, transpose=True)), None
    user = linalg.Semiring(lambda a, b: a + b, lambda a, b: a * b, zero=0, name="user")
    ring: Any = {"user": user, "min_plus": "min_plus"}.get(words[-1] if words else "", "plus_times")
    plain = theirs is not None and ring == "plus_times"
    width = int(words[0]) if kind == "SpMM" else 1
    block = matrix.xp.asarray(random.random((n, width)))
    if kind == "SpMV":
        block = block[:, 0].copy()
        return (lambda: linalg.spmv(matrix, block, ring)), (
            lambda: theirs @ block
        ) if plain else None
    return (lambda: linalg.spmm(matrix, block, ring)), (lambda: theirs @ block) if plain else None


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
        if row.get("agree") is False and not row.get("note"):
            verdicts.append(f"- MISS: {name} differs from CuPy's.")
    about = (f"Measured {time.strftime('%Y-%m-%d')} beside {machine()}: "
             "`python -m benchmarks linalg --device cuda`.")  # fmt: skip
    head = ["matrix", "operation", "entries", "Edgewise", "CuPy"]
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])
