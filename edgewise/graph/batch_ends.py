"""Batches of edges as users give them: checked, with ids for labels, and with new vertices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.graph.csr import as_weights
from edgewise.graph.encoding import column
from edgewise.graph.ids import vertex_ids
from edgewise.graph.labels import Labels
from edgewise.graph.transfer import host

__all__ = ["Batch", "read_batch", "read_removed"]


class Batch(NamedTuple):
    """Edges to add: ids of their ends, weights or None, and what the vertices are called then."""

    sources: np.ndarray
    targets: np.ndarray
    weights: Any
    num_vertices: int
    labels: Labels | None


def read_batch(graph: Any, add: Any, labels: bool | None, argument: str = "add") -> Batch:
    """The edges that a user wants to add, checked; ``graph`` has labels, weights and vertices."""
    n = graph.num_vertices
    if add is None:
        empty = np.empty(0, np.int64)
        kind = None if graph.weights is None else np.empty(0, graph.weights.dtype)
        return Batch(empty, empty, kind, n, graph.labels)
    sources, targets, weights = _columns(add, argument, (2, 3))
    names = _as_labels(graph, sources, targets, labels)
    if names is None:
        us, vs, most, _ = vertex_ids(host(sources), host(targets), None, False)
        if graph.labels is not None and most > n:
            raise ValueError(
                f"{argument} must have labels for new vertices, because the graph has labels; got "
                f"id {most - 1} in a graph of {n} vertices"
            )
        n, known = max(n, most), graph.labels
    else:
        (us, vs), known = _grown(graph, *names)
        n = len(known)
    if (weights is None) != (graph.weights is None):
        given = "no weights" if weights is None else "weights"
        has = "no weights" if graph.weights is None else "weights"
        raise ValueError(f"{argument} has {given}, but the graph has {has}; see with_weights")
    if weights is not None:
        weights = as_weights(host(weights), len(us), f"weights of {argument}")
    return Batch(us.astype(np.int64), vs.astype(np.int64), weights, n, known)


def read_removed(
    graph: Any, remove: Any, labels: bool | None, missing: str = "ignore"
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the edges to remove; those of unknown vertices are missing edges."""
    if remove is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    sources, targets, _ = _columns(remove, "remove", (2,))
    names = _as_labels(graph, sources, targets, labels)
    if names is None:
        us, vs, *_ = vertex_ids(host(sources), host(targets), None, False)
    else:
        us, vs = map(graph.labels.find, names)
    us, vs, n = us.astype(np.int64), vs.astype(np.int64), graph.num_vertices
    known = (us >= 0) & (vs >= 0) & (us < n) & (vs < n)
    if missing == "raise" and not known.all():
        at = int(np.argmin(known))
        raise ValueError(
            f"remove must hold edges of the graph if missing='raise', got "
            f"({sources[at]!r}, {targets[at]!r}) at position {at}"
        )
    return us[known], vs[known]


def _columns(edges: Any, argument: str, sizes: tuple[int, ...]) -> tuple[Any, Any, Any]:
    many = " or ".join("(sources, targets, weights)" if k == 3 else "(sources, targets)"
                       for k in sizes)  # fmt: skip
    if not isinstance(edges, (tuple, list)) or len(edges) not in sizes:
        shown = f"{len(edges)} parts" if isinstance(edges, (tuple, list)) else repr(edges)
        raise TypeError(f"{argument} must be {many}, got {shown:.80}")
    return (*edges, None)[:3] if len(edges) < 3 else (edges[0], edges[1], edges[2])


def _as_labels(graph: Any, sources: Any, targets: Any, labels: bool | None) -> Any:
    """Both ends as columns of labels; None if they are ids."""
    if labels and graph.labels is None:
        raise ValueError("labels=True needs a graph with labels; see with_labels")
    ends = [column(host(one), name) for one, name in ((sources, "sources"), (targets, "targets"))]
    whole = all(one.dtype.kind in "iu" or len(one) == 0 for one in ends)
    if whole and not labels:
        return None
    if graph.labels is None:
        raise TypeError("sources and targets must be vertex ids in a graph without labels, got "
                        f"dtypes {ends[0].dtype} and {ends[1].dtype}")  # fmt: skip
    if len(ends[0]) != len(ends[1]):
        raise ValueError("sources and targets must be equally long, got "
                         f"{len(ends[0])} and {len(ends[1])}")  # fmt: skip
    return [one.astype(object) if one.dtype.kind in "UST" else one for one in ends]


def _grown(graph: Any, sources: Any, targets: Any) -> tuple[list[np.ndarray], Labels]:
    """Ids of labels; unknown ones follow the old ones, in their own order."""
    ends = [graph.labels.find(one) for one in (sources, targets)]
    fresh = [one[ids < 0] for one, ids in zip((sources, targets), ends, strict=True)]
    if not sum(map(len, fresh)):
        return ends, graph.labels
    more, ids = Labels.encode(*fresh, names=("sources", "targets"))
    for one, new in zip(ends, ids, strict=True):
        one[one < 0] = new + graph.num_vertices
    old, new = graph.labels.values, more.values
    if old.dtype != new.dtype:
        old, new = old.astype(object), new.astype(object)
    return ends, Labels(np.concatenate([old, new]))
