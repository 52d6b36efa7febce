"""Supervertices: all vertices with one label become one, their edges are combined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.build import assemble
from edgewise.graph.device import check_host
from edgewise.graph.ids import as_ids
from edgewise.graph.labels import Labels, column

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["contract"]


def contract(graph: Any, labels: Any, *, reduce: str = "sum") -> Graph:
    """Merge the vertices that share a label; edges between the groups are combined.

    Edges inside a group become its self-loop, whose weight combines each of them once.

    Parameters
    ----------
    labels : array
        The group of every vertex. Groups are numbered in ascending order of their labels; they
        stay the new graph's labels unless they are 0..k-1 already.
    reduce : {"sum", "min", "max"}
        How weights combine. Sums are float64 or int64, and count the edges of a graph without
        weights; its minimum or maximum has no weights either.

    Returns
    -------
    Graph
        As directed as the given one.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 2.0, 4.0, 8.0])
    >>> halves = square.contract([0, 0, 1, 1])
    >>> [part.tolist() for part in halves.edges()]
    [[0, 0, 1], [0, 1, 1], [1.0, 10.0, 4.0]]
    """
    check_host(graph, "contract")
    check_choice(reduce, "reduce", ("sum", "min", "max"))
    labels = column(labels, "labels")
    if len(labels) != graph.num_vertices:
        raise ValueError(
            f"labels must have one entry per vertex ({graph.num_vertices}), got {len(labels)}"
        )
    names, (groups,) = Labels.encode(labels, names=("labels",))
    sources, targets, weights = graph.edges()
    if reduce == "sum":
        weights = np.ones(len(sources), np.int64) if weights is None else _widened(weights)
    ends = as_ids(groups[sources], groups[targets])
    built = assemble(*ends, weights, len(names), undirected=not graph.directed, duplicates=reduce)
    plain = names.dtype.kind in "iu" and np.array_equal(names.values, np.arange(len(names)))
    result = type(graph)(
        built.indptr,
        built.indices,
        built.weights,
        directed=graph.directed,
        labels=None if plain else names,
    )
    result._keep(num_self_loops=built.loops)
    return result


def _widened(weights: np.ndarray) -> np.ndarray:
    return weights.astype(np.int64 if weights.dtype.kind == "i" else np.float64, copy=False)
