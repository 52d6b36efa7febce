"""Many small graphs as one: their rows one after the other, with labels as numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.foreign import as_graph
from edgewise.graph.transfer import check_host, host

__all__ = ["ManyGraphs", "read_graphs"]


class ManyGraphs(NamedTuple):
    """The disjoint union of graphs; vertices of graph i begin at ``starts[i]``."""

    starts: np.ndarray
    graph_of: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    labels: np.ndarray
    edge_labels: np.ndarray  # over arcs
    weights: np.ndarray  # over arcs
    degrees: np.ndarray  # sums of weights
    values: np.ndarray  # numbers of vertices, or none
    edge_values: np.ndarray  # over arcs, or none

    def __len__(self) -> int:
        return len(self.starts) - 1


def read_graphs(
    graphs: Any, vertex_labels: Any, edge_labels: Any = None, vertex_values: Any = None,
    edge_values: Any = None,
) -> ManyGraphs:  # fmt: skip
    """The arguments of a call, checked."""
    if hasattr(graphs, "num_vertices") or not np.iterable(graphs):
        raise TypeError(f"graphs must be a list of graphs, got {graphs!r:.80}")
    found = [as_graph(one) for one in graphs]
    for i, graph in enumerate(found):
        check_host(graph, "a graph kernel")
        if graph.directed:
            raise ValueError(f"graphs must be undirected, and graph {i} is directed")
    starts = offsets([graph.num_vertices for graph in found])
    arcs = offsets([graph.num_arcs for graph in found])
    indptr = _joined([one.indptr[:-1] + low for one, low in zip(found, arcs, strict=False)])
    indices = _joined([one.indices + low for one, low in zip(found, starts, strict=False)])
    owner = np.repeat(np.arange(len(found)), np.diff(starts))
    names = _labels(_parts(found, vertex_labels, "vertex_labels"))
    kinds = _labels(_parts(found, edge_labels, "edge_labels"))
    numbers = _numbers(_parts(found, vertex_values, "vertex_values"), "vertex_values")
    lengths = _numbers(_parts(found, edge_values, "edge_values"), "edge_values")
    by_edge = np.concatenate([np.zeros(0, np.int64), *(
        graph.arc_to_edge + low
        for graph, low in zip(found, offsets([one.num_edges for one in found]), strict=False)
    )])  # fmt: skip
    weights = np.concatenate([
        np.zeros(0), *(np.ones(one.num_arcs) if one.weights is None else one.weights
                       for one in found)])  # fmt: skip
    if not ((weights >= 0) & (weights < np.inf)).all():
        raise ValueError("weights of graphs must be finite and not negative")
    indptr = np.append(indptr, arcs[-1])
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    degrees = np.bincount(rows, weights, minlength=len(indptr) - 1).astype(np.float64)
    return ManyGraphs(starts, owner, indptr, indices, names, kinds[by_edge], weights, degrees,
                      numbers, lengths[by_edge] if len(lengths) else lengths)  # fmt: skip


def _joined(parts: list) -> np.ndarray:
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


def _parts(graphs: list, given: Any, name: str) -> list[np.ndarray] | None:
    """An array for each graph: a column of that name, or what is given; checked, or None."""
    if given is None and name.endswith("values"):
        return None
    what = "vertices" if name.startswith("vertex") else "edges"
    sizes = [graph.num_vertices if what == "vertices" else graph.num_edges for graph in graphs]
    if given is None:
        return [np.zeros(size, np.int64) for size in sizes]
    parts = []
    if isinstance(given, str):
        for i, graph in enumerate(graphs):
            view = graph.vertices if what == "vertices" else graph.edges
            if given not in view.columns:
                raise ValueError(f"{name}: graph {i} has no column {given!r} of {what}")
            parts.append(np.asarray(host(view[given])))
    else:
        parts = [np.asarray(host(one)) for one in given]
        if len(parts) != len(graphs):
            raise ValueError(
                f"{name} must have one array per graph ({len(graphs)}), got {len(parts)}"
            )
    for i, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        if np.shape(part) != (size,):
            raise ValueError(
                f"{name} of graph {i} must have one entry for each of {size} {what}, got shape "
                f"{np.shape(part)}"
            )
    return parts


def _labels(parts: list[np.ndarray] | None) -> np.ndarray:
    """One number per label, equal ones for equal labels of all graphs."""
    everything = np.concatenate(parts) if parts else np.zeros(0)
    return np.unique(everything, return_inverse=True)[1].astype(np.int64)


def _numbers(parts: list[np.ndarray] | None, name: str) -> np.ndarray:
    """The numbers of all graphs; none where there are no parts."""
    if parts is None:
        return np.zeros(0)
    try:
        found = np.concatenate([np.zeros(0), *(part.astype(np.float64) for part in parts)])
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers") from None
    if not np.isfinite(found).all():
        raise ValueError(f"{name} must be finite numbers")
    return found
