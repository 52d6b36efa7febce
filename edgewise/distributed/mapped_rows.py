"""Rows of a rank in a mapped file: `edgewise.distributed.read` with ``memory=`` and ``scratch=``.

A rank builds its block in memory, copies targets and weights to files in a scratch folder, and maps
them. `edgewise.base.mapped_pages` then keeps the process within the limit. The files have no names,
so the system removes them when the graph or the process ends, whatever ended it.

Arrays over the vertices at hand stay in memory. An algorithm runs if it is marked by ``streams``
and was measured to take no memory per arc on a rank, too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.checks import check_bytes
from edgewise.base.mapped_pages import MappedPages
from edgewise.distributed.estimating import bytes_without_arcs
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.shares import together
from edgewise.graph import Graph
from edgewise.graph.memory_limit import Held

__all__ = ["check_place", "map_rows"]

#: What a graph on a grid may have made of its block by now.
_MADE = ("indices", "sources", "whole", "turned", "_transpose")


def check_place(memory: Any, scratch: Any, device: str) -> None:
    """ValueError, TypeError or OSError unless rows can be kept in a scratch folder."""
    if (memory is None) != (scratch is None):
        raise ValueError(
            "memory and scratch go together on a grid: a limit, and a folder for the rows; got "
            f"memory={memory!r}, scratch={scratch!r}"
        )
    if memory is None:
        return
    check_bytes(memory, "memory")
    if device != "cpu":
        raise ValueError(f"device must be 'cpu' with memory, got {device!r}")
    if not os.path.isdir(scratch):
        raise NotADirectoryError(f"scratch must be a folder, and {scratch} is none")


def map_rows(graph: GridGraph, memory: int | str, scratch: str | os.PathLike) -> GridGraph:
    """The graph with this rank's rows in files of a folder, within a memory limit. Collective."""
    world, block = graph.grid.world, graph.block
    with together(world, f"writing its rows to {scratch}"):
        pages = MappedPages(check_bytes(memory, "memory"), Path(scratch).absolute())
        indices = _in_file(pages, block.indices)
        weights = None if block.weights is None else _in_file(pages, block.weights)
        graph.block = Graph(block.indptr, indices, weights, directed=False)
    for name in _MADE:
        graph.__dict__.pop(name, None)
    del block
    layout = graph.layout
    vertices = max(layout.numbering(rank).size for rank in range(world.size))
    arcs = max(world.counts(graph.block.num_arcs))
    graph.__dict__.update(_pages=pages, _held=Held(vertices, arcs, bytes_without_arcs()))
    pages.release()
    pages.restart()  # the rows that were in memory are free by now
    return graph


def _in_file(pages: MappedPages, array: np.ndarray) -> np.ndarray:
    """A read-only copy in a mapped file."""
    copy = pages.empty(len(array), array.dtype)
    copy[:] = array
    copy.flags.writeable = False
    return copy
