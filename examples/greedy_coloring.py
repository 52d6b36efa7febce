"""Greedy coloring: no two neighbors have the same color, and few colors are used.

All vertices take the least color that no neighbor has, at the same time. Where two neighbors took
the same one, the one that ranks lower takes another in the next round: the higher its degree the
higher it ranks, a hash of its id among equals. The highest of those that wait always keeps its
color, so it ends. No color is greater than the degree of its vertex.

Run it: python examples/greedy_coloring.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew


def greedy_colors(graph, seed=0):
    """A color from 0 on for every vertex of an undirected graph without loops."""
    rank, ids = graph.degrees() * 1.0, graph.xp.arange(graph.num_vertices)
    ew.compute(graph, None, draw, (rank, ids, seed))
    color, outranked = graph.full(-1), graph.full(False)
    choice = {"key": color, "choose": "absent", "out": (color, None)}
    waiting = ew.frontier(graph)
    while not waiting.empty():
        ew.reduce_neighbors(graph, waiting, None, color, **choice)
        ew.reduce_neighbors(
            graph, waiting, is_outranked, (color, rank), reduce=ew.ANY, out=outranked
        )
        waiting = ew.filter(graph, waiting, lost, outranked)
    return color


def draw(v, rank, ids, seed):
    rank[v] += ew.random.uniform(seed, ids[v])


def is_outranked(value, own):
    return value[0] == own[0] and value[1] > own[1]  # the same color, a higher rank


def lost(v, outranked):
    return outranked[v]


def one_by_one(graph):
    """The same in plain Python: one vertex after the other."""
    color = [-1] * graph.num_vertices
    for v in np.argsort(-graph.degrees(), kind="stable").tolist():
        taken = {color[u] for u in graph.neighbors(v).tolist()}
        color[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return color


def main():
    graph = ew.generators.rmat(12, edge_factor=8, seed=1)
    color = greedy_colors(graph)
    sources, targets, _ = graph.arcs()
    assert (color[sources] != color[targets]).all()
    assert color.min() == 0 and (color <= graph.degrees()).all()
    print(f"{graph}: {color.max() + 1} colors; one by one {max(one_by_one(graph)) + 1}")


if __name__ == "__main__":
    main()
