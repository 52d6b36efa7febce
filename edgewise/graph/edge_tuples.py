"""Edges given as pairs (u, v) or triples (u, v, weight), taken apart into columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.transfer import on_gpu

__all__ = ["columns_of"]

_RULE = "edges must be pairs (u, v) or triples (u, v, weight), or sources and targets"


def columns_of(pairs: Any, weights: Any = None) -> tuple[Any, Any, Any]:
    """Sources, targets and weights (or None) of edges that come as pairs or triples.

    They are any iterable of pairs or triples, or an array with two or three columns. In an array of
    floats, as weights may want one, the ends must be whole numbers.

    >>> columns_of([("a", "b", 2.5), ("b", "c", 1)])
    (['a', 'b'], ['b', 'c'], [2.5, 1])
    """
    if on_gpu(pairs) or isinstance(pairs, np.ndarray):
        columns = _of_array(pairs)
    else:
        columns = _of_items(pairs)
    if len(columns) == 2:
        return columns[0], columns[1], weights
    if weights is not None:
        raise TypeError("weights must be None where edges are triples (u, v, weight)")
    return columns[0], columns[1], columns[2]


def _of_array(pairs: Any) -> list[Any]:
    if len(pairs.shape) != 2 or pairs.shape[1] not in (2, 3):
        raise ValueError(f"{_RULE}; got an array of shape {tuple(pairs.shape)}")
    columns = [pairs[:, i] for i in range(pairs.shape[1])]
    if isinstance(pairs, np.ndarray) and pairs.dtype.kind == "f":
        columns[:2] = [_whole(column) for column in columns[:2]]
    return columns


def _whole(ends: np.ndarray) -> np.ndarray:
    wrong = ~((ends == np.floor(ends)) & (abs(ends) < 2**53))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"ends of edges must be whole numbers, got {ends[at]} at position {at}")
    return ends.astype(np.int64)


def _of_items(pairs: Any) -> list[Any]:
    if isinstance(pairs, (str, bytes, dict)) or not np.iterable(pairs):
        raise TypeError(f"{_RULE}; got {pairs!r}")
    if hasattr(pairs, "columns"):
        raise TypeError(f"{_RULE}; Graph.from_pandas and Graph.from_arrow take data frames")
    arrays = isinstance(pairs, tuple) and any(getattr(one, "ndim", 0) for one in pairs)
    pairs = list(pairs)
    size = len(pairs[0]) if pairs and hasattr(pairs[0], "__len__") else 2
    for at, one in enumerate(pairs):
        odd = arrays or isinstance(one, (str, bytes, dict)) or not hasattr(one, "__getitem__")
        if odd or len(one) != size or size not in (2, 3):
            raise TypeError(f"{_RULE}; got {one!r} at position {at}")
    return [[one[i] for one in pairs] for i in range(size)]
