"""R-MAT: the recursive-matrix model of skewed graphs [1], with Graph500's parameters [2].

Each of the ``edge_factor * 2**scale`` edges selects an entry of the adjacency matrix by descending
``scale`` levels. At every level it enters one of four quadrants with probabilities a, b, c and
1-a-b-c. Low ids have the high degrees, so ids are shuffled by default. Edge e depends on (seed, e)
alone. Linear work.

[1] D. Chakrabarti, Y. Zhan, C. Faloutsos. R-MAT: a recursive model for graph mining. SDM 2004.
[2] Graph 500 benchmark specification, https://graph500.org.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_fraction
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import assemble, check_multiplicity, check_part, id_type, stream
from edgewise.graph import Graph

__all__ = ["Edges", "check_quadrants", "check_scale", "rmat", "rmat_edges"]

_LARGEST_SCALE = 40


class Edges(NamedTuple):
    """Edges as drawn, with repeats: edge i goes from ``sources[i]`` to ``targets[i]``.

    Attributes
    ----------
    sources, targets : arrays of int over edges
        The two ends of each edge.
    """

    sources: np.ndarray
    targets: np.ndarray


def rmat(
    scale: int,
    *,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    directed: bool = False,
    permute: bool = True,
    count_duplicates: bool = False,
    self_loops: str = "drop",
    seed: int = 0,
) -> Graph:
    """Return an R-MAT (Kronecker) graph with ``2**scale`` vertices, as in Graph500.

    Parameters
    ----------
    scale : int
        The base-2 logarithm of the number of vertices.
    edge_factor : int
        The number of edges drawn per vertex. Merging repeats and dropping loops leaves fewer.
    a, b, c : float
        The probabilities of the upper left, upper right and lower left quadrants at each level. A
        larger ``a`` gives more skewed degrees.
    directed : bool
        Make a directed graph.
    permute : bool
        Shuffle the vertex ids, as Graph500 does. Otherwise low ids have high degrees.
    count_duplicates : bool
        Store the multiplicity of each edge as an integer weight. Otherwise repeated edges are
        merged.
    self_loops : {"drop", "keep"}
        What to do with edges from a vertex to itself.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        A graph with at most ``edge_factor * 2**scale`` edges.

    See Also
    --------
    rmat_edges : The edges as two arrays.

    Notes
    -----
    O(scale m) time.

    Examples
    --------
    >>> graph = rmat(10, seed=1)
    >>> graph.num_vertices
    1024
    >>> graph == rmat(10, seed=1)
    True
    """
    check_multiplicity(count_duplicates, self_loops)
    sources, targets = rmat_edges(
        scale, edge_factor=edge_factor, a=a, b=b, c=c, permute=permute, seed=seed
    )
    return assemble(
        sources,
        targets,
        num_vertices=1 << scale,
        directed=directed,
        count_duplicates=count_duplicates,
        self_loops=self_loops,
    )


def rmat_edges(
    scale: int,
    *,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    permute: bool = True,
    seed: int = 0,
    part: tuple[int, int] | None = None,
) -> Edges:
    """Return the edges that `rmat` draws, as two arrays, with repeats and self-loops.

    Parameters
    ----------
    scale, edge_factor, a, b, c, permute, seed
        As for `rmat`.
    part : pair of int, optional
        Draw only edges ``part[0]`` to ``part[1] - 1``, which takes memory for these alone.

    Returns
    -------
    Edges
        ``sources`` and ``targets``, two arrays over edges, int32 if the ids fit.

    Examples
    --------
    >>> edges = rmat_edges(10, edge_factor=2)
    >>> len(edges.sources), edges.targets.dtype
    (2048, dtype('int32'))
    """
    from edgewise.generators.cpu.random_edges import permutation, recursive, rename

    n = 1 << check_scale(scale)
    m = n * check_count(edge_factor, "edge_factor", most=2**20)
    permute = check_flag(permute, "permute")
    limits = check_quadrants(a, b, c)
    key = check_seed(seed)
    kind = id_type(n)
    first, count = check_part(part, m)
    names = np.empty(n if permute and part is None else 0, kind)
    launch(permutation, stream(key, 1), names, work=len(names))
    edges = Edges(np.empty(count, kind), np.empty(count, kind))
    launch(recursive, stream(key, 2), scale, limits, names, first, *edges, work=count)
    if permute and part is not None:
        for ends in edges:
            launch(rename, stream(key, 1), n, ends, work=count)
    return edges


def check_scale(scale: int) -> int:
    """``scale`` as an int from 0 to 40."""
    if check_count(scale, "scale") > _LARGEST_SCALE:
        raise ValueError(f"scale must be at most {_LARGEST_SCALE}, got {scale}")
    return int(scale)


def check_quadrants(a: float, b: float, c: float) -> tuple[np.uint64, ...]:
    """The cumulated probabilities in units of 2**-32."""
    parts = [check_fraction(value, name) for value, name in ((a, "a"), (b, "b"), (c, "c"))]
    if sum(parts) > 1 + 1e-12:
        raise ValueError(f"a + b + c must be at most 1, got {a} + {b} + {c} = {sum(parts)}")
    return tuple(np.uint64(round(x * 2**32)) for x in np.cumsum(parts))
