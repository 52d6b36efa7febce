"""Compressed graphs: row starts and neighbors in blocks of few bits (`edgewise.base.bit_blocks`).

A compressed graph is a `Graph` like any other. Operators, and algorithms built on them, read the
blocks directly. What needs a plain array (``graph.indptr``, ``graph.indices``) gets one that is
unpacked for it and lives only as long as it is used. Results of transformations are plain graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.bit_blocks import LIMIT, pack
from edgewise.base.checks import check_choice
from edgewise.base.coded import Coded, encode, rounded
from edgewise.graph.csr import CSR, frozen
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.stored import Stored, around

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "WEIGHTS",
    "compress",
    "decompress",
    "narrowed",
    "packed",
    "packed_rows",
    "rewrapped",
    "transposed",
]

#: How weights can be stored in less space.
WEIGHTS = ("dictionary", "float16", "float32")
#: What is known of the structure, and holds in any form.
_KNOWN = ("num_self_loops", "longest_row", "max_degree")


def compress(graph: Graph, *, weights: str | None = None) -> Graph:
    """Return the graph with its rows compressed: fewer bytes per arc, and every arc in reach.

    Each 64 consecutive neighbors are stored as differences to the smallest of them, in as few bits
    as the largest difference needs. Any arc is still found in constant time. An order of the
    vertices that places neighbors near one another makes the graph smaller (`edgewise.ordering`).

    Operators read compressed rows as they are. Algorithms that need ``graph.indices`` as an array
    unpack it for as long as they use it. Columns stay as they are. A graph on a GPU or a grid is
    not compressed; ``compressed.to("cuda")`` unpacks it there.

    Parameters
    ----------
    weights : {"dictionary", "float16", "float32"}, optional
        How weights are stored; by default they stay as they are. ``"dictionary"`` keeps a table of
        the distinct weights, at most 65,536, and a code of one or two bytes per arc.
        ``"float16"`` does so with weights rounded to 16 bits (3 digits); the new weights are of
        type float32. ``"float32"`` rounds to 32 bits (7 digits), without a table.

    Returns
    -------
    Graph
        An equal graph, but for rounded weights; the graph itself if nothing is to be changed.

    Raises
    ------
    ValueError
        If the graph has 2**32 vertices or more, too many distinct weights for a dictionary, or
        weights beyond the range of a type.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> graph = grid_2d(100, 100)
    >>> small = graph.compress()
    >>> small == graph, small.is_compressed, 3 * small.nbytes < graph.nbytes
    (True, True, True)
    >>> weighted = graph.with_weights([1.5, 2.0] * (graph.num_edges // 2))
    >>> coded = weighted.compress(weights="dictionary")
    >>> coded == weighted, weighted.compress().nbytes // coded.nbytes
    (True, 3)
    """
    from edgewise.graph.transfer import check_host

    check_host(graph, "compress")
    if weights is not None:
        check_choice(weights, "weights", WEIGHTS)
    own = graph.stored_weights
    as_before = weights is None or own is None or isinstance(own, Coded)
    if graph.is_compressed and as_before:
        return graph
    check_arcs(graph, "compress")
    if graph.num_vertices > LIMIT:
        raise ValueError(f"compress takes at most 2**32 vertices, got {graph.num_vertices:,}")
    rows = graph.stored
    rows = rows if graph.is_compressed else packed_rows(*rows)
    result = _around(graph, rows, own if as_before else narrowed(own, weights))
    if "_arc_ids" in graph.__dict__:
        result._keep(_arc_ids=graph.__dict__["_arc_ids"])
    return result


def narrowed(weights: Any, how: str | None) -> Any:
    """Weights as one of the words of `WEIGHTS` stores them.

    >>> narrowed(np.array([1, 7, 1]), "dictionary")
    Coded(3 of int64, 19 bytes)
    """
    if how == "float32":
        return frozen(rounded(weights, np.float32))
    return encode(weights, np.float16 if how == "float16" else None)


def decompress(graph: Graph) -> Graph:
    """Return the graph with plain arrays; the graph itself if it is not compressed.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).compress().decompress().is_compressed
    False
    """
    if not graph.is_compressed:
        return graph
    check_arcs(graph, "decompress")
    result = type(graph)(graph.indptr, graph.indices, graph.weights, **graph._options())
    return _told(graph, result)


def packed(csr: CSR) -> CSR:
    """Compressed columns that are no graph; row starts stay an array, for fast access."""
    return around(CSR, Stored(csr.indptr, pack(csr.indices)), csr.weights, shape=csr.shape)


def packed_rows(indptr: Any, indices: Any) -> Stored:
    """Row starts and columns in blocks; row starts that are too large for that stay an array."""
    starts = pack(indptr) if len(indices) < LIMIT else indptr
    return Stored(starts, pack(indices))


def rewrapped(graph: Graph, weights: Any, **options: Any) -> Graph:
    """A graph that shares the rows of a compressed one."""
    result = _around(graph, graph.stored, weights)
    result._keep(**options)
    return result


def transposed(graph: Graph) -> Graph:
    """The transpose of a directed compressed graph, compressed.

    Which arc of the graph each of its arcs is (``arc_ids``) is found out when it is asked for.
    """
    from edgewise.graph.transpose import turned

    indptr, indices = map(np.asarray, graph.stored)  # unpacked, also within a memory limit
    weights = graph.stored_weights
    weights = np.asarray(weights) if isinstance(weights, Coded) else weights
    arrays = turned(indptr, indices, weights, graph.num_vertices)
    result = type(graph)(*arrays, directed=True, labels=graph.labels).compress()
    if isinstance(graph.stored_weights, Coded):
        result = _around(result, result.stored, encode(arrays[2]))
    result._keep(_origin=graph)
    return result


def _around(graph: Graph, rows: Stored, weights: Any) -> Graph:
    """A graph of these rows, with labels and columns of another one."""
    return _told(graph, around(type(graph), rows, weights, **graph._options()))


def _told(graph: CSR, result: Any) -> Any:
    """Hand on what is known of the structure already."""
    known = {name: graph.__dict__[name] for name in _KNOWN if name in graph.__dict__}
    result._keep(**known)
    return result
