"""Records of the arrays that kernels read and write: compressed rows, and lists of edges."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["EdgeArrays", "RowArrays"]


class RowArrays(NamedTuple):
    """Compressed rows: where each begins, their columns, and weights (as plain bits) or None."""

    indptr: Any
    indices: Any
    weights: Any = None


class EdgeArrays(NamedTuple):
    """A list of edges: both ends of each, and weights (as plain bits) or None."""

    sources: Any
    targets: Any
    weights: Any = None
