"""Contracts of the operators that follow pointers, not edges: `look_up` and `deliver`."""

from __future__ import annotations

from typing import Any

from edgewise.operators.engines import run
from edgewise.operators.frontier import Frontier
from edgewise.operators.monoids import Monoid

__all__ = ["deliver", "look_up"]


def look_up(graph: Any, values: Any, at: Any, *, out: Any = None) -> Any:
    """The array of ``values[at[v]]`` for every vertex v.

    Parameters
    ----------
    graph : Graph
    values : array over vertices
    at : array of int over vertices
        Vertex ids.
    out : array, optional
        Where the result goes; it has the type of ``values``, and may be ``at`` but not ``values``.

    Returns
    -------
    array over vertices

    Raises
    ------
    ValueError
        If ``at`` holds anything but vertex ids.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import look_up
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> parent = np.array([0, 0, 1])
    >>> look_up(graph, parent, parent).tolist()
    [0, 0, 0]
    """
    return run(graph, "look_up")(graph, values, at, out)


def deliver(graph: Any, values: Any, at: Any, messages: Any, *, reduce: Monoid) -> Frontier:
    """Send every vertex's message to the vertex it points at; return the vertices that changed.

    ``values[at[v]]`` becomes its combination with ``messages[v]``, over all v with ``at[v] >= 0``.
    Pointers and messages are those from before the call, also where they are ``values`` itself.

    Parameters
    ----------
    graph : Graph
    values : array over vertices
        Numbers of 32 or 64 bits; changed in place.
    at : array of int over vertices
        Vertex ids, or -1 to send nothing.
    messages : array over vertices
        Cast to the type of ``values``.
    reduce : {MIN, MAX, ADD}

    Returns
    -------
    Frontier
        The vertices whose value is another one now.

    Raises
    ------
    ValueError
        If ``at`` holds anything but vertex ids and -1.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, deliver
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> children = graph.full(0)
    >>> changed = deliver(graph, children, np.array([-1, 0, 0]), graph.full(1), reduce=ADD)
    >>> children.tolist(), changed.ids.tolist()
    ([2, 0, 0], [0])
    """
    return run(graph, "deliver")(graph, values, at, messages, reduce)
