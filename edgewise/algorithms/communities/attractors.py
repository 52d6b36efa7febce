"""The clusters in the limit of Markov clustering.

Attractors are vertices whose rows return to themselves. Those that lead to one another form a
system, and every other vertex belongs to the system with the largest share of its row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.base.observe import notify, observed
from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids
from edgewise.linalg.matrix import Matrix

__all__ = ["clusters"]

#: In the end, entries below this part of the largest of their row are what pruning has left.
_FAINT = 1e-3


def clusters(graph: Graph, flow: Matrix, iteration: int) -> Any:
    """The smallest vertex of each cluster, at each of its vertices."""
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
    system = component_labels(Graph.from_edges(rows[both], columns[both], num_vertices=n))
    home = system[columns]
    order = np.lexsort((home, rows))
    new = np.ones(len(rows), bool)
    new[1:] = (rows[order][1:] != rows[order][:-1]) | (home[order][1:] != home[order][:-1])
    first = np.flatnonzero(new)
    owners, homes = rows[order][first], home[order][first]
    sums = np.add.reduceat(shares[order], first).round(3) if len(first) else shares
    best = np.lexsort((homes, -sums, owners))  # of equal shares, the smaller label
    best = best[np.unique(owners[best], return_index=True)[1]]
    if observed():
        overlapping = int(np.count_nonzero(np.bincount(owners, minlength=n) > 1))
        notify(iteration + 1, phase="clusters", overlapping=overlapping)
    label = np.arange(n)
    label[owners[best]] = homes[best]
    least = np.full(n, n)
    np.minimum.at(least, label, np.arange(n))
    return graph.xp.asarray(least[label].astype(graph.indices.dtype))
