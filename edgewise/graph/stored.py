"""How a graph stores its rows: in arrays, or in `Blocks` of few bits, unpacked on demand.

Weights of such a graph are an array, or `Coded`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.coded import Coded
from edgewise.base.memory import free_memory
from edgewise.graph.memory_limit import check_arcs

__all__ = ["Decoded", "Stored", "Unpacked", "around"]


class Stored(NamedTuple):
    """Row starts and columns as they are stored: arrays, or `Blocks` of a compressed graph.

    Kernels read both alike.
    """

    indptr: Any
    indices: Any


class Unpacked:
    """An array that a compressed graph stores in blocks, and that is unpacked when it is read."""

    def __init__(self, position: int):
        self.position = position

    def __get__(self, csr: Any, kind: Any = None) -> Any:
        if csr is None:
            return self
        if not csr.is_compressed:
            raise AttributeError("a graph without rows, as copy and pickle make one")
        blocks = csr.__dict__["_packed"][self.position]
        if self.position:
            check_arcs(csr, "graph.indices of a compressed graph")
        needed, free = len(blocks) * blocks.itemsize, free_memory()
        if needed > free:
            raise MemoryError(
                f"the rows of this compressed graph take {needed:,} bytes unpacked, but only "
                f"{free:,} bytes are free; operators read them as they are"
            )
        return np.asarray(blocks)


class Decoded:
    """The weight of every arc, or None in an unweighted graph; codes are decoded at each use."""

    def __get__(self, csr: Any, kind: Any = None) -> Any:
        if csr is None:
            return self
        coded = csr.__dict__.get("_coded")
        if coded is None:
            raise AttributeError("a graph without weights, as copy and pickle make one")
        check_arcs(csr, "graph.weights of a graph with coded weights")
        return np.asarray(coded)


def around(kind: Any, rows: Stored, weights: Any, **attributes: Any) -> Any:
    """A graph, or another kind of rows, around compressed ones."""
    result = object.__new__(kind)
    count = len(rows.indptr) - 1
    own = "_coded" if isinstance(weights, Coded) else "weights"
    result._keep(_packed=rows, **{own: weights, "shape": (count, count), **attributes})
    return result
