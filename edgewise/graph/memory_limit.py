"""Graphs with a memory limit: which algorithms keep it, and a refusal before the others start.

Edges are read from the mapped file, and vertices have their arrays in memory. An algorithm that is
marked by `streams` takes no memory per edge beside: what it needs is known before it starts.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from edgewise.base.checks import check_bytes
from edgewise.base.mapped_pages import MappedPages

__all__ = [
    "Held",
    "arc_array",
    "check_arcs",
    "check_limit",
    "keep_within",
    "streams",
    "watched",
]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Bytes per arc of the transpose of a directed graph, while it is built.
TRANSPOSE = 24


class Held(NamedTuple):
    """What a rank of a grid has of a graph: the most that any rank has."""

    vertices: int
    arcs: int
    #: Bytes per vertex of the algorithms that take no memory per arc on a rank, by name.
    algorithms: dict[str, int]


def streams(bytes_per_vertex: int, *, forward: bool = False) -> Callable[[Function], Function]:
    """A decorator for algorithms that read edges in place, and need so much memory per vertex.

    With ``forward`` they follow the edges of a directed graph without its transpose.

    >>> @streams(8)
    ... def degrees(graph):
    ...     return graph.degrees()
    >>> degrees.bytes_per_vertex
    8
    """

    def mark(function: Function) -> Function:
        function.bytes_per_vertex = bytes_per_vertex  # type: ignore[attr-defined]
        function.needs_transpose = not forward  # type: ignore[attr-defined]
        return function

    return mark


def watched(path: Path, data: np.ndarray, memory: int | str) -> MappedPages:
    """The pages of a mapped file, which are kept within a limit."""
    limit = check_bytes(memory, "memory")
    mapping = data.base.obj if isinstance(data.base, memoryview) else data.base
    if not isinstance(mapping, mmap.mmap):
        raise ValueError(f"{path}: memory= needs a plain .ew file and memory_map=True")
    pages = MappedPages(limit, path.absolute().parent)
    pages.add(mapping)
    return pages


def keep_within(graph: Any, pages: MappedPages | None) -> None:
    """Let algorithms keep the limit of these pages, if there is one."""
    if pages is not None:
        graph._keep(_pages=pages)


def check_limit(graph: Any, function: Callable[..., Any]) -> None:
    """MemoryError if an algorithm would not keep the memory limit of the graph."""
    pages: MappedPages = graph._pages
    each = getattr(function, "bytes_per_vertex", None)
    vertices, arcs, where = graph.num_vertices, graph.num_arcs, ""
    if (held := getattr(graph, "_held", None)) is not None:
        vertices, arcs, where = held.vertices, held.arcs, " of a rank"
        on_rank = held.algorithms.get(function.__name__)
        each = None if each is None or on_rank is None else max(each, on_rank)
    if each is None:
        raise MemoryError(
            f"{function.__name__} may need memory for every arc{where}, at least "
            f"{arcs * 8:,} bytes, and does not keep the memory limit of this graph "
            f"({pages.limit:,} bytes); read the graph without memory= if it fits"
        )
    need, why = each * vertices, f"{each} for each vertex{where}"
    made = held is not None or "transposed" in graph.__dict__
    if graph.directed and (made or function.needs_transpose):  # type: ignore[attr-defined]
        need += TRANSPOSE * arcs
        why += f", {TRANSPOSE} for each arc of a directed graph"
    if need > pages.limit:
        raise MemoryError(
            f"{function.__name__} needs {need:,} bytes ({why}), but this graph was read with "
            f"memory={pages.limit:,}"
        )


def check_arcs(graph: Any, name: str, each: int | None = None, arcs: int | None = None) -> None:
    """MemoryError if ``name`` makes arrays over arcs that a memory limit of the graph forbids.

    They take ``each`` bytes for each of its arcs, or of so many, and must fit the limit. If that is
    None they stay with the caller, whose other arrays are not known, and every limit forbids them.
    """
    pages: MappedPages | None = getattr(graph, "_pages", None)
    if pages is None:
        return
    least = (each or 4) * (graph.num_arcs if arcs is None else arcs)
    if each is None or least > pages.limit:
        raise MemoryError(
            f"{name} takes memory for every arc, at least {least:,} bytes, and does not keep the "
            f"memory limit of this graph ({pages.limit:,} bytes); read the graph without memory= "
            "if it fits"
        )


def arc_array(graph: Any, size: int, dtype: Any) -> np.ndarray:
    """An array with an entry for each of many arcs: in a file if the graph has a memory limit."""
    pages = getattr(graph, "_pages", None)
    return np.empty(size, dtype) if pages is None else pages.empty(size, dtype)
