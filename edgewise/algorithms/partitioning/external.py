"""METIS [1], KaMinPar [2] and KaHIP [3] on our graphs, with our arguments and results.

The packages are optional: ``pip install 'edgewise[partition]'``. The balance of the parts is
checked (`hand_over`).

[1] G. Karypis, V. Kumar. A fast and high quality multilevel scheme for partitioning irregular
    graphs. SIAM J. Sci. Comput. 20, 1998.
[2] L. Gottesbueren et al. Deep multilevel graph partitioning. ESA 2021.
[3] P. Sanders, C. Schulz. Think locally, act globally: highly balanced graph partitioning. SEA
    2013.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from edgewise.algorithms.partitioning.hand_over import PlainGraph, partition_by, write_parhip
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.base.checks import check_choice, check_count
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["kahip", "kaminpar", "metis"]


@takes_graph
def metis(
    graph: LocalGraphLike, k: int, *, imbalance: float = 0.03, weights: Any = "weight",
    vertex_weights: Any = None, seed: int = 0,
) -> Parts:  # fmt: skip
    """Return a partition into k parts by METIS, through the package pymetis.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory.
    k : int
        The number of parts, at least 1.
    imbalance : float
        No part weighs more than ``(1 + imbalance) * ceil(total / k)``, where ``total`` is the
        weight of all vertices. The ceiling is left out if vertex weights are not integers.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    vertex_weights : array over vertices, optional
        Finite and nonnegative; 1 for each vertex by default.
    seed : int
        The same seed gives the same parts.

    Returns
    -------
    Parts

    Raises
    ------
    ImportError
        If pymetis is not installed.
    ValueError
        If the graph is directed, or no partition within the imbalance exists or is found.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> metis(grid_2d(4, 12), 2).sizes().tolist()  # doctest: +SKIP
    [24, 24]
    """

    def call(plain: PlainGraph, slack: float, seed: int) -> Any:
        package = _package("pymetis", "pymetis")
        options = package.Options(ufactor=max(round(1000 * slack), 1), seed=seed % 2**31)
        rows = package.CSRAdjacency(plain.indptr, plain.indices)
        return package.part_graph(
            k, rows, vweights=plain.vertex_weights, eweights=plain.edge_weights, options=options
        )[1]

    return partition_by("metis", graph, k, imbalance, weights, vertex_weights, seed, call)


@takes_graph
def kahip(
    graph: LocalGraphLike, k: int, *, imbalance: float = 0.03, weights: Any = "weight",
    vertex_weights: Any = None, seed: int = 0, mode: str = "eco",
) -> Parts:  # fmt: skip
    """Return a partition into k parts by KaHIP, through the package kahip.

    Parameters
    ----------
    graph, k, imbalance, weights, vertex_weights, seed
        As for `metis`.
    mode : {"fast", "eco", "strong", "fastsocial", "ecosocial", "strongsocial"}
        KaHIP's configuration, from fast to small cuts. The "social" ones suit graphs with hubs.

    Returns
    -------
    Parts

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> kahip(grid_2d(4, 12), 2).sizes().tolist()  # doctest: +SKIP
    [24, 24]
    """
    modes = ("fast", "eco", "strong", "fastsocial", "ecosocial", "strongsocial")
    check_choice(mode, "mode", modes)

    def call(plain: PlainGraph, slack: float, seed: int) -> Any:
        package = _package("kahip", "kahip")
        lists = (plain.vertex_weights, plain.indptr, plain.edge_weights, plain.indices)
        configuration = getattr(package, mode.upper())
        return package.kaffpa(
            *(one.tolist() for one in lists), k, slack, True, seed % 2**31, configuration
        )[1]

    return partition_by("kahip", graph, k, imbalance, weights, vertex_weights, seed, call)


@takes_graph
def kaminpar(
    graph: LocalGraphLike, k: int, *, imbalance: float = 0.03, weights: Any = "weight",
    vertex_weights: Any = None, seed: int = 0, mode: str = "default", num_threads: int = 1,
) -> Parts:  # fmt: skip
    """Return a partition into k parts by KaMinPar, through the package kaminpar.

    Parameters
    ----------
    graph, k, imbalance, weights, vertex_weights, seed
        As for `metis`.
    mode : {"fast", "default", "eco", "strong"}
        KaMinPar's configuration, from fast to small cuts.
    num_threads : int
        The number of threads. With more than one, results may differ from run to run.

    Returns
    -------
    Parts

    Notes
    -----
    The package reads graphs only from files, so the graph is written to a temporary file.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> kaminpar(grid_2d(4, 12), 2).sizes().tolist()  # doctest: +SKIP
    [24, 24]
    """
    check_choice(mode, "mode", ("fast", "default", "eco", "strong"))
    num_threads = check_count(num_threads, "num_threads", 1)

    def call(plain: PlainGraph, slack: float, seed: int) -> Any:
        package = _package("kaminpar", "kaminpar")
        package.reseed(seed % 2**31)
        context = getattr(package, f"{mode}_context")()
        with TemporaryDirectory() as folder:
            file = Path(folder) / "graph.parhip"
            write_parhip(plain, file)
            loaded = package.load_graph(str(file), package.GraphFileFormat.PARHIP)
        return package.KaMinPar(num_threads, context).compute_partition(loaded, k, slack)

    return partition_by("kaminpar", graph, k, imbalance, weights, vertex_weights, seed, call)


def _package(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(
            f"this needs the package {name}: pip install {name}, or 'edgewise[partition]'"
        ) from None
