"""Louvain's move: vertices go to the community among their neighbors' where they gain most.

label[v] is the community of v, at first one of its own. In each round about half of the vertices,
by a hash of (seed, round, vertex), look at their neighbors' communities and at their own, and take
the one of greatest gain: the weight of their edges into it, less the weight to be expected there.
Half of them, because neighbors that move at the same time may undo each other's gain.

Run it: python examples/louvain_move.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew


def one_level(graph, rounds=40, seed=0):
    """A community for every vertex of an undirected graph without loops."""
    degree = ew.reduce_neighbors(graph, None, along, graph.full(0.0), reduce=ew.ADD)
    label, size = graph.xp.arange(graph.num_vertices), degree.copy()
    ids, best = label.copy(), (graph.full(-1), graph.full(0.0))  # the key and its score
    rules = {"reduce": ew.ADD, "choose": gain, "params": {"twice": float(degree.sum())}}
    groups = {"key": label, "stay": label, "own": (label, degree), "by_key": {"size": size}}
    for turn in range(rounds):
        looking = ew.filter(graph, None, looks, (ids, seed, turn))
        ew.reduce_neighbors(graph, looking, along, degree, **rules, **groups, out=best)
        moved = ew.filter(graph, looking, leaves, (best[0], label))
        ew.deliver(graph, size, label, -degree, reduce=ew.ADD, frontier=moved)
        ew.compute(graph, moved, move, (label, best[0]))
        ew.deliver(graph, size, label, degree, reduce=ew.ADD, frontier=moved)
    return label


def along(weight):
    return weight


def gain(total, key, own, size, twice):
    label, degree = own
    others = size - degree if key == label else size  # without itself
    return total - degree * others / twice


def looks(v, ids, seed, turn):
    return ew.random.uniform(seed, turn, ids[v]) < 0.5


def leaves(v, best, label):
    return best[v] != label[v]


def move(v, label, best):
    label[v] = best[v]


def modularity(graph, label):
    """How much more weight lies inside communities than the degrees lead one to expect."""
    sources, targets, weights = graph.arcs()
    weights = np.ones(len(sources)) if weights is None else weights
    inside = weights[label[sources] == label[targets]].sum() / weights.sum()
    sizes = np.bincount(label, np.bincount(sources, weights, graph.num_vertices))
    return inside - ((sizes / weights.sum()) ** 2).sum()


def main():
    graph, planted = ew.generators.planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1)
    label = one_level(graph)
    found, known = modularity(graph, label), modularity(graph, planted)
    assert found > 0.95 * known
    print(f"{graph}: {len(np.unique(label))} communities of modularity {found:.3f};")
    print(f"the 20 that were planted have {known:.3f}")


if __name__ == "__main__":
    main()
