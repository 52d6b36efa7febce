"""From the ends of edges, as users have them, to vertex ids 0..n-1: as they are, or by labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.memory import total_memory
from edgewise.graph.csr import frozen
from edgewise.graph.encoding import column
from edgewise.graph.labels import Labels

__all__ = ["as_ids", "check_ids", "vertex_ids"]


def vertex_ids(
    sources: Any, targets: Any, num_vertices: int | None, labels: Any
) -> tuple[np.ndarray, np.ndarray, int, Labels | None]:
    """Both ends as ids of one integer type, the number of vertices, and the labels if any.

    The rule is in `Graph.from_edges`, under ``labels``.
    """
    if num_vertices is not None:
        num_vertices = check_count(num_vertices, "num_vertices")
    if not (labels is None or isinstance(labels, (bool, Labels))):
        raise TypeError(f"labels must be None, True, False or Labels, got {type(labels).__name__}")
    for ends, name in ((sources, "sources"), (targets, "targets")):
        single = isinstance(ends, (str, bytes)) or getattr(ends, "ndim", 1) == 0
        if single or not hasattr(ends, "__len__"):
            raise TypeError(f"{name} must be an array or a list, got {ends!r}")
    if len(sources) != len(targets):
        raise ValueError(
            f"sources and targets must be equally long, got {len(sources)} and {len(targets)}"
        )
    if isinstance(labels, Labels):
        known = (
            labels.vertex(column(sources, "sources")),
            labels.vertex(column(targets, "targets")),
        )
        return *as_ids(*known), _agree(num_vertices, labels), labels
    if not labels:
        us, vs = _integers(sources, "sources"), _integers(targets, "targets")
        if us is not None and vs is not None:
            n = _count(us, vs) if num_vertices is None else num_vertices
            check_ids(us, n, "sources")
            check_ids(vs, n, "targets")
            return *as_ids(us, vs), n, None
        if labels is False:
            raise TypeError(
                "sources and targets must be integers when labels=False, got dtypes "
                f"{column(sources, 'sources').dtype} and {column(targets, 'targets').dtype}"
            )
    labels, (us, vs) = Labels.encode(sources, targets, names=("sources", "targets"))
    return *as_ids(us, vs), _agree(num_vertices, labels), labels


def check_ids(ids: np.ndarray, n: int, name: str) -> None:
    """ValueError, with position and value, unless all ids lie in 0..n-1."""
    if len(ids) and (ids.min() < 0 or ids.max() >= n):
        at = int(np.argmax((ids < 0) | (ids >= n)))
        if ids[at] < 0:
            raise ValueError(
                f"{name} must not be negative, got {ids[at]} at position {at} "
                "(labels=True makes any integers labels)"
            )
        raise ValueError(f"{name} must be below num_vertices ({n}), got {ids[at]} at position {at}")


def as_ids(sources: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both as contiguous read-only int32, or int64 if one needs that; no copy where none is needed.

    One layout means that kernels compile for two types alone.
    """
    small = all(np.can_cast(c.dtype, np.int32) for c in (sources, targets))
    kind = np.int32 if small else np.int64
    sources, targets = (frozen(np.ascontiguousarray(c, kind)) for c in (sources, targets))
    return sources, targets


def _count(sources: np.ndarray, targets: np.ndarray) -> int:
    """One more than the largest id, if so many vertices fit in memory."""
    n = max((int(ids.max()) for ids in (sources, targets) if len(ids)), default=-1) + 1
    if n > 2**31 or 8 * n > total_memory():
        raise ValueError(
            f"sources and targets hold ids up to {n - 1}: a graph of {n} vertices does not fit in "
            "memory; with labels=True only the ids that occur become vertices"
        )
    return n


def _integers(values: Any, name: str) -> np.ndarray | None:
    """The column, if it holds integers."""
    if hasattr(values, "dictionary_encode") and "int" not in str(values.type):
        return None
    values = column(values, name)
    return values if values.dtype.kind in "iu" else None


def _agree(num_vertices: int | None, labels: Labels) -> int:
    if num_vertices not in (None, len(labels)):
        raise ValueError(
            f"num_vertices must be the number of labels ({len(labels)}) or None, got {num_vertices}"
        )
    return len(labels)
