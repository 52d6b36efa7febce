"""Connected components: by subgraph sampling [1], hooking [2], several steps [3] or propagation.

label[v] is the smallest vertex known to share v's component; at the end, the smallest there is.

- "sampling" (Afforest): each edge links the trees of its ends. After two edges per vertex most
  vertices share one giant component, whose remaining edges are skipped. Almost linear work.
- "hooking" (FastSV): every tree hooks onto the smallest label among its members' neighbors, and its
  depth halves. A few rounds for any diameter.
- "multistep": a search from the hub first, see `edgewise.algorithms.components.multistep`. There a
  vertex of the largest component gets its label once. Under "propagation" it changes more often the
  larger the graph is.
- "propagation": labels spread along edges, in as many rounds as the longest path of a label.

[1] M. Sutton, T. Ben-Nun, A. Barak. Optimizing parallel graph connectivity computation via
    subgraph sampling. IPDPS 2018.
[2] Y. Zhang, A. Azad, Z. Hu. FastSV: a distributed-memory connected component algorithm with fast
    convergence. SIAM PP 2020.
[3] G. Slota, S. Rajamanickam, K. Madduri. BFS and coloring-based parallel algorithms for strongly
    connected components and related problems. IPDPS 2014.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from edgewise.algorithms.components.hooking import hook
from edgewise.algorithms.components.linking import link, shorten
from edgewise.algorithms.components.multistep import in_steps
from edgewise.algorithms.partition import Components, as_components
from edgewise.base.checks import check_choice
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import MIN, advance, compute, filter, frontier, propagate
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["component_labels", "connected_components", "weakly_connected_components"]

_METHODS = ("sampling", "hooking", "multistep", "propagation")
_SAMPLED_EDGES, _SAMPLED_VERTICES = 2, 1024
_LEVELS = 32  # of the search on a grid; hooking needs fewer rounds than a search of more


@takes_graph
@streams(48)
def connected_components(graph: GraphLike, *, method: str = "auto",
                         direction: str = "auto") -> Components:  # fmt: skip
    """Return the component of each vertex of an undirected graph, named by its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Undirected; `weakly_connected_components` also accepts directed graphs.
    method : {"auto", "sampling", "hooking", "multistep", "propagation"}
        Algorithm to use; it affects only the time.
        The default is "sampling" on one device. On a grid it is the search of "multistep", of 32
        levels at most, then "hooking" for the vertices that it does not settle.
    direction : {"auto", "push", "pull"}
        Direction in which labels propagate, for "propagation"; see `propagate`.

    Returns
    -------
    Components
        An array of labels over vertices; connected vertices have equal labels.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> connected_components(Graph.from_edges([0, 3], [2, 4])).tolist()
    [0, 1, 0, 3, 3]
    """
    if graph.directed:
        raise ValueError("connected_components needs an undirected graph; "
                         "weakly_connected_components ignores directions")  # fmt: skip
    return as_components(component_labels(graph, method, direction))


@takes_graph
def weakly_connected_components(
    graph: GraphLike, *, method: str = "auto", direction: str = "auto"
) -> Components:
    """Return the weakly connected component of each vertex: as if edges had no direction.

    Parameters and result are those of `connected_components`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> weakly_connected_components(Graph.from_edges([2, 2], [0, 1], directed=True)).tolist()
    [0, 0, 0]
    """
    return as_components(component_labels(graph, method, direction))


def component_labels(graph: AnyGraph, method: str = "auto", direction: str = "auto") -> Any:
    """Return the smallest vertex of each vertex's component as a plain array; checks arguments."""
    check_choice(method, "method", ("auto", *_METHODS))
    check_choice(direction, "direction", ("auto", "push", "pull"))
    if direction != "auto" and method != "propagation":
        raise TypeError(f"direction {direction!r} requires method 'propagation', got {method!r}")
    label = graph.vertex_ids(graph.id_dtype)
    if graph.num_arcs == 0:
        return label
    edges = "both" if graph.directed else "out"
    if method == "auto" and not graph.edge_form:
        in_steps(graph, label, edges, hook, _LEVELS)
    elif method in ("auto", "sampling"):
        sequential_or(graph, _link_rows, _sample, label, times=2)
    elif method == "hooking":
        hook(graph, label, edges, frontier(graph))
    elif method == "multistep":
        in_steps(graph, label, edges)
    else:
        propagate(graph, None, _pass_on, label, reduce=MIN, mode=edges, direction=direction)
    return label


def _link_rows(graph: Graph, label: Any) -> None:
    """Link all edges, on one thread."""
    sequential(_link_all, (*graph.stored, label), steps=graph.num_arcs)
    notify(0, phase="link")


def _sample(graph: AnyGraph, label: Any) -> None:
    """Link a few edges of every vertex, then all those of vertices outside the giant component."""
    advance(graph, None, _link, label, neighbors=slice(_SAMPLED_EDGES), output=None)
    compute(graph, None, shorten, label)
    notify(0, phase="sample")
    rest = filter(graph, None, _outside, (label, _most_frequent(label, graph.xp)))
    advance(graph, rest, _link, label, neighbors=slice(_SAMPLED_EDGES, None), output=None)
    if graph.directed:
        advance(graph, rest, _link, label, mode="in", output=None)
    compute(graph, None, shorten, label)
    notify(1, phase="link")


def _most_frequent(label: Any, xp: Any) -> int:
    """The label that most of a sample of vertices have."""
    found, counts = np.unique(host(label[xp.asarray(_drawn(len(label)))]), return_counts=True)
    return found[counts.argmax()].item()


@lru_cache(8)
def _drawn(n: int) -> np.ndarray:
    return (hashed(0, range(_SAMPLED_VERTICES)) % np.uint64(n)).astype(np.int64)


def _link_all(control, indptr, indices, label):
    """Link along every edge; then smaller vertices find their roots before greater ones."""
    for v in range(len(label)):
        for e in range(indptr[v], indptr[v + 1]):
            if label[v] != label[indices[e]]:
                link(v, np.int64(indices[e]), label)
    for v in range(len(label)):
        label[v] = label[label[v]]


def _link(source, target, edge, label):
    link(source, target, label)
    return False


def _outside(v, label, giant):
    return label[v] != giant


def _pass_on(value):
    return value
