"""Connected components: by subgraph sampling [1], hooking [2] or propagation of labels.

label[v] is the smallest vertex known to share v's component; at the end, the smallest there is.

- "sampling" (Afforest): each edge links the trees of its ends. After two edges per vertex most
  vertices share one giant component, whose own remaining edges are skipped. Almost linear work, on
  one device. One thread links the edges of a small graph.
- "hooking" (FastSV): every tree hooks onto the least label that its members' neighbors have, and
  becomes half as deep. A few rounds, whatever the diameter.
- "propagation": labels spread along edges. As many rounds as the longest way that a label goes.

[1] M. Sutton, T. Ben-Nun, A. Barak. Optimizing parallel graph connectivity computation via
    subgraph sampling. IPDPS 2018.
[2] Y. Zhang, A. Azad, Z. Hu. FastSV: a distributed-memory connected component algorithm with fast
    convergence. SIAM PP 2020.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from edgewise.algorithms.components.linking import link, shorten
from edgewise.base.checks import check_choice
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import MIN, advance, compute, deliver, filter, look_up, propagate
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["connected_components", "link", "shorten", "weakly_connected_components"]

_METHODS, _SAMPLED_EDGES, _SAMPLED_VERTICES = ("sampling", "hooking", "propagation"), 2, 1024


@takes_graph
def connected_components(graph: GraphLike, *, method: str | None = None,
                         direction: str = "auto") -> Any:  # fmt: skip
    """Label every vertex with the smallest vertex of its component.

    Parameters
    ----------
    graph : Graph
        Undirected; `weakly_connected_components` takes directed ones too.
    method : {"sampling", "hooking", "propagation"}, optional
        How; changes the time alone. By default sampling on one device, and hooking elsewhere.
    direction : {"auto", "push", "pull"}
        How labels propagate, see `propagate`.

    Returns
    -------
    array of vertex ids
        Two vertices are connected if and only if their labels are equal.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> connected_components(Graph.from_edges([0, 3], [2, 4])).tolist()
    [0, 1, 0, 3, 3]
    """
    if graph.directed:
        raise ValueError("connected_components needs an undirected graph; "
                         "weakly_connected_components ignores directions")  # fmt: skip
    return weakly_connected_components(graph, method=method, direction=direction)


@takes_graph
def weakly_connected_components(
    graph: GraphLike, *, method: str | None = None, direction: str = "auto"
) -> Any:
    """Label every vertex with the smallest vertex it is connected to, whatever the directions.

    Parameters are those of `connected_components`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> weakly_connected_components(Graph.from_edges([2, 2], [0, 1], directed=True)).tolist()
    [0, 0, 0]
    """
    method = method or ("sampling" if graph.edge_form else "hooking")
    check_choice(method, "method", _METHODS)
    check_choice(direction, "direction", ("auto", "push", "pull"))
    if direction != "auto" and method != "propagation":
        raise TypeError(f"direction {direction!r} belongs to method 'propagation', not {method!r}")
    label = graph.vertex_ids(graph.indices.dtype)
    if graph.num_arcs == 0:
        return label
    edges = "both" if graph.directed else "out"
    if method == "sampling":
        sequential_or(graph, _link_rows, _sample, label, times=2)
    elif method == "hooking":
        _hook(graph, label, edges)
    else:
        propagate(graph, None, _pass_on, label, reduce=MIN, edges=edges, direction=direction)
    return label


def _link_rows(graph: Graph, label: Any) -> None:
    """Link all edges, on one thread."""
    sequential(_link_all, (graph.indptr, graph.indices, label), steps=graph.num_arcs)
    notify(0, phase="link")


def _sample(graph: AnyGraph, label: Any) -> None:
    """Link a few edges of every vertex, then all those of vertices outside the giant component."""
    advance(graph, None, _link, label, neighbors=slice(_SAMPLED_EDGES), output=None)
    compute(graph, None, shorten, label)
    notify(0, phase="sample")
    giant = _most_frequent(label, graph.xp)
    rest = filter(graph, None, _outside, (label, giant))
    advance(graph, rest, _link, label, neighbors=slice(_SAMPLED_EDGES, None), output=None)
    if graph.directed:
        advance(graph, rest, _link, label, edges="in", output=None)
    compute(graph, None, shorten, label)
    notify(1, phase="link")


def _most_frequent(label: Any, xp: Any) -> int:
    """The label that most of a sample of vertices have."""
    found, counts = np.unique(host(label[xp.asarray(_drawn(len(label)))]), return_counts=True)
    return found[counts.argmax()].item()


@lru_cache(8)
def _drawn(n: int) -> np.ndarray:
    return (hashed(0, range(_SAMPLED_VERTICES)) % np.uint64(n)).astype(np.int64)


def _hook(graph: AnyGraph, label: Any, edges: str) -> None:
    """Let trees hook onto the least label around them until no label falls.

    above[v] is label[label[v]], and least[v] the least such label of v's neighbors. All of them
    only ever fall, so only vertices whose ``above`` has fallen have something new to say, and only
    those who then hear of less tell their root: that of others is not above their least.
    """
    above, least = graph.vertex_ids(label.dtype), graph.vertex_ids(label.dtype)
    fallen, iteration = None, 0
    while fallen is None or not fallen.empty():
        told = advance(graph, fallen, _pass_on, least, reduce=MIN, sources=above, edges=edges)
        deliver(graph, label, label, least, reduce=MIN, frontier=told)
        compute(graph, None, _lower, (label, least, above))
        before, above = above, look_up(graph, label, label)
        fallen = filter(graph, None, _differs, (before, above))
        notify(iteration, phase="hook")
        iteration += 1


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


def _lower(v, label, least, above):
    label[v] = min(label[v], least[v], above[v])


def _differs(v, before, after):
    return before[v] != after[v]
