"""Divisions of graphs and overlapping communities under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx

from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import groups

__all__: list[str] = []


def girvan_newman(G, most_valuable_edge=None):
    """The communities after each division; of edges with equal betweenness, the first goes."""
    from edgewise.algorithms.communities.dividing import Division

    rows = compact(G)
    division = Division(rows.graph)
    if not len(rows.targets):
        yield _parts(rows, division)
    while division.divide(division.num_parts + 1):
        yield _parts(rows, division)


def _parts(rows: Compact, division: Any) -> tuple[set[Any], ...]:
    """The parts in the order of their first nodes."""
    from edgewise.algorithms.communities.dendrograms import smallest_members

    return tuple(groups(rows, smallest_members(division.part)))


def k_clique_communities(G, k, cliques=None):
    """Unions of k-cliques that share k - 1 nodes, in the order of their first nodes."""
    if k < 2:
        raise nx.NetworkXError(f"k={k}, k must be greater than 1.")
    rows = compact(G)
    for one in rows.run("communities.k_clique_communities", k=k).lists():
        yield frozenset(rows.names(one))
