"""Matching by locally dominant edges [1], [2]: half-approximate.

An edge that outranks all its neighbors is matched, both ends leave, and so on until no edge of
positive weight is left. The order of edges is strict (see `edgewise.operators.pair`), so there is
one such matching, whatever looks for it: `greedy` and `suitor` find the same.

Its weight is at least half the maximum, because every edge meets a matched one that is no lighter.
A few times linear work on common graphs; quadratic in the degrees at worst.

[1] R. Preis. Linear time 1/2-approximation algorithm for maximum weighted matching. STACS 1999.
[2] F. Manne, R. Bisseling. A parallel approximation algorithm for the weighted maximum matching
    problem. PPAM 2007.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.matching.result import Matching, finite_weights, matched
from edgewise.graph.foreign import takes_graph
from edgewise.operators import pair

__all__ = ["locally_dominant"]


@takes_graph
def locally_dominant(
    graph: Any, *, weights: Any = None, batches: Any = None, devices: Any = None
) -> Matching:
    """A matching in which every edge meets a matched one that is no lighter.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and edges of weight zero or less are never matched.
    weights : None, "unit" or array over edges
        Finite, and the same in both directions of an edge.
    batches : int or "auto", optional
        For a graph in host memory: bring its edges to the GPU in so many parts, while the arrays
        over vertices stay there. ``"auto"`` chooses by the memory that is free.
    devices : name or list of names, optional
        The devices that share the vertices, such as ``["cuda:0", "cuda:1"]``; a name may be there
        twice, and ``"cpu"`` is one. ``"cuda"`` by default, if ``batches`` is given.

    Returns
    -------
    Matching
        The same for any number of threads, of batches and of devices, and on every device.

    Raises
    ------
    ValueError
        If the graph is directed, or a weight is not finite; names the edge.

    Notes
    -----
    An observer is told of every round of pointing: ``committed`` edges, and arcs ``visited``; with
    ``batches`` also the seconds of ``transfer``, ``pointing``, ``matching``, ``synchronization``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[2.0, 3.0, 2.0])
    >>> found = locally_dominant(path)
    >>> found.mate.tolist(), found.weight, found.cardinality
    ([-1, 2, 1, -1], 3.0, 1)
    """
    finite_weights(graph, weights, "locally_dominant")
    mate = graph.full(-1, graph.indices.dtype)
    pair(graph, mate, weights=weights, batches=batches, devices=devices)
    return matched(graph, mate, weights)
