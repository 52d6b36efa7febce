"""The memory that a rank will need, before it starts: `estimate`.

A rank of an R x C grid holds its share of the arcs, and values of N/R + N/C vertices. It needs most
memory either while its block is built, when the arcs that have arrived, their sort keys and the
block are there at once, or while an algorithm runs. What algorithms take is in `state_bytes`.
"""

from __future__ import annotations

import re
import socket
import warnings
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.memory import free_memory
from edgewise.distributed.comm import Communicator
from edgewise.distributed.grid import check_shape
from edgewise.distributed.layout import Layout
from edgewise.distributed.state_bytes import STATE, bytes_of, full_name
from edgewise.graph.csr import index_dtype

__all__ = ["Estimate", "bytes_without_arcs", "check_free", "estimate", "needs", "shortage"]

#: A process with its modules and kernels, before it has a graph; measured with 150 to 230 MiB.
_BASE = 230 << 20
#: The buffers of exchanges.
_BUFFERS = 8 << 20
#: How many more arcs than the mean the largest rank has.
_IMBALANCE = 1.1


class Estimate(NamedTuple):
    """Bytes of one rank, the one that needs most."""

    #: The distributed graph, once it is built, with its columns.
    graph: int
    #: What building it takes, with the graph itself.
    building: int
    #: State and scratch memory of the algorithm.
    algorithm: int
    #: The process without a graph.
    base: int
    #: The whole that was given, if every rank has it.
    whole: int

    @property
    def peak(self) -> int:
        """The largest number of bytes at one time."""
        return self.base + self.whole + max(self.building, self.graph + self.algorithm)


def estimate(
    num_vertices: int,
    num_arcs: int,
    *,
    ranks: int | None = None,
    grid: Any = None,
    weights: Any = None,
    algorithm: str | None = None,
    edge_columns: int = 0,
    vertex_columns: int = 0,
    whole: bool = False,
) -> Estimate:
    """Return the estimated memory of a rank, before any rank starts.

    Parameters
    ----------
    num_vertices, num_arcs : int
        The size of the graph. An undirected edge is two arcs.
    ranks : int, optional
        The number of ranks; not needed with ``grid``.
    grid : "2x3" or pair of int, optional
        The rows and columns of the grid; by default as square as possible.
    weights : dtype, optional
        The type of the weights, if there are any.
    algorithm : str, optional
        The algorithm that runs, such as "pagerank" or "communities.louvain". None leaves it out.
        The memory of BFS, SSSP, PageRank, connected components, biconnected components, bridges,
        minimum spanning trees, core numbers, trusses, triangle count, Jaccard similarity, Louvain
        and label propagation was measured. For all others, 256 bytes per vertex at hand and 48 per
        arc are assumed: they may take several times as much.
    edge_columns, vertex_columns : int
        The bytes of all columns of one edge, and of one vertex.
    whole : bool
        Whether each rank also holds the whole graph, as for `distribute`.

    Returns
    -------
    Estimate
        Bytes in host memory, with the property ``peak``. With ``device="cuda"``, ``graph`` and
        ``algorithm`` are GPU memory.

    Notes
    -----
    Peaks of algorithms that were measured are within a factor of 1.5, beyond the memory of an idle
    process. Results that are gathered come on top: a number for each vertex of the whole graph.

    Examples
    --------
    >>> found = estimate(2**30, 2**35, ranks=400, weights="float32", algorithm="pagerank")
    >>> round(found.peak / 2**30, 1)
    8.9
    """
    n, m = check_count(num_vertices, "num_vertices"), check_count(num_arcs, "num_arcs")
    if ranks is None and grid is None:
        raise ValueError("ranks or grid must be given")
    if ranks is None:
        ranks = int(np.prod(check_shape(grid, _product(grid))))
    shape = check_shape(grid, check_count(ranks, "ranks", 1))
    per_edge = check_count(edge_columns, "edge_columns")
    per_vertex = check_count(vertex_columns, "vertex_columns")
    if algorithm is not None and not isinstance(algorithm, str):
        raise TypeError(f"algorithm must be the name of an algorithm, got {algorithm!r}")
    algorithm = None if algorithm is None else full_name(algorithm)
    layout = Layout(n, shape)
    here = max(layout.numbering(rank).size for rank in range(ranks))
    arcs = m if ranks == 1 else min(m, int(_IMBALANCE * m / ranks) + 1)
    weight = 0 if weights is None else np.dtype(weights).itemsize
    name, index = layout.dtype.itemsize, index_dtype(here).itemsize
    graph = (8 + 2 * name + per_vertex) * here + (index + weight + per_edge) * arcs
    building = 8 * here + (3 * name + 8 + index + 3 * weight + 2 * per_edge) * arcs + _BUFFERS
    whole_bytes = 8 * n + (index_dtype(n).itemsize + weight) * m if whole else 0
    if whole:  # each rank looks at the positions of all arcs
        building += (2 * name + 1) * m
    state = 0 if algorithm is None else bytes_of(algorithm, here, arcs, n)
    return Estimate(graph, max(graph, building), state, _BASE, whole_bytes)


def bytes_without_arcs() -> dict[str, int]:
    """Bytes for each vertex at hand of the algorithms that take no memory for arcs.

    >>> bytes_without_arcs()["bfs"]
    32
    """
    return {name: vertex for name, (vertex, arc) in STATE.items() if not arc}


def _product(grid: Any) -> int:
    """The number of ranks that a shape says."""
    words = re.split("[xX]", grid) if isinstance(grid, str) else grid
    try:
        return int(np.prod([int(word) for word in words]))
    except (TypeError, ValueError):
        return 1  # `check_shape` says what is wrong


def needs(graph: Any, shape: tuple[int, int], *, whole: bool = False) -> Estimate:
    """The estimate of a graph in memory on a grid."""
    weights, columns = graph.weights, graph.columns or (None, None)
    per_row = [0 if table is None else -(-table.nbytes // max(len(table), 1)) for table in columns]
    return estimate(
        graph.num_vertices, len(graph.indices), grid=shape, whole=whole,
        weights=None if weights is None else weights.dtype,
        edge_columns=per_row[0], vertex_columns=per_row[1],
    )  # fmt: skip


def check_free(world: Communicator, need: Estimate) -> None:
    """Raise MemoryError on all ranks if the graph cannot fit, or warn if it may not. Collective.

    What a rank has in memory by now, itself and the whole graph, is not free any more.
    """
    if world.size == 1 or world.priced:
        return
    error, warning = shortage(world.gather_objects((socket.gethostname(), free_memory())), need)
    if error:
        raise MemoryError(error)
    if warning and world.rank == 0:
        warnings.warn(warning, stacklevel=3)


def shortage(machines: list[tuple[str, int]], need: Estimate) -> tuple[str, str]:
    """Why a graph cannot fit on the ranks' machines, and why it may not; empty if it does.

    >>> need = estimate(10**6, 10**9, ranks=2)
    >>> shortage([("one", 2**30), ("one", 2**30)], need)[0]
    'the graph takes about 4.1 GiB on one (2 ranks), where 1.0 GiB is free: use more machines'
    >>> shortage([("one", 2**40), ("two", 2**40)], need)
    ('', '')
    """
    for name in dict.fromkeys(name for name, _ in machines):
        free = [one for other, one in machines if other == name]
        for needed, what in (
            (need.graph, "the graph takes"),
            (need.building, "the graph may take"),
            (need.graph + need.algorithm, "the graph and the algorithm may take"),
        ):
            if needed * len(free) > min(free):
                text = (
                    f"{what} about {needed * len(free) / 2**30:.1f} GiB on {name} "
                    f"({len(free)} ranks), where {min(free) / 2**30:.1f} GiB is free: "
                    "use more machines"
                )
                return (text, "") if what.endswith("takes") else ("", text)
    return "", ""
