"""Blocks of an undirected graph by levels (Tarjan and Vishkin [1]), where ranks share the rows.

The steps are those of `edgewise.algorithms.components.tree_blocks`. Passes down and up the levels
of a breadth-first forest give preorder numbers, subtree sizes, and the range of numbers that the
edges of each subtree lead to. Whether the tree edges of two vertices are in one block has to be
decided only for neighbors. So blocks are the connected components of a subgraph: it keeps all edges
outside the forest, and the tree edges that are in one block with the tree edge above them. Five
passes over all levels.

[1] R. Tarjan, U. Vishkin. An efficient parallel biconnectivity algorithm. SIAM J. Computing 14(4),
    1985.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.graph.edges import arc_ends, other_direction
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.subgraphs import only_edges
from edgewise.operators import (
    ADD,
    ANY,
    MAX,
    MIN,
    compute,
    frontier,
    look_up,
    propagate,
    reduce_neighbors,
    unwind,
)
from edgewise.operators.incoming import incoming_sums

__all__ = ["level_blocks"]

_FAR = 1 << 62


class _Places(NamedTuple):
    parent: Any  #: in the tree
    place: Any  #: in preorder
    size: Any  #: of the subtree


def level_blocks(graph: AnyGraph) -> tuple[Any, Any, Any, Any]:
    """Return the parent, preorder number and block of each vertex, and a mask of bridges."""
    ids = graph.vertex_ids(graph.id_dtype)
    parent, bridge, joined = ids.copy(), graph.full(False), graph.full(False)
    if graph.num_arcs == 0:
        return parent, ids, graph.full(-1, ids.dtype), bridge
    roots, depth = _search(graph, ids, parent)
    sources, targets = arc_ends(graph)
    up = (parent[sources] == targets) & (sources != targets)
    down = (parent[targets] == sources) & (sources != targets)
    size = graph.full(1, np.int64)
    _gather(graph, depth, down, size, ADD)
    place = _numbered(graph, roots, size, up, sources)
    low, high = (
        reduce_neighbors(graph, None, message, place, reduce=reduce, own=(parent, place),
                         mode="out", weights=None)
        for message, reduce in ((_but_to_parent, MIN), (_but_to_parent, MAX))
    )  # fmt: skip
    _gather(graph, depth, down, low, MIN)
    _gather(graph, depth, down, high, MAX)
    above = look_up(graph, (place, size, parent), parent)
    own, above = _Places(parent, place, size), _Places(above[2], above[0], above[1])
    state = (ids, own, above, low, high, joined, bridge)
    compute(graph, None, _join, state)
    kept = ~(up | down) & (sources != targets) | up & joined[sources] | down & joined[targets]
    block = component_labels(only_edges(graph, kept)).astype(ids.dtype)
    compute(graph, roots, _no_block, block)
    return parent, place, block, bridge


def _search(graph: AnyGraph, ids: Any, parent: Any) -> tuple[Any, Any]:
    """The roots of a breadth-first forest and the depth of each vertex; ``parent`` is filled in."""
    roots = frontier(graph, component_labels(graph) == ids)
    parent.fill(-1)
    compute(graph, roots, _root, (ids, parent))
    depth = graph.full(0, np.int32)
    propagate(graph, roots, _sender, parent, reduce=ANY, depths=depth)
    return roots, depth


def _gather(graph: AnyGraph, depth: Any, down: Any, values: Any, reduce: Any) -> None:
    """Combine each vertex's value with those of its subtree."""
    params = {"nothing": values.dtype.type(reduce.identity_for(values.dtype))}
    unwind(graph, depth, _of_child, values, reduce=reduce, finish=_FINISH[id(reduce)],
           params=params, weights=down.astype(np.int32))  # fmt: skip


def _numbered(graph: AnyGraph, roots: Any, size: Any, up: Any, sources: Any) -> Any:
    """Places in preorder: a child's is behind the parent's and the parts of its elder siblings.

    The numbers of every tree begin at 0: no edge compares two trees.
    """
    sizes = graph.xp.where(up, size[sources], 0)
    behind = graph.xp.where(up, incoming_sums(graph, sizes) + 1, 0)
    place = graph.full(_FAR, np.int64)
    compute(graph, roots, _first, place)
    propagate(graph, roots, _behind, place, reduce=MIN, weights=other_direction(graph, behind))
    return place


def _root(v, ids, parent):
    parent[v] = ids[v]


def _sender(source):
    return source


def _of_child(value, weight, nothing):
    return value if weight else nothing


def _added(total, own):
    return total + own


def _lower(total, own):
    return min(total, own)


def _higher(total, own):
    return max(total, own)


_FINISH = {id(ADD): _added, id(MIN): _lower, id(MAX): _higher}


def _first(v, place):
    place[v] = 0


def _behind(value, weight):
    return value + weight if weight > 0 else np.int64(_FAR)


def _but_to_parent(value, source, own):
    """Where an edge leads; the one to the parent to the vertex itself."""
    return value if source != own[0] else own[1]


def _join(v, ids, own, above, low, high, joined, bridge):
    """Is the edge to v's parent a bridge, or in one block with the parent's own tree edge?"""
    parent, place = own.parent[v], own.place[v]
    if parent == ids[v]:
        return
    first, last = min(low[v], place), max(high[v], place)
    bridge[v] = first >= place and last < place + own.size[v]
    inside = first >= above.place[v] and last < above.place[v] + above.size[v]
    joined[v] = above.parent[v] != parent and not inside


def _no_block(v, block):
    block[v] = -1
