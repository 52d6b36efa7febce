"""Work arrays of a traversal on CPU threads, kept with the graph: a call costs what it touches.

A call borrows the graph's workspace and hands it back as clean as it was: it undoes what it has
written, and stamps need no cleaning because the number that is stamped only ever rises. While one
call has it, another (of a second Python thread, or of a signal handler) finds none and makes its
own; a call that fails hands nothing back. A workspace is no part of the graph: copies, pickles and
graphs made from this one have none.

Arrays are made when first asked for. Kept are at most, in bytes a vertex: 16 for queues and stamps,
3 for locks, marks and bitmaps, 32 for arrays that hold an identity, and what the buckets of
`priority` have used of 17; twice the 16 where ids have 64 bits.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from edgewise.graph import Graph
from edgewise.operators.workspace import Filled, borrowed

__all__ = ["Workspace", "workspace"]


def workspace(graph: Graph, id_type: np.dtype) -> borrowed:
    """The graph's workspace for ids of this type, for a ``with`` block; clean again at its end."""
    return borrowed(graph, id_type.str, lambda: Workspace(graph.num_vertices, id_type))


class Workspace(Filled):
    """Arrays over the vertices of one graph."""

    def __init__(self, n: int, id_type: np.dtype):
        super().__init__(n)
        self.id_type = id_type
        self.stamp = 0  # the greatest number that is stamped anywhere
        self.turns = 1  # rounds of the last search
        self.pool: Any = None  # of `edgewise.operators.cpu.buckets`
        self.scratch: Any = None  # of `edgewise.operators.cpu.rounds`
        self._buffers = np.empty((0, 0), id_type)

    @cached_property
    def queues(self) -> tuple[np.ndarray, np.ndarray]:
        """Two lists of ids, with space for every vertex and with any content."""
        return np.empty(self.n, self.id_type), np.empty(self.n, self.id_type)

    @cached_property
    def bitmaps(self) -> tuple[np.ndarray, np.ndarray]:
        """Two bitmaps of any content."""
        words = -(-self.n // 64)
        return np.empty(words, np.uint64), np.empty(words, np.uint64)

    @cached_property
    def empty_bitmap(self) -> np.ndarray:
        """A bitmap without a member; whoever sets bits clears them."""
        return np.zeros(-(-self.n // 64), np.uint64)

    @cached_property
    def stamps(self) -> np.ndarray:
        """A number for every vertex, none above ``stamp``; who stamps higher raises that."""
        return np.zeros(self.n, np.int64)

    @cached_property
    def locks(self) -> np.ndarray:
        """A lock for every vertex, all open."""
        return np.zeros(self.n, np.int8)

    @cached_property
    def marks(self) -> np.ndarray:
        """A mark for every vertex, none set; whoever sets one clears it."""
        return np.zeros(self.n, np.int8)

    def buffers(self, team: int, width: int) -> np.ndarray:
        """A row of ids for each thread, of any content."""
        if self._buffers.shape != (team, width):
            self._buffers = np.empty((team, width), self.id_type)
        return self._buffers

    def filled(self, dtype: np.dtype, identity: Any, columns: int = 1) -> np.ndarray:
        """An array of ``identity`` everywhere, one for each vertex and column.

        Whoever changes an element writes the identity back.
        """
        return self.lend(self.n * columns, dtype, identity, np.full)
