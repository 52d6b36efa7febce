"""The clusters in the limit of Markov clustering.

Attractors are vertices whose rows return to themselves. Those that lead to one another form a
system, and every other vertex belongs to the system with the largest share of its row.

Where one device has the whole limit, it is read in host memory. Ranks of a grid exchange messages.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.found_communities import Overlap
from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.communities.small_components import smallest_in_component
from edgewise.algorithms.components.connected_components import component_labels
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.operators import ADD, MAX, OR, reduce_neighbors
from edgewise.operators.engines import by_rows_or

__all__ = ["clusters"]

#: In the end, entries below this part of the largest of their row are what pruning has left.
_FAINT = 1e-3


def clusters(graph: AnyGraph, flow: Any, iteration: int) -> tuple[Any, Overlap | None]:
    """The smallest vertex of each cluster, at each of its vertices; and who is in several."""
    return by_rows_or(graph, _by_rows, _by_messages)(graph, flow, iteration)


def _by_rows(graph: Graph, flow: Matrix, iteration: int) -> tuple[Any, Overlap]:
    """The clusters, where one device has all rows."""
    here, n = flow.to("cpu"), graph.num_vertices
    rows, columns, shares = row_ids(here), here.indices, here.values
    largest = np.zeros(n, np.float32)
    np.maximum.at(largest, rows, shares)
    kept = shares > _FAINT * largest[rows]
    rows, columns, shares = rows[kept], columns[kept], shares[kept]
    stays = np.zeros(n, bool)  # attractors: vertices whose own row returns to them
    stays[rows[rows == columns]] = True
    stays[columns[~stays[rows] & ~stays[columns]]] = True  # of walks that have not come to rest
    both = stays[rows] & stays[columns]
    system = smallest_in_component(rows[both], columns[both], n)
    home = system[columns]
    order = np.lexsort((home, rows))
    new = np.ones(len(rows), bool)
    new[1:] = (rows[order][1:] != rows[order][:-1]) | (home[order][1:] != home[order][:-1])
    first = np.flatnonzero(new)
    owners, homes = rows[order][first], home[order][first]
    sums = np.add.reduceat(shares[order], first) if len(first) else shares
    best = np.lexsort((homes, -sums.round(3), owners))  # of equal shares, the smaller label
    best = best[np.unique(owners[best], return_index=True)[1]]
    label = np.arange(n)
    label[owners[best]] = homes[best]
    least = np.full(n, n)
    np.minimum.at(least, label, np.arange(n))
    several = np.bincount(owners, minlength=n)[owners] > 1
    kind, names = graph.id_dtype, np.where(least[homes] < n, least[homes], homes)
    overlap = Overlap(*(one[several] for one in (owners, names.astype(kind), sums)))
    if observed():
        notify(iteration + 1, phase="clusters", overlapping=len(np.unique(overlap.vertices)))
    return graph.xp.asarray(least[label].astype(kind)), overlap


def _by_messages(graph: AnyGraph, flow: Any, iteration: int) -> tuple[Any, None]:
    """The clusters, where every rank has a part of the rows."""
    walk = flow.to_graph()
    ids = walk.vertex_ids()
    largest = reduce_neighbors(walk, None, _share, ids, reduce=MAX, dtype=np.float32, mode="out")
    walk = only_edges(walk, walk.weights > _FAINT * largest[walk.sources])
    stays = reduce_neighbors(walk, None, _is_same, ids, reduce=OR, dtype=np.bool_, mode="out")
    stays |= reduce_neighbors(walk, None, _neither, stays, reduce=OR)  # by arcs into a vertex
    resting = only_edges(walk, stays[walk.sources] & stays[walk.indices])
    system = component_labels(resting)
    best = reduce_neighbors(walk, None, _share, ids, reduce=ADD, key=system, choose=_in_thousandths,
                            dtype=np.float64, mode="out").key  # fmt: skip
    label = graph.xp.where(best >= 0, best, ids)
    apart = reduce_neighbors(walk, None, _differs, system, own=label, reduce=OR, dtype=np.bool_,
                             mode="out")  # fmt: skip
    overlapping = int(apart.sum())  # on all ranks, though some of them may have no observer
    notify(iteration + 1, phase="clusters", overlapping=overlapping)
    return named(graph, label), None


def _share(weight):
    return weight


def _is_same(source, own):
    return source == own


def _neither(value, own):
    return not (value or own)


def _differs(value, own):
    return value != own


def _in_thousandths(total):
    return np.floor(1000 * total + 0.5)
