"""The packages that divide graphs: each function takes a graph and gives what runs a method.

A run is called with k and a seed, and returns the part of every vertex. Packages that are not
installed are left out. Times have the conversion of arguments and results in them where a package
takes and gives Python lists. SciPy has no partitioner: its LOBPCG, with the diagonal as the
preconditioner, gives log2 k eigenvectors, and `partitioning.multi_jagged` cuts these, as in Sphynx.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.partitioning.graphs import Arcs, arcs_of

__all__ = ["IMBALANCE", "METHODS", "MODULES", "ON_MESHES", "answering"]

IMBALANCE = 0.03
_ITERATIONS = 200  # of LOBPCG at most
METHODS = {
    "Edgewise": ("multilevel fast", "multilevel default", "multilevel high", "spectral"),
    "METIS": ("k-way",),
    "KaHIP": ("fast", "eco"),
    "KaMinPar": ("default",),
    "Mt-KaHyPar": ("default", "quality"),
    "SciPy": ("LOBPCG",),
}
#: What is for meshes only.
ON_MESHES = ("SciPy",)
MODULES = {
    "Edgewise": "edgewise",
    "METIS": "pymetis",
    "KaHIP": "kahip",
    "KaMinPar": "kaminpar",
    "Mt-KaHyPar": "mtkahypar",
    "SciPy": "scipy",
}

Run = Callable[[int, int], Any]


def answering(package: str, arcs: Arcs, folder: Path) -> Callable[[tuple[str, int, int]], Any]:
    """What a process answers to a method, k and a seed: seconds, and parts.

    The folder is for files that a package reads.
    """
    threads = int(os.environ["OMP_NUM_THREADS"])
    methods = _PACKAGES[package](arcs, folder, threads)

    def answer(task: tuple[str, int, int]) -> tuple[float, np.ndarray]:
        method, k, seed = task
        begin = time.perf_counter()
        parts = methods[method](k, seed)
        seconds = time.perf_counter() - begin
        return seconds, np.asarray(parts, np.int32)

    return answer


def _edgewise(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    from edgewise import Graph, partitioning

    def run(graph: Any, method: str, k: int, seed: int) -> Any:
        if method == "spectral":
            return partitioning.spectral(graph, k, seed=seed)
        effort = method.split()[1]
        return partitioning.multilevel(graph, k, imbalance=IMBALANCE, effort=effort, seed=seed)

    graph, small = Graph(arcs.indptr, arcs.indices), arcs_of("grid40")
    for method in METHODS["Edgewise"]:  # compile, or load, what will be called
        for k in (2, 20):
            run(Graph(small.indptr, small.indices), method, k, 0)
    return {method: partial(run, graph, method) for method in METHODS["Edgewise"]}


def _metis(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    import pymetis

    rows = pymetis.CSRAdjacency(arcs.indptr.astype(np.int32), arcs.indices)
    ufactor = round(1000 * IMBALANCE)

    def run(k: int, seed: int) -> Any:
        options = pymetis.Options(ufactor=ufactor, seed=seed)
        return pymetis.part_graph(k, adjacency=rows, options=options, recursive=False)[1]

    return {"k-way": run}


def _kahip(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    import kahip

    ones = [1] * arcs.n, [1] * len(arcs.indices)
    rows = arcs.indptr.tolist(), arcs.indices.tolist()

    def run(mode: int, k: int, seed: int) -> Any:
        given = ones[0], rows[0], ones[1], rows[1]
        return kahip.kaffpa(*given, k, IMBALANCE, True, seed, mode)[1]

    return {"fast": partial(run, kahip.FAST), "eco": partial(run, kahip.ECO)}


def _kaminpar(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    import kaminpar

    import edgewise

    file = folder / "graph.metis"
    edgewise.write(edgewise.Graph(arcs.indptr, arcs.indices), file, format="metis")
    graph = kaminpar.load_graph(str(file), kaminpar.GraphFileFormat.METIS)
    instance = kaminpar.KaMinPar(threads, kaminpar.default_context())

    def run(k: int, seed: int) -> Any:
        kaminpar.reseed(seed)
        return instance.compute_partition(graph, k=k, eps=IMBALANCE)

    return {"default": run}


def _mt_kahypar(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    import mtkahypar

    started = mtkahypar.initialize(threads)
    rows = np.repeat(np.arange(arcs.n, dtype=np.int32), np.diff(arcs.indptr))
    once = rows < arcs.indices
    edges = list(zip(rows[once].tolist(), arcs.indices[once].tolist(), strict=True))

    def prepared(preset: Any) -> Run:
        context = started.context_from_preset(preset)
        context.logging = False
        graph = started.create_graph(context, arcs.n, len(edges), edges)

        def run(k: int, seed: int) -> Any:
            mtkahypar.set_seed(seed)
            context.set_partitioning_parameters(k, IMBALANCE, mtkahypar.Objective.CUT)
            return graph.partition(context).get_partition()

        return run

    presets = mtkahypar.PresetType
    return {"default": prepared(presets.DEFAULT), "quality": prepared(presets.QUALITY)}


def _scipy(arcs: Arcs, folder: Path, threads: int) -> dict[str, Run]:
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import lobpcg

    from edgewise import partitioning

    degrees = np.diff(arcs.indptr).astype(np.float64)
    ones = np.ones(len(arcs.indices))
    adjacency = csr_array((ones, arcs.indices, arcs.indptr), shape=(arcs.n, arcs.n))
    laplacian = (diags_array(degrees) - adjacency).tocsr()
    jacobi = diags_array(1 / np.maximum(degrees, 1)).tocsr()

    def run(k: int, seed: int) -> Any:
        start = np.random.default_rng(seed).standard_normal((arcs.n, (k - 1).bit_length()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it has not converged
            values, vectors = lobpcg(laplacian, start, M=jacobi, Y=np.ones((arcs.n, 1)),
                                     maxiter=_ITERATIONS, largest=False)  # fmt: skip
        return partitioning.multi_jagged(vectors[:, np.argsort(values)], k)

    partitioning.multi_jagged(np.eye(40), 4)  # compiles, or loads
    return {"LOBPCG": run}


_PACKAGES = {
    "Edgewise": _edgewise,
    "METIS": _metis,
    "KaHIP": _kahip,
    "KaMinPar": _kaminpar,
    "Mt-KaHyPar": _mt_kahypar,
    "SciPy": _scipy,
}
