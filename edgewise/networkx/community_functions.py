"""Communities, their quality and label propagation under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.graph.graph import Graph
from edgewise.networkx.coloring_functions import greedy_color
from edgewise.networkx.compact import Compact, compact
from edgewise.networkx.component_functions import groups
from edgewise.operators.sequential import going, sequential

__all__: list[str] = []


def louvain_partitions(G, weight="weight", resolution=1, threshold=0.0000001, seed=None):
    """The levels of the Louvain method, from many small communities to few."""
    levels = _levels(G, "communities.louvain_partitions", weight, resolution, seed, threshold)
    return (level for level in levels)


def louvain_communities(
    G, weight="weight", resolution=1, threshold=0.0000001, max_level=None, seed=None
):
    """The last level of the Louvain method, or an earlier one."""
    levels = _levels(G, "communities.louvain_partitions", weight, resolution, seed, threshold)
    return _last(levels, max_level)


def leiden_partitions(G, weight="weight", resolution=1, seed=None):
    """The levels of the Leiden method, from many small communities to few."""
    return (
        level for level in _levels(G, "communities.leiden_partitions", weight, resolution, seed)
    )


def leiden_communities(G, weight="weight", resolution=1, max_level=None, seed=None):
    """The last level of the Leiden method, or an earlier one."""
    return _last(_levels(G, "communities.leiden_partitions", weight, resolution, seed), max_level)


def _last(levels: list[Any], count: int | None) -> list[set[Any]]:
    if count is None:
        return levels[-1]
    if count <= 0:
        raise ValueError("max_level argument must be a positive integer or None")
    return levels[:count][-1]


def _levels(
    G: Any, algorithm: str, weight: Any, resolution: float, seed: Any, tol: Any = None
) -> list[list[set[Any]]]:
    rows = compact(G)
    if not len(rows.targets):
        return [[{node} for node in G]]
    options: dict[str, Any] = {"deterministic": True} | ({} if tol is None else {"tol": tol})
    found = _run(rows, G, algorithm, weight, resolution=resolution, seed=_number(seed), **options)
    return [[*groups(rows, labels)] for labels in found.levels]


def greedy_modularity_communities(G, weight=None, resolution=1, cutoff=1, best_n=None):
    """Greedy merges; of equal gains, another one may come first. The largest community first."""
    rows = compact(G)
    if not len(rows.targets):
        return [{node} for node in G]
    if cutoff < 1 or cutoff > rows.n:
        raise ValueError(f"cutoff must be between 1 and {rows.n}. Got {cutoff}.")
    found = _run(rows, G, "communities.greedy_modularity", weight, resolution=resolution)
    return sorted(map(frozenset, groups(rows, found)), key=len, reverse=True)


def asyn_lpa_communities(G, weight=None, seed=None):
    """Label propagation; the random numbers are other than NetworkX's."""
    return _propagated(G, weight, seed, counted=False)


def fast_label_propagation_communities(G, *, weight=None, seed=None):
    """Label propagation; the random numbers are other than NetworkX's."""
    return _propagated(G, weight, seed, counted=True)


def _propagated(G: Any, weight: Any, seed: Any, counted: bool) -> Any:
    rows, name = compact(G), "communities.label_propagation"
    return groups(rows, _run(rows, G, name, weight, counted=counted, seed=_number(seed)))


def label_propagation_communities(G):
    """Semi-synchronous label propagation: the nodes of one color change together."""
    rows = compact(G)
    coloring = greedy_color(G)
    colors = np.fromiter(map(coloring.__getitem__, rows.nodes), np.int64, rows.n)
    order = np.argsort(colors, kind="stable")
    labels = np.arange(rows.n)
    state = (rows.indptr, rows.targets, order, labels, np.zeros(rows.n, np.int64))
    sequential(_propagate, state, steps=rows.n, work=20 * len(rows.targets))
    found: dict[int, set[Any]] = {}
    for node, label in zip(rows.nodes, labels.tolist(), strict=True):
        found.setdefault(label, set()).add(node)
    return found.values()


def _propagate(control, indptr, targets, order, labels, votes):
    complete = False
    while not complete:
        complete = True
        for change in (True, False):  # one round of changes, then a look at all nodes
            for at in range(len(order)):
                if at % 1024 == 0 and not going(control, at):
                    return
                u = order[at]
                most = 0
                for e in range(indptr[u], indptr[u + 1]):
                    label = labels[targets[e]]
                    votes[label] += 1
                    most = max(most, votes[label])
                best = labels[u]
                if most > 0 and votes[best] < most:
                    best = -1
                    for e in range(indptr[u], indptr[u + 1]):
                        label = labels[targets[e]]
                        if votes[label] == most:
                            best = max(best, label)
                for e in range(indptr[u], indptr[u + 1]):
                    votes[labels[targets[e]]] = 0
                if change:
                    labels[u] = best
                elif best != labels[u]:
                    complete = False


def modularity(G, communities, weight="weight", resolution=1):
    """Newman's modularity."""
    if not isinstance(communities, list):
        communities = list(communities)
    rows = compact(G)
    labels = np.full(rows.n, -1)
    found = [rows.ids(node for node in one if node in G) for one in communities]
    for number, ids in enumerate(found):
        labels[ids] = number
    if not (rows.n == (labels >= 0).sum() == sum(map(len, communities))):
        raise nx.algorithms.community.quality.NotAPartition(G, communities)
    if not len(rows.targets):
        raise ZeroDivisionError("division by zero")
    return float(_run(rows, G, "communities.modularity", weight, labels, resolution=resolution))


def partition_quality(G, partition):
    """The share of edges inside communities, and that of pairs which the partition predicts."""
    rows = compact(G)
    sizes = [len(one) for one in partition] if isinstance(partition, (list, tuple)) else [0]
    labels = np.full(rows.n, -1)
    for number, one in enumerate(partition if sum(sizes) == rows.n else ()):
        labels[_present(rows, one)] = number
    if rows.n and labels.min() < 0:
        raise NotImplementedError("the communities are no list, or no partition")
    sources, targets, places = rows.edges()
    within = labels[sources] == labels[targets]
    many = rows.multiplicity(G)
    if many is not None:
        inside, total = int(many[places][within].sum()), int(many[places].sum())
        return inside / total, -1.0
    inside, factor = int(within.sum()), 1 if rows.directed else 2
    between = (rows.n**2 - sum(size * size for size in sizes)) // factor
    possible = rows.n * (rows.n - 1) // factor
    apart = between - (len(sources) - inside)
    return inside / len(sources), (inside + apart) / possible


def conductance(G, S, T=None, weight=None):
    """The weight of the edges between two sets, over the smaller volume."""
    rows, sides = compact(G), _sides(G, S, T)
    cut, volume = _cut(G, rows, sides, weight)
    return cut / min(volume)


def cut_size(G, S, T=None, weight=None):
    """The weight of the edges between two sets."""
    if T is None and G.is_directed():
        raise NotImplementedError("the graph is directed, and one set is given")
    return _cut(G, compact(G), _sides(G, S, T), weight)[0]


def _sides(G: Any, S: Any, T: Any) -> list[np.ndarray]:
    """Masks of two sets; the second is the complement of the first by default."""
    rows, sides = compact(G), list[np.ndarray]()
    for nodes in (S, T):
        if nodes is None:
            sides.append(~sides[0])
            continue
        if not hasattr(nodes, "__len__") or nodes in G or len({*nodes}) != len(nodes):
            raise NotImplementedError("nodes occur twice, or are an iterator or a node")
        side = np.zeros(rows.n, bool)
        side[_present(rows, nodes)] = True
        sides.append(side)
    return sides


def _cut(G: Any, rows: Compact, sides: Any, weight: Any) -> tuple[Any, list[Any]]:
    """The weight of the edges between two sets, and the volumes of both."""
    many = rows.multiplicity(G) if weight is None else rows.column(G, weight)
    sources, targets, places = rows.edges()
    amounts = np.ones(len(places), np.int64) if many is None else many[places]
    cut, volume = 0, [0, 0]
    for at, (one, other) in enumerate((sides, sides[::-1])):
        ends = [one[sources]] if rows.directed else [one[sources], one[targets]]
        volume[at] = sum(amounts[mask].sum().item() for mask in ends)
        forth, back = one[sources] & other[targets], other[sources] & one[targets]
        if rows.directed:  # of edges that lead back, NetworkX counts those between shared nodes
            cut += amounts[forth | (back & one[sources])].sum().item()
        elif at == 0:
            cut = amounts[forth | back].sum().item()
    return cut, volume


def _present(rows: Compact, nodes: Any) -> np.ndarray:
    """The positions of those nodes that are in the graph."""
    found = [at for at in map(rows.find, nodes) if at is not None]
    return np.array(found, np.int64)


def _run(
    rows: Compact,
    G: Any,
    algorithm: str,
    weight: Any,
    *args: Any,
    counted: bool = True,
    **options: Any,
) -> Any:
    """Run an algorithm with weights; without, parallel edges each count, if they are counted."""
    graph = rows.weighted(G, weight)
    many = rows.multiplicity(G) if weight is None and counted else None
    if many is not None:
        graph = Graph(graph.indptr, graph.indices, many, directed=rows.directed)
    weights = None if graph.weights is None else "weight"
    return rows.run(algorithm, *args, graph=graph, weights=weights, **options)


def _number(seed: Any) -> int:
    """A seed from a random state of Python's or NumPy's."""
    return int(seed.getrandbits(31) if hasattr(seed, "getrandbits") else seed.randint(0, 2**31 - 1))
