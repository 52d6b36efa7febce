"""Streams of edges in blocks (sources, targets, weights), from a graph or from the caller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from edgewise.graph.csr import as_weights
from edgewise.graph.kinds import AnyGraph

__all__ = ["arcs_in_blocks", "checked_blocks"]

_BLOCK = 1 << 20  # arcs of a graph that come by at once


def arcs_in_blocks(graph: AnyGraph, lengths: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The arcs of a graph, both directions of every edge, with these weights (None: all one)."""
    indptr, m = graph.indptr, graph.num_arcs
    for low in range(0, m, _BLOCK):
        high = min(low + _BLOCK, m)
        first, last = np.searchsorted(indptr, low, "right") - 1, np.searchsorted(indptr, high)
        sizes = np.diff(np.clip(indptr[first : last + 1], low, high))
        weights = np.ones(high - low) if lengths is None else lengths[low:high]
        sources, targets = np.repeat(np.arange(first, last), sizes), graph.indices[low:high]
        yield sources, targets.astype(np.int64), weights.astype(np.float64, copy=False)


def checked_blocks(blocks: Iterable[Any], n: int) -> Iterator[tuple[Any, Any, Any]]:
    """Blocks as arrays of int64 and float64; an error where one is not what it should be."""
    try:
        blocks = iter(blocks)
    except TypeError:
        raise TypeError(f"blocks must be an iterable of blocks, got {blocks!r:.80}") from None
    for number, block in enumerate(blocks):
        try:
            sources, targets, weights = block
        except (TypeError, ValueError):
            raise TypeError(
                f"blocks must be tuples (sources, targets, weights), got {block!r:.80} as block "
                f"{number}"
            ) from None
        sources, targets = _ends(sources, n, "sources"), _ends(targets, n, "targets")
        weights = np.ones(len(sources)) if weights is None else as_weights(weights)
        if not len(sources) == len(targets) == len(weights):
            sizes = len(sources), len(targets), len(weights)
            raise ValueError(f"the arrays of a block must have equal lengths, got {sizes}")
        wrong = np.flatnonzero(~np.isfinite(weights))
        if len(wrong):
            u, v, weight = sources[wrong[0]], targets[wrong[0]], weights[wrong[0]]
            raise ValueError(f"weights must be finite, got {weight} on {u} - {v}")
        yield sources, targets, weights.astype(np.float64, copy=False)


def _ends(ends: Any, n: int, name: str) -> np.ndarray:
    """One end of every edge, as int64."""
    ends = np.asarray(ends)
    if ends.ndim != 1 or (ends.size and ends.dtype.kind not in "iu"):
        raise TypeError(
            f"{name} of a block must be vertex ids (integers) in one dimension, got {ends.dtype} "
            f"of shape {ends.shape}"
        )
    if ends.size and not (ends.min() >= 0 and ends.max() < n):
        raise ValueError(f"ends must be 0 to {n - 1}, got {ends.min()} to {ends.max()}")
    return np.ascontiguousarray(ends, np.int64)
