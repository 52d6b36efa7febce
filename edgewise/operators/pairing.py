"""The contract of `pair`: vertices pair up along edges that no neighboring edge outranks.

Edges are ranked by weight, the heavier first; equal weights by `tie`, a hash of the two ids, the
greater first; equal hashes by the ids themselves, the smaller pair first. This is a strict order
of all edges, the same from both ends and on every engine, and with it there is exactly one
matching in which every edge that is not chosen meets a chosen one that outranks it. A hash, not the
ids alone, because ids that grow along a path would make equal weights wait for each other in a
chain as long as the path.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.random import mix
from edgewise.operators.engines import run

__all__ = ["pair", "tie"]

_GOLDEN, _ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(1)


def tie(u, v):
    """The rank of edge u - v among edges of equal weight, the same from both ends: never 0.

    Plain arithmetic on np.uint64, so that it compiles into kernels and takes arrays.

    >>> with np.errstate(over="ignore"):
    ...     bool(tie(np.uint64(1), np.uint64(7)) == tie(np.uint64(7), np.uint64(1)))
    True
    """
    return mix(mix(u + v + _GOLDEN) ^ (u * v)) | _ONE


def pair(
    graph: Any, mates: Any, *, weights: Any = None, batches: Any = None, devices: Any = None
) -> None:
    """Pair the free vertices up by local dominance until no edge joins two free ones.

    Round by round, every free vertex points at the free neighbor to which its highest ranking edge
    leads, and two that point at each other become mates. Edges of weight zero or less are never
    chosen; self-loops neither. The weights of an undirected edge must agree in both directions.

    Parameters
    ----------
    graph : Graph
        Undirected.
    mates : array of the type of ``graph.indices``
        -1 where a vertex is free; becomes its mate. What is not -1 stays as it is.
    weights
        As for `advance`; finite.
    batches : int or "auto", optional
        For a graph in host memory that is larger than the GPU's: bring its edges in so many parts;
        ``"auto"`` chooses by the memory that is free. The result is the same.
    devices : name or list of names, optional
        With ``batches``, or instead: the devices that share the vertices, such as
        ``["cuda:0", "cuda:1"]``; ``"cuda"`` by default. A name may be there twice, and ``"cpu"``
        is one.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1.0, 2.0, 1.0])
    >>> mates = path.full(-1, path.indices.dtype)
    >>> pair(path, mates)
    >>> mates.tolist()
    [-1, 2, 1, -1]
    """
    if batches is None and devices is None:
        run(graph, "pair")(graph, mates, weights)
    else:
        from edgewise.operators.batches import pair_in_batches

        pair_in_batches(graph, mates, weights, batches, devices)
