"""Greedy colouring: no two neighbors have the same colour, and few colours are used.

All vertices take the least colour that no neighbor has, at the same time. Where two neighbors took
the same one, the one that ranks lower takes another in the next round: the higher its degree the
higher it ranks, a hash of its id among equals. The highest of those that wait always keeps its
colour, so it ends. No colour is greater than the degree of its vertex.

Run it: python examples/greedy_colouring.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew


def greedy_colours(graph, seed=0):
    """A colour from 0 on for every vertex of an undirected graph without loops."""
    rank, ids = graph.degrees() * 1.0, graph.xp.arange(graph.num_vertices)
    ew.compute(graph, None, draw, (rank, ids, seed))
    colour, outranked = graph.full(-1), graph.full(False)
    choice = {"key": colour, "choose": "absent", "out": (colour, None)}
    waiting = ew.frontier(graph)
    while not waiting.empty():
        ew.reduce_neighbors(graph, waiting, None, colour, **choice)
        ew.reduce_neighbors(
            graph, waiting, is_outranked, (colour, rank), reduce=ew.ANY, out=outranked
        )
        waiting = ew.filter(graph, waiting, lost, outranked)
    return colour


def draw(v, rank, ids, seed):
    rank[v] += ew.random.uniform(seed, ids[v])


def is_outranked(value, own):
    return value[0] == own[0] and value[1] > own[1]  # the same colour, a higher rank


def lost(v, outranked):
    return outranked[v]


def one_by_one(graph):
    """The same in plain Python: one vertex after the other."""
    colour = [-1] * graph.num_vertices
    for v in np.argsort(-graph.degrees(), kind="stable").tolist():
        taken = {colour[u] for u in graph.neighbors(v).tolist()}
        colour[v] = next(c for c in range(len(taken) + 1) if c not in taken)
    return colour


def main():
    graph = ew.generators.rmat(12, edge_factor=8, seed=1)
    colour = greedy_colours(graph)
    sources, targets, _ = graph.arcs()
    assert (colour[sources] != colour[targets]).all()
    assert colour.min() == 0 and (colour <= graph.degrees()).all()
    print(f"{graph}: {colour.max() + 1} colours; one by one {max(one_by_one(graph)) + 1}")


if __name__ == "__main__":
    main()
