"""Arrays over vertices wherever the graph is: on one device, or spread over a grid of ranks.

Some steps take another form on a grid, where each rank has its part of an array. They stand here,
so that an algorithm need not ask where it runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host

__all__ = [
    "brought",
    "hub",
    "index_of",
    "numbered",
    "padded",
    "put",
    "read",
    "rows_at",
    "small_on_host",
    "whole",
    "whole_device",
    "whole_xp",
]


def index_of(graph: AnyGraph, ids: Any) -> Any:
    """Vertices, as ids in host memory, as an index into arrays over the graph's vertices.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> graph.degrees()[index_of(graph, [2, 1])].tolist()
    [1, 2]
    """
    return graph.xp.asarray(ids) if graph.one_device else np.asarray(ids)


def put(graph: AnyGraph, array: Any, ids: Any, values: Any) -> None:
    """Set an array over vertices at some ids to one value (or row) each, or at one id to one.

    An id that is there twice has equal values. Both stand in host memory, or on the graph's device;
    on a grid every rank has all of them.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> degrees = graph.degrees()
    >>> put(graph, degrees, [2, 0], [7, 8])
    >>> degrees.tolist()
    [8, 2, 7]
    """
    if not graph.one_device:
        array.put(ids, values)
    elif isinstance(ids, int):
        array[ids] = values
    else:
        array[graph.xp.asarray(ids)] = graph.xp.asarray(values)


def rows_at(array: Any, ids: Any) -> tuple[Any, Any]:
    """An array that has the values of some vertices, and where in it they are.

    On one device this is the array itself; on a grid every rank gets the values in host memory.

    >>> found, at = rows_at(np.array([5, 6, 7]), np.array([2, 1]))
    >>> found[at].tolist()
    [7, 6]
    """
    return (array[ids], np.arange(len(ids))) if hasattr(array, "gather") else (array, ids)


def read(values: Any, at: Any) -> Any:
    """The values at places that stand in an array over vertices; on a grid every rank has all.

    >>> read(np.array([5, 6, 7]), np.array([2, 1])).tolist()
    [7, 6]
    """
    return at._like(at.graph.block.xp.asarray(values)[at.local]) if hasattr(at, "gather") else (
        values[at])  # fmt: skip


def whole(array: Any) -> Any:
    """All values of an array over vertices: one on a grid is gathered in host memory.

    >>> whole(np.array([3, 1])).tolist()
    [3, 1]
    """
    return array.gather() if hasattr(array, "gather") else array


def whole_xp(graph: AnyGraph) -> Any:
    """The module for arrays that are not over vertices, such as lists of ids.

    It is that of the graph on one device; on a grid every rank has such arrays whole, in host
    memory, as NumPy's.

    >>> from edgewise.graph import Graph
    >>> whole_xp(Graph.from_edges([0], [1])) is np
    True
    """
    return graph.xp if graph.one_device else np


def whole_device(graph: AnyGraph) -> str:
    """The device of arrays that `whole_xp` makes.

    >>> from edgewise.graph import Graph
    >>> whole_device(Graph.from_edges([0], [1]))
    'cpu'
    """
    return graph.device if graph.one_device else "cpu"


def brought(graph: AnyGraph, array: Any) -> Any:
    """An array over the vertices of another graph, where this graph has its arrays.

    On a grid, an array over the vertices of another graph stays spread as it is.

    >>> from edgewise.graph import Graph
    >>> brought(Graph.from_edges([0], [1]), np.array([3, 1])).tolist()
    [3, 1]
    """
    if not graph.one_device:
        return array
    return host(array) if graph.device == "cpu" else graph.xp.asarray(array)


def hub(graph: Any) -> int:
    """A vertex of many edges, of a graph that has vertices.

    It has the highest degree; on a grid the most arcs on one rank, which no rank has to ask for.

    >>> from edgewise.graph import Graph
    >>> hub(Graph.from_edges([0, 1], [1, 2]))
    1
    """
    if not graph.one_device:
        return graph.hub()
    degrees = graph.row_lengths()
    return int((degrees + graph.column_lengths() if graph.directed else degrees).argmax())


def padded(graph: AnyGraph, array: Any) -> Any:
    """An array over the vertices of a smaller graph as one over this graph's: 0 behind its end.

    >>> from edgewise.graph import Graph
    >>> padded(Graph.from_edges([0, 1], [1, 2]), np.array([0.5, 2.0])).tolist()
    [0.5, 2.0, 0.0]
    """
    values = brought(graph, whole(array))
    made = whole_xp(graph).zeros(graph.num_vertices, values.dtype)
    made[: len(values)] = values
    return graph.xp.asarray(made)


def small_on_host(graph: AnyGraph, most: int) -> Any:
    """The graph; a copy in host memory if it is on a GPU and has fewer than ``most`` arcs.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0], [1])
    >>> small_on_host(graph, 1000) is graph
    True
    """
    return graph.to("cpu") if graph.one_device and graph.num_arcs < most else graph


def numbered(graph: Any, values: Any) -> Any:
    """Whole numbers over vertices as int64 from 0 on, equal where these are equal, in their order.

    >>> from edgewise.graph import Graph
    >>> numbered(Graph.from_edges([0, 1], [1, 2]), np.array([70, -5, 70])).tolist()
    [1, 0, 1]
    """
    if not graph.one_device:
        return graph.numbered(values)
    return graph.xp.unique(values, return_inverse=True)[1].reshape(len(values)).astype(np.int64)
